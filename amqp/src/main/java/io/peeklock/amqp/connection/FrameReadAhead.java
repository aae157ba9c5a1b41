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
 * The bytes read of a connection that wait because the shard has too much of it. One read may have
 * hundreds of frames, each of which changes a thousand messages: they reach the mailbox only while
 * it has room, so that other connections need not wait for all of them. They are counted with
 * half-received transfers; without room there nothing waits here.
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
   * @param pauses shows when the mailbox is full
   * @param budget of all connections
   */
  FrameReadAhead(AmqpEngine engine, ReadPauses pauses, Budget budget) {
    this.engine = engine;
    this.pauses = pauses;
    this.budget = budget;
  }

  /** Whether no more frames may be handled now. */
  boolean isFull() {
    return !insists && pauses.has(ReadPauses.MAILBOX);
  }

  /** Handles bytes, or keeps a copy of those that must wait; the caller still owns the buffer. */
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

  /** Handles waiting frames as far as the mailbox has room. */
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

  /** Runs a task at the end of the input, when nothing waits. */
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

  /** Drops all waiting bytes. */
  void release() {
    end = null;
    while (!waiting.isEmpty()) {
      drop();
    }
  }
}
