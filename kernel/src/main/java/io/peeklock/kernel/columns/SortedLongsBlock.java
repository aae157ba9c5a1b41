package io.peeklock.kernel.columns;

import java.util.Arrays;

/** A block of {@link SortedLongs}: a few sorted numbers; removing at the front costs nothing. */
final class SortedLongsBlock {

  /** The most numbers of a block, so that an insertion moves few. */
  static final int MOST = 512;

  private static final int LEAST = 4;

  private long[] numbers = new long[LEAST];
  private int head;
  private int size;

  int size() {
    return size;
  }

  boolean isFull() {
    return size == MOST;
  }

  /** The lowest; there must be one. */
  long first() {
    return numbers[head];
  }

  /** The highest; there must be one. */
  long last() {
    return numbers[head + size - 1];
  }

  /** The lowest that is not below this number, {@link SortedLongs#NONE} for none. */
  long from(long number) {
    int at = Arrays.binarySearch(numbers, head, head + size, number);
    int place = at >= 0 ? at : -at - 1;
    return place < head + size ? numbers[place] : SortedLongs.NONE;
  }

  /** Adds a number that is not there. There must be room. */
  void add(long number) {
    int at = head + size;
    if (size > 0 && number < numbers[at - 1]) {
      at = -Arrays.binarySearch(numbers, head, head + size, number) - 1;
    }
    if (at == head && head > 0) {
      head--;
      at--;
    } else {
      at += makeRoom();
      System.arraycopy(numbers, at, numbers, at + 1, head + size - at);
    }
    numbers[at] = number;
    size++;
  }

  /** Makes room behind the last; how far all of them moved. */
  private int makeRoom() {
    int before = head;
    if (before + size == numbers.length) {
      move(before > size ? numbers.length : Math.max(LEAST, size * 2));
    }
    return head - before;
  }

  private void move(int capacity) {
    long[] from = numbers;
    numbers = capacity == from.length ? from : new long[capacity];
    System.arraycopy(from, head, numbers, 0, size);
    head = 0;
  }

  /** Takes a number away that is there. */
  void remove(long number) {
    int at = Arrays.binarySearch(numbers, head, head + size, number);
    if (at == head) {
      head++;
    } else {
      System.arraycopy(numbers, at + 1, numbers, at, head + size - at - 1);
    }
    size--;
    if (size == 0) {
      head = 0;
    }
    if (numbers.length > LEAST && size <= numbers.length / 4) {
      move(numbers.length / 2);
    }
  }

  /** Moves the upper half to a new block. */
  SortedLongsBlock split() {
    SortedLongsBlock upper = new SortedLongsBlock();
    int kept = size / 2;
    upper.numbers = Arrays.copyOfRange(numbers, head + kept, head + size);
    upper.size = size - kept;
    size = kept;
    return upper;
  }
}
