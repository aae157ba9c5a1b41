package io.peeklock.runtime;

import io.peeklock.kernel.decide.FetchedBodies;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.request.MessageView;
import io.peeklock.runtime.thread.ShardThread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads messages that the rules must look at before they move by themselves, because they are due
 * in a topic or are forwarded, while the shard goes on. One round of reads at a time. What was read
 * is kept until a decision was made with it: a decision may need several messages, and which ones
 * may change from round to round, so that each round adds to what is there.
 */
@ShardThread
final class MessageReads implements FetchedBodies {
  private static final Logger LOG = LoggerFactory.getLogger(MessageReads.class);

  /** What the rules look at lies within the first so many bytes of a stored message. */
  private static final int BEGINNING_BYTES = 192 << 10;

  /** Of so many bodies that cannot be read it is known how often that was tried. */
  private static final int MOST_FAILED = 1_000;

  /** Once may be for want of memory, say. */
  private static final int TRIES = 2;

  private final BodyStorage storage;
  private final MessageFormat format;
  private final Runnable wantStep;
  private final StageWatch watch;
  private final Endpoint reader;
  private final Map<Long, byte[]> read = new HashMap<>();
  private final Set<Long> lost = new HashSet<>();
  private final Map<Long, Integer> failures = new HashMap<>();
  private @Nullable Round round;
  private boolean over;

  /**
   * Nothing is wanted yet.
   *
   * @param watch told when a decision waits for a read, and when it was made
   * @param wantStep called when all that was wanted is there, or something cannot be had
   */
  MessageReads(
      BodyStorage storage,
      ShardExecutor shardExecutor,
      MessageFormat format,
      StageWatch watch,
      Runnable wantStep) {
    this.storage = storage;
    this.format = format;
    this.watch = watch;
    this.wantStep = wantStep;
    this.reader = new ShardReader(shardExecutor);
  }

  /** What was read; null while reading. */
  @Nullable FetchedBodies bodies() {
    return isReading() ? null : this;
  }

  boolean isReading() {
    return round != null;
  }

  /** Forgets what was read, and what could not be: a decision was made, or nothing is wanted. */
  void clear() {
    if (!isReading()) {
      read.clear();
      lost.clear();
      watch.goesOn();
    }
  }

  /** Nothing of it is wanted any more: another term has begun. */
  void abandon() {
    over = true;
    watch.goesOn();
  }

  /**
   * Wants bodies and changed properties beside those that are there; {@link #begin} asks for them.
   * 0 among the ids stands for none.
   */
  void want(long[] ids) {
    var missing =
        Arrays.stream(ids).filter(id -> id != 0 && !read.containsKey(id)).distinct().toArray();
    watch.waits();
    if (missing.length == 0) {
      // Asked for again although it is there: it would be asked for without end.
      for (var id : ids) {
        if (id != 0 && lost.add(id)) {
          failed(id, new IOException("it was read and cannot be understood"));
        }
      }
      wantStep.run();
      return;
    }
    round = new Round(missing);
  }

  /**
   * Asks for what is wanted, if it was not yet. To be called when all that was decided is appended:
   * a message may have to move on in the step that stores it, and a journal does not know it
   * before.
   */
  void begin() {
    var wanted = round;
    if (wanted != null && !wanted.begun) {
      wanted.begin();
    }
  }

  @Override
  public @Nullable MessageView source(long bodyId, long overlayId, DeadLetterCause cause) {
    var beginning = read.get(bodyId);
    var overlay = overlayId == 0 ? null : read.get(overlayId);
    var source =
        beginning == null || (overlayId != 0 && overlay == null)
            ? null
            : format.source(beginning, overlay, cause);
    if (source != null && !failures.isEmpty()) {
      failures.remove(bodyId);
      failures.remove(overlayId);
    }
    return source;
  }

  @Override
  public boolean isEmpty() {
    return read.isEmpty() && lost.isEmpty();
  }

  @Override
  public boolean isLost(long bodyId) {
    return lost.contains(bodyId);
  }

  /** More than are counted are given up at once. */
  @Override
  public boolean isGivenUp(long bodyId) {
    return lost.contains(bodyId) && failures.getOrDefault(bodyId, TRIES) >= TRIES;
  }

