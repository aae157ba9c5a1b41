package io.peeklock.runtime;

import io.peeklock.kernel.CopySource;
import io.peeklock.kernel.DeadLetterCause;
import io.peeklock.kernel.Effect;
import io.peeklock.kernel.queue.Machine;
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
 * in a topic or are forwarded, while the shard goes on. One read at a time. The home's.
 */
final class MessageReads implements Machine.ReadBodies, Journal.LoadListener {
  private static final Logger LOG = LoggerFactory.getLogger(MessageReads.class);

  /** What the rules look at lies within the first so many bytes of a stored message. */
  private static final int BEGINNING_BYTES = 192 << 10;

  private final Journal journal;
  private final MessageFormat format;
  private final Runnable wantStep;
  private final Endpoint reader;
  private final Map<Long, byte[]> read = new HashMap<>();
  private final Set<Long> lost = new HashSet<>();
  private long[] wanted = {};
  private int unread;
  private boolean over;

  MessageReads(Journal journal, Home home, MessageFormat format, Runnable wantStep) {
    this.journal = journal;
    this.format = format;
    this.wantStep = wantStep;
    this.reader = new HomeReader(home);
  }

  /** What was read; null while reading. */
  Machine.@Nullable ReadBodies bodies() {
    return isReading() ? null : this;
  }

  boolean isReading() {
    return unread > 0;
  }

  /** Forgets what was read. */
  void clear() {
    if (!isReading()) {
      read.clear();
    }
  }

  /** Nothing of it is wanted any more: another term has begun. */
  void abandon() {
    over = true;
  }

  /** Reads bodies and changed properties; 0 among the ids stands for none. */
  void read(long[] ids) {
    read.clear();
    wanted = Arrays.stream(ids).filter(id -> id != 0).distinct().toArray();
    unread = wanted.length;
    var ready = journal.fetch(wanted, this);
    if (ready != null) {
      loaded(ready);
    }
  }

  @Override
  public @Nullable CopySource source(long bodyId, long overlayId, DeadLetterCause cause) {
    var beginning = read.get(bodyId);
    var overlay = overlayId == 0 ? null : read.get(overlayId);
    return beginning == null || (overlayId != 0 && overlay == null)
        ? null
        : format.source(beginning, overlay, cause);
  }

  @Override
  public boolean isLost(long bodyId) {
    return lost.contains(bodyId);
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
        "Body {} of a message that is to move by itself cannot be read; what is scheduled in its"
            + " topic, or forwarded by its queue, waits until a restart: {}",
        bodyId,
        cause.getMessage());
    lost.add(bodyId);
    unread = 0; // nothing of that read is told
    goOn();
  }

  private void took(long bodyId, byte[] beginning) {
    read.put(bodyId, beginning);
    unread--;
    if (unread == 0) {
      goOn();
    }
  }

  private void goOn() {
    if (!over) {
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
      if (unread > 0) {
        took(bodyId, beginning);
      }
    }

    @Override
    public void failed(Throwable cause) {
      body.release();
      if (unread > 0) {
        unreadable(bodyId, new IOException(cause));
      }
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
