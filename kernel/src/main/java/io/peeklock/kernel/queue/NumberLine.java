package io.peeklock.kernel.queue;

import java.util.Arrays;

/**
 * Numbers in order, which mostly come at the end and go at the front; in between is possible and
 * costs a shift.
 */
final class NumberLine {

  private static final long[] EMPTY = {};

  private long[] numbers = EMPTY;
  private int head;
  private int size;

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** The lowest; there must be one. */
  long first() {
    return numbers[head];
  }

  /** The one at this place from the lowest on. */
  long get(int i) {
    return numbers[head + i];
  }

  /** Adds a number that is not there. */
  void add(long number) {
    makeRoom();
    int at = head + size;
    if (size > 0 && number < numbers[at - 1]) {
      at = -Arrays.binarySearch(numbers, head, head + size, number) - 1;
      if (at == head && head > 0) {
        numbers[--head] = number;
        size++;
        return;
      }
      System.arraycopy(numbers, at, numbers, at + 1, head + size - at);
    }
    numbers[at] = number;
    size++;
  }

  private void makeRoom() {
    if (head + size < numbers.length) {
      return;
    }
    long[] from = numbers;
    if (head <= size) {
      numbers = new long[Math.max(4, size * 2)];
    }
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
      numbers = numbers.length > 64 ? EMPTY : numbers;
    }
  }

  /** All of them, in order. */
  long[] toArray() {
    return Arrays.copyOfRange(numbers, head, head + size);
  }

  /** The place of a value among so many sorted ones, or of the next higher one. */
  static int atOrAfter(int[] sorted, int count, long wanted) {
    int guess = (int) Math.max(0, Math.min(wanted, count - 1L)); // right while nothing is missing
    if (guess < count && sorted[guess] == wanted) {
      return guess;
    }
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] < wanted) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
