package io.peeklock.journal.segment;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where the live ones among so many bodies with neighbouring ids lie. While they are few only these
 * are kept, in order of their ids, whatever came before or comes next: arrays grow when they are
 * full and shrink when a third of them is left, so that one body takes 30 bytes at most. From a
 * quarter on each has its place, and takes 32.
 *
 * <p>The dead keep their entries until then, so that what dies as it came costs no more than what
 * stays.
 */
final class BodyChunk {
  private static final int MOST = BodyLocations.CHUNK_BODIES;

  /** With so many left each has its place. */
  private static final int MANY = MOST / 4;

  final long number;
  private long[] locations = new long[2];
  private char @Nullable [] places = new char[2]; // of the first few; null when each has its own
  private int few;
  private int found;
  private int live;

  BodyChunk(long number) {
    this.number = number;
  }

  int live() {
    return live;
  }

  /** What the arrays take. */
  long bytes() {
    return (long) Long.BYTES * locations.length
        + (places == null ? 0 : (long) Character.BYTES * places.length);
  }

  /** Where a place is among the locations; below 0 when it is not, as a binary search says it. */
  private int at(int place) {
    if (places == null) {
      return place;
    }
    if (few == 0 || places[few - 1] < place) {
      return ~few; // ids count up
    }
    for (var i = found; i < Math.min(found + 2, few); i++) {
      if (places[i] == place) {
        found = i; // whoever goes through them does not search
        return i;
      }
    }
    var at = Arrays.binarySearch(places, 0, few, (char) place);
    found = Math.max(0, at);
    return at;
  }

  long get(int place) {
    var at = at(place);
    return at < 0 ? BodyLocations.NONE : locations[at];
  }

  void put(int place, long location) {
    var at = at(place);
    if (at < 0 && few == locations.length) {
      makeRoom();
      at = at(place);
    }
    if (at < 0) {
      at = insert(~at, place);
    }
    live += locations[at] == BodyLocations.NONE ? 1 : 0;
    locations[at] = location;
  }

  private int insert(int at, int place) {
    if (places != null) {
      System.arraycopy(places, at, places, at + 1, few - at);
      System.arraycopy(locations, at, locations, at + 1, few - at);
      places[at] = (char) place;
      locations[at] = BodyLocations.NONE;
      few++;
    }
    return at;
  }

  private void makeRoom() {
    if (live < MANY) {
      keepLive(Math.max(2, 2 * live));
    } else {
      locations = all();
      places = null;
    }
  }

  /** Takes a body out; tells where it was. */
  long remove(int place) {
    var at = at(place);
    var location = at < 0 ? BodyLocations.NONE : locations[at];
    if (location != BodyLocations.NONE) {
      locations[at] = BodyLocations.NONE;
      live--;
      if (places == null ? live < MANY : live * 3 < locations.length) {
        keepLive(live);
      }
    }
    return location;
  }

  /** Changes the place of a body that is still where it was said to be; false when it is not. */
  boolean move(int place, long from, long to) {
    var at = at(place);
    if (at < 0 || locations[at] != from) {
      return false;
    }
    locations[at] = to;
    return true;
  }

  /** The locations by place. */
  long[] all() {
    if (places == null) {
      return locations;
    }
    var all = new long[MOST];
    for (var i = 0; i < few; i++) {
      all[places[i]] = locations[i];
    }
    return all;
  }

  /** Keeps those that live, and room for so many. */
  private void keepLive(int room) {
    var keptPlaces = new char[room];
    var kept = new long[room];
    var count = 0;
    var end = places == null ? MOST : few;
    for (var i = 0; i < end; i++) {
      if (locations[i] != BodyLocations.NONE) {
        keptPlaces[count] = places == null ? (char) i : places[i];
        kept[count++] = locations[i];
      }
    }
    places = keptPlaces;
    locations = kept;
    few = count;
  }
}
