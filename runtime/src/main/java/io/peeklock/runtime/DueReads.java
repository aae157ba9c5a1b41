package io.peeklock.runtime;

import io.peeklock.kernel.CopySource;
import io.peeklock.kernel.Effect;
import io.peeklock.kernel.queue.Machine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads messages that are due in a topic, whose filters want to see them, while the shard goes on.
 * One read at a time. The home's.
 */
final class DueReads implements Machine.DueBodies, Journal.LoadListener {
  private static final Logger LOG = LoggerFactory.getLogger(DueReads.class);

  /** What filters look at lies within the first so many bytes of a stored message. */
  private static final int BEGINNING_BYTES = 192 << 10;

  private final Journal journal;
  private final MessageFormat format;
  private final Runnable wantStep;
  private final Endpoint reader;
  private final Map<Long, CopySource> sources = new HashMap<>();
  private long[] wanted = {};
  private int unread;
  private boolean over;

  DueReads(Journal journal, Home home, MessageFormat format, Runnable wantStep) {
    this.journal = journal;
    this.format = format;
    this.wantStep = wantStep;
    this.reader = new HomeReader(home);
  }

  /** What was read; null while reading. */
  Machine.@Nullable DueBodies bodies() {
    return isReading() ? null : this;
  }

  boolean isReading() {
    return unread > 0;
  }

  /** Forgets what was read. */
  void clear() {
    if (!isReading()) {
      sources.clear();
    }
  }

  /** Nothing of it is wanted any more: another term has begun. */
  void abandon() {
    over = true;
  }

  void read(long[] bodyIds) {
    sources.clear();
    wanted = bodyIds;
    unread = bodyIds.length;
    var ready = journal.fetch(bodyIds, this);
    if (ready != null) {
      loaded(ready);
    }
  }

  @Override
  public @Nullable CopySource source(long bodyId) {
    return sources.get(bodyId);
  }

  @Override
  public void loaded(Bodies bodies) {
    for (var i = 0; i < wanted.length; i++) {
      var large = bodies.large(i);
      if (large == null) {
        var bytes = new byte[Math.min(bodies.length(i), BEGINNING_BYTES)];
        bodies.buffer(i).get(bodies.offset(i), bytes);
        took(wanted[i], bytes);
      } else {
        large.read(0, BEGINNING_BYTES, reader, new Beginning(wanted[i], large));
      }
    }
    bodies.release();
  }

  @Override
  public void unreadable(long bodyId, IOException cause) {
    LOG.error(
        "Body {} of a scheduled message cannot be read; scheduled messages of topics with filters"
            + " wait until a restart: {}",
        bodyId,
        cause.getMessage());
  }

  private void took(long bodyId, byte[] beginning) {
    sources.put(bodyId, format.source(beginning));
    unread--;
    if (unread == 0 && !over) {
      wantStep.run();
    }
  }

  /** The first bytes of a large body. */
  private final class Beginning implements LargeBody.PieceListener {
    private final long bodyId;
    private final LargeBody body;

    Beginning(long bodyId, LargeBody body) {
      this.bodyId = bodyId;
      this.body = body;
    }

    @Override
    public void piece(ByteBuffer bytes) {
      var beginning = new byte[bytes.remaining()];
      bytes.get(beginning);
      body.release();
      took(bodyId, beginning);
    }

    @Override
    public void failed(Throwable cause) {
      body.release();
      unreadable(bodyId, new IOException(cause));
    }
  }

  /** Is told nothing but pieces of bodies. */
  private static final class HomeReader extends Endpoint {
    private final Home home;

    HomeReader(Home home) {
      this.home = home;
    }

    @Override
    public void tell(Effect effect, @Nullable Bodies bodies) {
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
      home.execute(task);
    }
  }
}
