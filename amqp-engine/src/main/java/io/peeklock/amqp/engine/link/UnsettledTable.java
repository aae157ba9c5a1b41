package io.peeklock.amqp.engine.link;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The deliveries of one session that went out and are not settled: delivery id to context and link.
 * Open addressing over parallel arrays, so nothing is boxed and memory follows the number of
 * deliveries that are unsettled, not the distance between the oldest and the newest: a client may
 * sit on one message for ever while millions pass.
 *
 * <p>Deliveries of a link that is gone stay as dead entries until they are half of the table, then
 * all are swept out at once: a detach costs nothing by itself.
 *
 * @param <L> their owners
 */
final class UnsettledTable<L extends DeliveryHolder> {
  static final int NOT_FOUND = -1;

  private static final int SMALLEST = 64;
  private static final int KEPT_WHEN_EMPTY = 8192;

  private int[] ids = new int[SMALLEST];
  private long[] contexts = new long[SMALLEST];
  private @Nullable L[] links = array(SMALLEST);
  private boolean[] reported = new boolean[SMALLEST];
  private int entries;
  private int dead;
  private int reportedEntries;

  /** How many deliveries of living links are here. */
  int size() {
    return entries - dead;
  }

  void add(int id, long context, L link) {
    if (2 * (entries + 1) > ids.length) {
      rebuild(ids.length * 2);
    }
    insert(id, context, link, false);
  }

  private void insert(int id, long context, L link, boolean wasReported) {
    int slot = home(id);
    while (links[slot] != null) {
      slot = next(slot);
    }
    ids[slot] = id;
    contexts[slot] = context;
    links[slot] = link;
    reported[slot] = wasReported;
    entries++;
    count(wasReported, 1);
  }

  /** The slot of a delivery of a living link, or {@link #NOT_FOUND}. */
  int find(int id) {
    for (int slot = home(id); ; slot = next(slot)) {
      L link = links[slot];
      if (link == null) {
        return NOT_FOUND;
      }
      if (ids[slot] == id && link.isAttached()) {
        return slot;
      }
    }
  }

  long context(int slot) {
    return contexts[slot];
  }

  @Nullable L link(int slot) {
    return links[slot];
  }

  /** Whether the client's request to settle this delivery was reported to the edge. */
  boolean isReported(int slot) {
    return reported[slot];
  }

  void setReported(int slot, boolean isReported) {
    count(reported[slot], -1);
    reported[slot] = isReported;
    count(isReported, 1);
  }

  /** How many deliveries have no disposition of the client yet, some dead entries included. */
  int unreported() {
    return entries - reportedEntries;
  }

  private void count(boolean isReported, int more) {
    reportedEntries += isReported ? more : 0;
  }

  /** Removes an entry, and closes the gap that this leaves in the run of slots behind it. */
  void remove(int slot) {
    count(reported[slot], -1);
    int gap = slot;
    for (int at = next(gap); links[at] != null; at = next(at)) {
      if (distance(home(ids[at]), at) >= distance(gap, at)) {
        move(at, gap);
        gap = at;
      }
    }
    links[gap] = null;
    entries--;
    if (entries == 0 && ids.length > KEPT_WHEN_EMPTY) {
      rebuild(SMALLEST);
    }
  }

  /** Notes that a link with this many unsettled deliveries has ended. */
  void forget(int unsettledOfLink) {
    dead += unsettledOfLink;
    if (dead > 0 && 2 * dead >= entries) {
      int capacity = SMALLEST;
      while (capacity < 4 * (entries - dead)) {
        capacity *= 2;
      }
      rebuild(capacity);
    }
  }

  /**
   * The ids within a range, in order: for ranges much wider than the table is full.
   *
   * @param width how far the last id is from the first, 0 or more
   * @param all whether to include those that were reported
   */
  int[] idsWithin(int first, int width, boolean all) {
    var offsets = new int[entries];
    int found = 0;
    for (int slot = 0; slot < ids.length; slot++) {
      int offset = ids[slot] - first;
      boolean isMeant = links[slot] != null && (all || !reported[slot]);
      if (isMeant && offset >= 0 && offset <= width) {
        offsets[found++] = offset;
      }
    }
    Arrays.sort(offsets, 0, found);
    var within = new int[found];
    for (int i = 0; i < found; i++) {
      within[i] = first + offsets[i];
    }
    return within;
  }

  private void move(int from, int to) {
    ids[to] = ids[from];
    contexts[to] = contexts[from];
    links[to] = links[from];
    reported[to] = reported[from];
  }

  private void rebuild(int capacity) {
    int[] oldIds = ids;
    long[] oldContexts = contexts;
    @Nullable L[] oldLinks = links;
    boolean[] oldReported = reported;
    ids = new int[capacity];
    contexts = new long[capacity];
    links = array(capacity);
    reported = new boolean[capacity];
    entries = 0;
    dead = 0;
    reportedEntries = 0;
    for (int slot = 0; slot < oldIds.length; slot++) {
      L link = oldLinks[slot];
      if (link != null && link.isAttached()) {
        insert(oldIds[slot], oldContexts[slot], link, oldReported[slot]);
      }
    }
  }

  @SuppressWarnings("unchecked") // it is never seen outside as an array
  private static <L extends DeliveryHolder> @Nullable L[] array(int size) {
    return (@Nullable L[]) new DeliveryHolder[size];
  }

  private int home(int id) {
    // Multiplied, not masked: a block of old ids would otherwise be a wall that new ids, going
    // round,
    // must probe along.
    return (id * 0x9e3779b9) >>> (Integer.numberOfLeadingZeros(ids.length) + 1);
  }

  private int next(int slot) {
    return (slot + 1) & (ids.length - 1);
  }

  private int distance(int from, int to) {
    return (to - from) & (ids.length - 1);
  }
}
