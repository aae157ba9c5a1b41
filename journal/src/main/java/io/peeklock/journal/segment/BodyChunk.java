package io.peeklock.journal.segment;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The locations of the living bodies in a range of ids. While they are few only these are kept, in
 * order of ids: arrays grow when they are full and shrink when a third is left, so that a body
 * takes 30 bytes at most. From a quarter on each id has its own place, which takes 32 bytes per
 * living body at most.
 *
 * <p>Dead bodies keep their entries until the arrays shrink, so that bodies that die in order cost
 * no more than those that stay.
 */
final class BodyChunk {
  private static final int MOST = BodyLocations.CHUNK_BODIES;

  /** The number of bodies from which each id has its own place. */
  private static final int MANY = MOST / 4;

  final long number;
  private long[] locations = new long[2];
  private char @Nullable [] places = new char[2]; // of the few; null when each id has its own
  private int few;
  private int found;
  private int live;

  BodyChunk(long number) {
    this.number = number;
  }

  int live() {
    return live;
  }

  /** The bytes of the arrays. */
  long bytes() {
    return (long) Long.BYTES * locations.length
        + (places == null ? 0 : (long) Character.BYTES * places.length);
  }

  /** The index of a place among the locations; below 0 when it is absent, as in a binary search. */
  private int at(int place) {
    if (places == null) {
      return place;
    }
    if (few == 0 || places[few - 1] < place) {
      return ~few; // ids count up
    }
    for (var i = found; i < Math.min(found + 2, few); i++) {
      if (places[i] == place) {
        found = i; // a walk needs no search
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

  /** Removes a body, and returns its location. */
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

  /** Changes the location of a body if it is still {@code from}; else returns false. */
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

  /** Keeps the living bodies, with room for {@code room}. */
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
