package io.peeklock.amqp.connection;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.AmqpEngine;
import io.peeklock.amqp.engine.limits.Budget;
import io.peeklock.amqp.limit.ReadPauses;
import io.peeklock.runtime.thread.EventLoopThread;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * What was read of a connection and waits because the shard has too much of it. One read may hold
 * hundreds of frames, each of which changes a thousand messages: they reach the mailbox only as far
 * as that has room, or whoever is behind them waits for all of them. Counted with the transfers
 * that are half received; where these have no room nothing waits here.
 */
@EventLoopThread
final class FrameReadAhead {
  private final AmqpEngine engine;
  private final ReadPauses pauses;
  private final Budget budget;
  private final Deque<ByteBuf> waiting = new ArrayDeque<>(1);
  private long counted;
  private boolean insists;
  private @Nullable Runnable end;

  /**
   * Nothing waits.
   *
   * @param pauses say when the mailbox is full
   * @param budget of all connections
   */
  FrameReadAhead(AmqpEngine engine, ReadPauses pauses, Budget budget) {
    this.engine = engine;
    this.pauses = pauses;
    this.budget = budget;
  }

  /** Whether no more frames are to be handled now. */
  boolean isFull() {
    return !insists && pauses.has(ReadPauses.MAILBOX);
  }

  /** Handles what was read, or keeps what must wait; the caller still owns the buffer. */
  void take(ByteBuf bytes, long nowMillis) {
    if (waiting.isEmpty()) {
      engine.ingest(bytes, nowMillis);
    }
    if (!bytes.isReadable()) {
      return;
    }
    if (budget.takeFairly(counted, bytes.capacity())) {
      counted += bytes.capacity();
      waiting.add(bytes.retain());
    } else {
      insist(bytes, nowMillis);
    }
  }

  private void insist(ByteBuf bytes, long nowMillis) {
    insists = true;
    try {
      resume(nowMillis);
      engine.ingest(bytes, nowMillis);
    } finally {
      insists = false;
    }
  }

  /** The mailbox has room: handles what waits, as far as it has. */
  void resume(long nowMillis) {
    while (!waiting.isEmpty()) {
      var next = waiting.element();
      engine.ingest(next, nowMillis);
      if (next.isReadable()) {
        return;
      }
      drop();
    }
    var atEnd = end;
    if (atEnd != null) {
      end = null;
      atEnd.run();
    }
  }

  /** No more will come: this is run when nothing waits. */
  void atEnd(Runnable then) {
    if (waiting.isEmpty()) {
      then.run();
    } else {
      end = then;
    }
  }

  private void drop() {
    var first = waiting.remove();
    var bytes = first.capacity();
    counted -= bytes;
    budget.give(bytes);
    first.release();
  }

  /** Lets go of all that waits. */
  void release() {
    end = null;
    while (!waiting.isEmpty()) {
      drop();
    }
  }
}
