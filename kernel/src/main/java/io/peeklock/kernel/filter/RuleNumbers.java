package io.peeklock.kernel.filter;

import java.util.Arrays;

/**
 * Ascending numbers of rules. There may be a hundred thousand: a removed one leaves a gap, and gaps
 * are closed when they are half of the places.
 */
class RuleNumbers {
  private static final int[] NONE = {};

  private int[] places = NONE; // a gap has the complement of the number that was there
  private int filled;
  private int gaps;

  private static int numberAt(int place) {
    return place < 0 ? ~place : place;
  }

  /** Adds a new number; fast when it is above all others. */
  final void add(int number) {
    if (filled == places.length) {
      places = Arrays.copyOf(places, filled + Math.max(1, filled / 2));
    }
    int at = filled;
    if (filled > 0 && numberAt(places[filled - 1]) > number) {
      at = placeOf(number);
      System.arraycopy(places, at, places, at + 1, filled - at);
    }
    places[at] = number;
    filled++;
  }

  /** Removes a number, which must be present. */
  final void remove(int number) {
    int at = placeOf(number);
    while (places[at] != number) {
      at++; // a gap where the same number was before
    }
    places[at] = ~number;
    gaps++;
    if (gaps > filled / 2) {
      close();
    }
  }

  private void close() {
    int kept = 0;
    for (int i = 0; i < filled; i++) {
      if (places[i] >= 0) {
        places[kept++] = places[i];
      }
    }
    filled = kept;
    gaps = 0;
    places = kept <= places.length / 4 ? Arrays.copyOf(places, kept) : places;
  }

  /** The first place whose number is not below this one. */
  private int placeOf(int number) {
    int from = 0;
    int until = filled;
    while (from < until) {
      int middle = (from + until) >>> 1;
      boolean isBelow = numberAt(places[middle]) < number;
      from = isBelow ? middle + 1 : from;
      until = isBelow ? until : middle;
    }
    return from;
  }

  final boolean isEmpty() {
    return filled == gaps;
  }

  final void addTo(RuleMatches matches) {
    for (int i = 0; i < filled; i++) {
      if (places[i] >= 0) {
        matches.add(places[i]);
      }
    }
  }

  final void addFailedTo(String sentence, RuleMatches matches) {
    for (int i = 0; i < filled; i++) {
      if (places[i] >= 0) {
        matches.addFailed(places[i], sentence);
      }
    }
  }
}
