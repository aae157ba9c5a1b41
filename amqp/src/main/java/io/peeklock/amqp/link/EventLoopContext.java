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
 * What the connections of one event loop share: the arena that bodies are staged in, the cipher of
 * the lock tokens, and the hand-over of effects from the shard's thread. {@link #onEffect}, {@link
 * #later} and {@link #handOver} belong to the shard's thread; all else to the loop, which may be
 * the same thread.
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
    /** Runs a task of this connection's: a fault in it ends the connection and nothing else. */
    void perform(Runnable task);

    /** Hears one effect for a link of its own; a fault is this connection's alone. */
    void onEffect(Target link, Effect effect, @Nullable Bodies bodies);

    /** A read burst or a run of effects is over: hand over, write. */
    void endBurst();

    /** Something of it has failed: it ends. */
    void fail(Throwable fault);

    /**
     * Notes whether it is on the list of those that have to write.
     *
     * @return whether that is news
     */
    boolean markDirty(boolean isDirty);
  }

  /** A link of such a connection. */
  @EventLoopThread
  public interface Target {
    Member host();

    /** The shard tells something; the bodies are to be released here. */
    void onEffect(Effect effect, @Nullable Bodies bodies);

    /** Hands over what the read burst has gathered, bodies in the arena among it. */
    void submitGathered();
  }

  /** An effect on its way between threads. */
  private record PendingEffect(
      Member connection, Target link, Effect effect, @Nullable Bodies bodies) {}

  public EventLoopContext(EventExecutor loop, BodyArena arena, LockTokens tokens) {
    this.loop = loop;
    this.arena = arena;
    this.tokens = tokens;
  }

  /** Something is told to a link of a connection; on the shard's thread. */
  void onEffect(Member connection, Target link, Effect effect, @Nullable Bodies bodies) {
    if (loop.inEventLoop()) {
      handle(connection, link, effect, bodies);
    } else {
      inbox.add(new PendingEffect(connection, link, effect, bodies));
    }
  }

  /** Ends a run of tells: everything told goes over at once, every connection writes once. */
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

  /** Nobody will hear this: its connection ends, if it can still be reached. */
  private void lose(PendingEffect lost, Throwable fault) {
    if (lost.bodies() != null) {
      lost.bodies().drop();
    }
    execute(lost.connection(), () -> lost.connection().fail(fault));
  }

  /** Runs something behind what was told before it; from the shard's thread. */
  public void later(Member connection, Runnable task) {
    handOver();
    execute(connection, task);
  }

  /** Runs something on the loop and flushes the connection behind it. */
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

  /** The arena with a run of this link's open; another one's is handed over first. */
  @SuppressWarnings("ReferenceEquality") // a link is itself
  public BodyArena openFor(Target link) {
    if (arenaUser != link) {
      closeArena();
      arena.begin();
      arenaUser = link;
    }
    return arena;
  }

  /** Stages bodies for a request that is made at once: all of them, or none when it throws. */
  public StagedBodies stageAtOnce(Consumer<BodyArena> bodies) {
    closeArena();
    arena.begin();
    try {
      bodies.accept(arena);
      return arena.end();
    } finally {
      arena.drop(); // nothing is open after an end
    }
  }

  /**
   * Lays a body where those of sends are laid, and takes it back: throws where a send could not be
   * taken.
   */
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

  /** Ends the run of a link. */
  @SuppressWarnings("ReferenceEquality") // a link is itself
  public StagedBodies end(Target link) {
    Invariant.check(arenaUser == link, "a link ends its own run");
    var staged = arena.end();
    arenaUser = null;
    return staged;
  }

  /** Takes back what a link has staged, if anything. */
  @SuppressWarnings("ReferenceEquality") // a link is itself
  public void drop(Target link) {
    if (arenaUser == link) {
      arenaUser = null;
      arena.drop();
    }
  }

  /**
   * No run is open behind this, whatever its user did: what that has gathered is handed over, and a
   * fault in doing so is the user's alone, not that of whoever comes now.
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

  /** Somebody has written: unless others follow at once, what they would share is let go. */
  public void written() {
    if (!flushing) {
      writer.block.forget();
    }
  }
}
