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
 * Reads messages that a topic or a forward needs for its decision, while the shard keeps working.
 * There is one round of reads at a time. Bodies are kept until a decision was made with them: a
 * decision may need several messages, and the set may change from round to round, so each round
 * adds to the earlier ones.
 */
@ShardThread
final class MessageReads implements FetchedBodies {
  private static final Logger LOG = LoggerFactory.getLogger(MessageReads.class);

  /** The first bytes of a stored message, which hold everything that rules read. */
  private static final int BEGINNING_BYTES = 192 << 10;

  /** For this many unreadable bodies the number of tries is kept. */
  private static final int MOST_FAILED = 1_000;

  /** A first failure may be a lack of memory. */
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
   * @param watch notices how long a decision waits for a read
   * @param wantStep called when all wanted bodies are read, or some cannot be
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

  /** The bodies read so far; null while reading. */
  @Nullable FetchedBodies bodies() {
    return isReading() ? null : this;
  }

  boolean isReading() {
    return round != null;
  }

  /** Forgets all results, after a decision was made or when nothing is wanted. */
  void clear() {
    if (!isReading()) {
      read.clear();
      lost.clear();
      watch.goesOn();
    }
  }

  /** Drops everything wanted, as another term has begun. */
  void abandon() {
    over = true;
    watch.goesOn();
  }

  /**
   * Adds bodies and changed properties to read; {@link #begin} starts the reads. An id of 0 means
   * none.
   */
  void want(long[] ids) {
    var missing =
        Arrays.stream(ids).filter(id -> id != 0 && !read.containsKey(id)).distinct().toArray();
    watch.waits();
    if (missing.length == 0) {
      // An id that is read already would be asked for without end.
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
   * Starts the wanted reads. Called after all decisions are appended: a message may have to move in
   * the step that stores it, and the journal does not know it before.
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

  /** Bodies beyond those that are counted are given up at once. */
  @Override
  public boolean isGivenUp(long bodyId) {
    return lost.contains(bodyId) && failures.getOrDefault(bodyId, TRIES) >= TRIES;
  }

  /** Counts a failed try, and logs the first and the last before the body is given up. */
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

  /** Bodies that are read together. Results of an ended round are ignored. */
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
          // Any exception counts as unreadable, or the decision would wait for ever.
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

  /** An endpoint that receives only pieces of bodies. */
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
      // Nothing to flush.
    }

    @Override
    public void resume() {
      // Nothing to resume.
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
