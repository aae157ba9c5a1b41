package io.peeklock.runtime;

import io.peeklock.runtime.meter.BodyRoom;
import io.peeklock.runtime.meter.BudgetUse;
import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.runtime.thread.ShardThread;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stores the bodies of messages: an edge stages them, the batch that names them brings them into
 * the log, and they are fetched, pinned and finally forgotten. Called by its shard only, except
 * where said; nothing here blocks.
 */
public interface BodyStorage {

  /** The heap in bytes that stored bodies use, if it grows with them. */
  @ShardThread
  default long heapBytes() {
    return 0;
  }

  /** The memory for stored bodies, if it is limited. */
  @ShardThread
  default BodyRoom bodyRoom() {
    return BodyRoom.UNBOUNDED;
  }

  /** The memory budgets of this storage and their use. */
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
   * Forgets bodies that a replay found dead. Batches name their dead bodies themselves.
   *
   * @param bodyIds ids that nothing refers to
   */
  void forget(long[] bodyIds);

  /** Receives the result of one fetch, on the shard's thread. */
  interface LoadListener {
    /** All bodies are in memory. */
    void loaded(Bodies bodies);

    /**
     * A body could not be read or failed its checksum; the text names file and offset. With a
     * {@link ReadFault} it may be whole.
     */
    void unreadable(long bodyId, IOException cause);
  }
}