  /** Counts a try that failed, and tells of the first and of the one after which it is given up. */
  private void failed(long bodyId, IOException cause) {
    if (failures.size() >= MOST_FAILED && !failures.containsKey(bodyId)) {
      return;
    }
    var tries = failures.merge(bodyId, 1, Integer::sum);
    if (tries == 1) {
      LOG.error(
          "Body {} of a message that is to move by itself cannot be read; what is scheduled in its"
              + " topic, or forwarded by its queue, waits, and it is tried again now and then: {}",
          bodyId,
          cause.getMessage());
    } else if (tries == TRIES) {
      LOG.error(
          "Body {} still cannot be read. If its message waits in a topic for its copies, it is"
              + " moved to the topic's transfer dead-letter queue; else it goes on waiting: {}",
          bodyId,
          cause.getMessage());
    }
  }

  /** Bodies that are read together. What comes of a round that is over is not heard. */
  private final class Round implements BodyStorage.LoadListener {
    private final long[] wanted;
    private int unread;
    private boolean begun;

    Round(long[] wanted) {
      this.wanted = wanted;
      this.unread = wanted.length;
    }

    void begin() {
      begun = true;
      try {
        var ready = storage.fetch(wanted, this);
        if (ready != null) {
          loaded(ready);
        }
      } catch (RuntimeException | Error broken) {
        unreadable(wanted[0], new IOException(broken));
      }
    }

    @Override
    public void loaded(Bodies bodies) {
      for (var i = 0; i < wanted.length; i++) {
        try {
          take(bodies, i);
        } catch (RuntimeException | Error broken) {
          // Whatever it was, whoever waits for this body must not wait for ever.
          unreadable(wanted[i], new IOException(broken));
        }
      }
      bodies.release();
    }

    private void take(Bodies bodies, int i) {
      var large = bodies.large(i);
      if (!isOn()) {
        if (large != null) {
          large.release();
        }
      } else if (large != null) {
        large.read(0, BEGINNING_BYTES, reader, new Beginning(this, wanted[i], large));
      } else {
        var bytes = new byte[Math.min(bodies.length(i), BEGINNING_BYTES)];
        bodies.buffer(i).get(bodies.offset(i), bytes);
        took(wanted[i], bytes);
      }
    }

    @Override
    public void unreadable(long bodyId, IOException cause) {
      if (isOn()) {
        failed(bodyId, cause);
        lost.add(bodyId);
        end();
      }
    }

    void took(long bodyId, byte[] beginning) {
      if (isOn()) {
        read.put(bodyId, beginning);
        unread--;
        if (unread == 0) {
          end();
        }
      }
    }

    private boolean isOn() {
      return round == this;
    }

    private void end() {
      round = null;
      if (!over) {
        wantStep.run();
      }
    }
  }

  /** The first bytes of a large body. */
  private static final class Beginning implements LargeBody.PieceListener {
    private final Round round;
    private final long bodyId;
    private final LargeBody body;

    Beginning(Round round, long bodyId, LargeBody body) {
      this.round = round;
      this.bodyId = bodyId;
      this.body = body;
    }

    @Override
    public void piece(ByteBuffer bytes) {
      try {
        var beginning = new byte[bytes.remaining()];
        bytes.get(beginning);
        round.took(bodyId, beginning);
      } catch (Error broken) {
        round.unreadable(bodyId, new IOException(broken));
      } finally {
        body.release();
      }
    }

    @Override
    public void failed(Throwable cause) {
      body.release();
      round.unreadable(bodyId, new IOException(cause));
    }
  }

  /** Is told nothing but pieces of bodies. */
  private static final class ShardReader extends Endpoint {
    private final ShardExecutor shardExecutor;

    ShardReader(ShardExecutor shardExecutor) {
      this.shardExecutor = shardExecutor;
    }

    @Override
    public void onEffect(Effect effect, @Nullable Bodies bodies) {
      throw new IllegalStateException("nothing was asked for");
    }

    @Override
    public void flush() {
      // Nothing is told that could be kept back.
    }

    @Override
    public void resume() {
      // Nothing is read here that could go on.
    }

    @Override
    public void unreadable(String reason) {
      throw new IllegalStateException("nothing was asked for");
    }

    @Override
    public void execute(Runnable task) {
      shardExecutor.execute(task);
    }
  }
}
