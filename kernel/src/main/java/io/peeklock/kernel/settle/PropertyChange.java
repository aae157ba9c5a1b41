package io.peeklock.kernel.settle;

import io.peeklock.kernel.columns.Chunk;
import io.peeklock.kernel.columns.Place;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.request.Overlay;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import org.jspecify.annotations.Nullable;

/** The changed properties that come with a settlement, and what becomes of them (R-30, S-082). */
public final class PropertyChange {

  /** The most that properties and application properties may take together (S-074). */
  static final int MAX_HEADER_BYTES = 64 << 10;

  private final Fact.@Nullable StoredOverlay overlay;
  private final boolean outgrowsHeader;
  private final long needs;
  private boolean stored;

  private PropertyChange(Fact.@Nullable StoredOverlay overlay, boolean outgrowsHeader, long needs) {
    this.overlay = overlay;
    this.outgrowsHeader = outgrowsHeader;
    this.needs = needs;
  }

  /** No change. */
  public static PropertyChange none() {
    return new PropertyChange(null, false, 0);
  }

  /**
   * The change of a settlement; none when its lock is lost, or when nobody will read it (complete,
   * release).
   */
  public static PropertyChange of(
      MachineState state, QueueState queue, Request.Settle settle, LockCheck held) {
    return of(state, queue, settle, held, state.nextBodyId);
  }

  /** The same, with the body id under which the change would be stored. */
  public static PropertyChange of(
      MachineState state, QueueState queue, Request.Settle settle, LockCheck held, long bodyId) {
    Overlay overlay = settle.overlay();
    if (overlay == null
        || held.count() == 0
        || settle.settlement() == Settlement.COMPLETE
        || settle.settlement() == Settlement.RELEASE) {
      return none();
    }
    long place = queue.messages().find(held.numbers()[0]);
    Chunk chunk = queue.messages().chunk(place);
    int row = Place.row(place);
    if ((long) chunk.headerBytes(row) + overlay.bytes() > MAX_HEADER_BYTES) {
      // S-185: a dead letter cannot be dead-lettered, so there the change is dropped instead.
      // Earlier changes are not read: they would only add to the size
      return new PropertyChange(null, !queue.isDeadLetterQueue(), 0);
    }
    long present = state.overlays.bodyId(chunk.overlaySlot(row));
    if (present != 0 && present != overlay.mergedOver()) {
      return new PropertyChange(null, false, present);
    }
    return new PropertyChange(new Fact.StoredOverlay(bodyId, overlay.bytes()), false, 0);
  }

  /**
   * The body id of earlier changes that the new ones must contain, to be read first; 0 for none.
   */
  public long needs() {
    return needs;
  }

  /** Whether the header becomes too large, so that the message is dead-lettered (S-075, S-190). */
  boolean outgrowsHeader() {
    return outgrowsHeader;
  }

  /** The change, for the fact that stores it; null when there is none. */
  Fact.@Nullable StoredOverlay store() {
    stored = overlay != null;
    return overlay;
  }

  /** Whether some fact stores it. */
  public boolean isStored() {
    return stored;
  }
}
