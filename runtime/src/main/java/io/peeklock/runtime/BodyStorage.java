package io.peeklock.runtime;

import io.peeklock.runtime.meter.BodyRoom;
import io.peeklock.runtime.meter.BudgetUse;
import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.runtime.thread.ShardThread;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bodies of messages: staged by an edge, part of the log with the batch that names them,
 * fetched and pinned, and forgotten. Called by its shard only, except where said; nothing here
 * blocks.
 */
public interface BodyStorage {

  /** What it takes of the heap for stored bodies, if that grows with them. */
  @ShardThread
  default long heapBytes() {
    return 0;
  }

  /** The memory that it has for stored bodies, if that has a bound. */
  @ShardThread
  default BodyRoom bodyRoom() {
    return BodyRoom.UNBOUNDED;
  }

  /** The memory that it bounds: what is taken of it now. */
  @AnyThread
  default List<BudgetUse> budgets() {
    return List.of();
  }

  /** A place to stage bodies, for one event loop. */
  @AnyThread
  BodyArena newArena();

  /**
   * Pins and reads bodies.
   *
   * @param bodyIds ids of live bodies; those of a batch are known from its append on
   * @param whenLoaded told later on the shard's thread when null is returned
   * @return the bodies when all are in memory, else null
   */
  @Nullable Bodies fetch(long[] bodyIds, LoadListener whenLoaded);

  /**
   * Bodies found dead by a replay, outside of any batch. Batches name theirs themselves.
   *
   * @param bodyIds ids that nothing refers to
   */
  void forget(long[] bodyIds);

  /** Told about one fetch, on the shard's thread. */
  interface LoadListener {
    /** All are there. */
    void loaded(Bodies bodies);

    /**
     * A body could not be read or failed its checksum; the text names file and offset. With a
     * {@link ReadFault} it may be whole.
     */
    void unreadable(long bodyId, IOException cause);
  }
}
