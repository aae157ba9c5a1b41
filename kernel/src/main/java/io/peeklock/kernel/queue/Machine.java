package io.peeklock.kernel.queue;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.Fact;
import io.peeklock.kernel.Grant;
import io.peeklock.kernel.QueueCounts;
import io.peeklock.kernel.QueueEntry;
import io.peeklock.kernel.QueueId;
import io.peeklock.kernel.Request;
import io.peeklock.kernel.Stamp;
import java.util.List;

/** One shard's rules and state. Single-threaded; its shard alone calls it. */
public final class Machine {

  private static final String SOON = "being written";

  public Decision decide(Stamp stamp, Request request) {
    throw new UnsupportedOperationException(SOON);
  }

  public boolean wantsDispatch() {
    throw new UnsupportedOperationException(SOON);
  }

  public Decision dispatch(Stamp stamp) {
    throw new UnsupportedOperationException(SOON);
  }

  public long nextTickMillis(Stamp stamp) {
    throw new UnsupportedOperationException(SOON);
  }

  public Decision tick(Stamp stamp) {
    throw new UnsupportedOperationException(SOON);
  }

  public void apply(long index, Fact fact) {
    throw new UnsupportedOperationException(SOON);
  }

  public void apply(Grant grant) {
    throw new UnsupportedOperationException(SOON);
  }

  public long nextBodyId() {
    throw new UnsupportedOperationException(SOON);
  }

  public long[] takeDeadBodies() {
    throw new UnsupportedOperationException(SOON);
  }

  public List<Fact> describe() {
    throw new UnsupportedOperationException(SOON);
  }

  public List<QueueEntry> queues() {
    throw new UnsupportedOperationException(SOON);
  }

  public QueueCounts counts(QueueId queue) {
    throw new UnsupportedOperationException(SOON);
  }

  public long stateHash() {
    throw new UnsupportedOperationException(SOON);
  }
}
