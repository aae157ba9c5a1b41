package io.peeklock.amqp.link;

import io.netty.util.concurrent.EventExecutor;
import io.peeklock.amqp.filter.MessageIdHash;
import io.peeklock.amqp.message.DeliveryWriter;
import io.peeklock.amqp.message.LockTokens;
import io.peeklock.amqp.message.MessageNormalizer;
import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.BodyArena;
import io.peeklock.runtime.StagedBodies;
import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.runtime.thread.EventLoopThread;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The objects that the connections of one event loop share: the arena that bodies are staged in,
 * the cipher of lock tokens, and the hand-over of effects from the shard's thread. {@link
 * #onEffect}, {@link #later} and {@link #handOver} run on the shard's thread; everything else on
 * the loop, which may be the same thread.
 */
public final class EventLoopContext {
  private final EventExecutor loop;
  private final List<Member> dirty = new ArrayList<>();
  public final BodyArena arena;
  public final LockTokens tokens;
  public final MessageNormalizer normalizer = new MessageNormalizer();
  public final MessageIdHash messageIds = new MessageIdHash();
  public final DeliveryWriter writer = new DeliveryWriter();
  private List<PendingEffect> inbox = new ArrayList<>();
  private @Nullable Target arenaUser;
  private boolean flushing;

  /** A connection of the loop. */
  @EventLoopThread
  interface Member {
    /** Runs a task; a fault in it ends only this connection. */
    void perform(Runnable task);

    /** Delivers one effect to a link of this connection; a fault ends only this connection. */
    void onEffect(Target link, Effect effect, @Nullable Bodies bodies);

    /** Ends a read burst or a run of effects: submits requests and writes output. */
    void endBurst();

    /** Ends the connection because of a fault. */
    void fail(Throwable fault);

    /**
     * Notes whether it is in the list of connections with output.
     *
     * @return whether that changed
     */
    boolean markDirty(boolean isDirty);
  }

  /** A link of such a connection. */
  @EventLoopThread
  public interface Target {
    Member host();

    /** Handles an effect, and releases its bodies. */
    void onEffect(Effect effect, @Nullable Bodies bodies);

    /** Submits what the read burst has gathered, including bodies in the arena. */
    void submitGathered();
  }

  /** An effect that is passed between threads. */
  private record PendingEffect(
      Member connection, Target link, Effect effect, @Nullable Bodies bodies) {}

  /** A context of this event loop. */
  public EventLoopContext(EventExecutor loop, BodyArena arena, LockTokens tokens) {
    this.loop = loop;
    this.arena = arena;
    this.tokens = tokens;
  }

  /** Queues an effect for a link of a connection; on the shard's thread. */
  void onEffect(Member connection, Target link, Effect effect, @Nullable Bodies bodies) {
    if (loop.inEventLoop()) {
      handle(connection, link, effect, bodies);
    } else {
      inbox.add(new PendingEffect(connection, link, effect, bodies));
    }
  }

  /** Ends a run of effects: all are handed over at once, and each connection writes once. */
  void handOver() {
    if (loop.inEventLoop()) {
      flushDirty();
    } else if (!inbox.isEmpty()) {
      var batch = inbox;
      inbox = new ArrayList<>(Math.max(16, batch.size()));
      try {
        loop.execute(() -> handleAll(batch));
      } catch (RuntimeException | Error fault) {
        batch.forEach(next -> lose(next, fault));
        throw fault;
      }
    }
  }

  private void handleAll(List<PendingEffect> batch) {
    for (var next : batch) {
      try {
        handle(next.connection(), next.link(), next.effect(), next.bodies());
      } catch (RuntimeException | Error fault) {
        lose(next, fault);
      }
    }
    flushDirty();
  }

  /** Ends the connection of an effect that is lost, if it can still be reached. */
  private void lose(PendingEffect lost, Throwable fault) {
    if (lost.bodies() != null) {
      lost.bodies().drop();
    }
    execute(lost.connection(), () -> lost.connection().fail(fault));
  }

  /** Runs a task after all earlier effects; called on the shard's thread. */
  public void later(Member connection, Runnable task) {
    handOver();
    execute(connection, task);
  }

  /** Runs a task on the loop, and then flushes the connection. */
  @AnyThread
  public void execute(Member connection, Runnable task) {
    loop.execute(
        () -> {
          try {
            connection.perform(task);
            connection.endBurst();
          } catch (RuntimeException | Error fault) {
            connection.fail(fault);
          }
        });
  }

  /** The arena with an open run of this link; the run of another link is submitted first. */
  @SuppressWarnings("ReferenceEquality") // a link is itself
  public BodyArena openFor(Target link) {
    if (arenaUser != link) {
      closeArena();
      arena.begin();
      arenaUser = link;
    }
    return arena;
  }

  /** Stages the bodies of one request: all of them, or none if it throws. */
  public StagedBodies stageAtOnce(Consumer<BodyArena> bodies) {
    closeArena();
    arena.begin();
    try {
      bodies.accept(arena);
      return arena.end();
    } finally {
      arena.drop(); // no run is open after its end
    }
  }

  /** Stages a body and drops it, as a check: throws if a send could not be staged. */
  public void prove() {
    closeArena();
    arena.begin();
    try {
      arena.reserve(1).put((byte) 0);
      arena.commit();
    } finally {
      arena.drop();
    }
  }

  /** Ends the run of a link, and hands its bodies out. */
  @SuppressWarnings("ReferenceEquality") // a link is itself
  public StagedBodies end(Target link) {
    Invariant.check(arenaUser == link, "a link ends its own run");
    var staged = arena.end();
    arenaUser = null;
    return staged;
  }

  /** Drops what a link has staged, if anything. */
  @SuppressWarnings("ReferenceEquality") // a link is itself
  public void drop(Target link) {
    if (arenaUser == link) {
      arenaUser = null;
      arena.drop();
    }
  }

  /**
   * Closes the open run in any case: what its user has gathered is submitted, and a fault in that
   * ends the user's connection only, not the caller's.
   */
  private void closeArena() {
    var user = arenaUser;
    if (user != null) {
      user.host().perform(user::submitGathered);
      drop(user);
    }
  }

  private void handle(Member connection, Target link, Effect effect, @Nullable Bodies bodies) {
    if (connection.markDirty(true)) {
      dirty.add(connection);
    }
    connection.onEffect(link, effect, bodies);
  }

  private void flushDirty() {
    flushing = true;
    try {
      for (var i = 0; i < dirty.size(); i++) {
        flush(dirty.get(i));
      }
      dirty.clear();
    } finally {
      flushing = false;
      written();
    }
  }

  private static void flush(Member connection) {
    connection.markDirty(false);
    try {
      connection.endBurst();
    } catch (RuntimeException | Error fault) {
      connection.fail(fault);
    }
  }

  /**
   * Notes that a connection has written; the shared buffer is released unless others write next.
   */
  public void written() {
    if (!flushing) {
      writer.block.forget();
    }
  }
}
