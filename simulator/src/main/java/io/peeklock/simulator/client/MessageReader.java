package io.peeklock.simulator.client;

import io.peeklock.kernel.effect.MessageBurst;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.LargeBody;
import io.peeklock.simulator.history.SeenMessage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Messages that the broker hands out, while they are read; large ones come in a piece later. */
final class MessageReader {
  private static final int PIECE_BYTES = 4_096;

  private final MessageBurst burst;
  private final byte[] @Nullable [] beginnings;
  private final byte[] @Nullable [] overlays;
  private final LockIds locks;
  private final Consumer<@Nullable List<SeenMessage>> whenRead;
  private int missing;
  private boolean failed;

  private MessageReader(
      MessageBurst burst, LockIds locks, Consumer<@Nullable List<SeenMessage>> whenRead) {
    this.burst = burst;
    this.beginnings = new byte[burst.count()][];
    this.overlays = new byte[burst.count()][];
    this.locks = locks;
    this.whenRead = whenRead;
  }

  /**
   * Reads messages, and gives their bodies back.
   *
   * @param bodies null when there is no message
   * @param whenRead told at once or later; null when one of them could not be read
   */
  static void read(
      MessageBurst burst,
      @Nullable Bodies bodies,
      LockIds locks,
      Executor reader,
      Consumer<@Nullable List<SeenMessage>> whenRead) {
    var reading = new MessageReader(burst, locks, whenRead);
    if (bodies != null) {
      reading.take(bodies, reader);
    } else {
      whenRead.accept(List.of());
    }
  }

  private void take(Bodies bodies, Executor reader) {
    var overlayAt = burst.count();
    missing = 1;
    for (var i = 0; i < burst.count(); i++) {
      var large = bodies.large(i);
      if (large == null) {
        beginnings[i] = bytes(bodies, i);
      } else {
        missing++;
        var count = (int) Math.min(PIECE_BYTES, large.length());
        large.read(0, count, reader, new Piece(i, large));
      }
      var ids = burst.overlayIds();
      if (ids != null && ids[i] != 0) {
        overlays[i] = bytes(bodies, overlayAt++);
      }
    }
    bodies.release();
    arrived();
  }

  private static byte[] bytes(Bodies bodies, int i) {
    var bytes = new byte[bodies.length(i)];
    bodies.buffer(i).get(bodies.offset(i), bytes);
    return bytes;
  }

  private void arrived() {
    missing--;
    if (missing == 0) {
      whenRead.accept(failed ? null : seen());
    }
  }

  private final class Piece implements LargeBody.PieceListener {
    private final int at;
    private final LargeBody body;

    Piece(int at, LargeBody body) {
      this.at = at;
      this.body = body;
    }

    @Override
    public void piece(ByteBuffer bytes) {
      var beginning = new byte[bytes.remaining()];
      bytes.get(beginning);
      beginnings[at] = beginning;
      body.release();
      arrived();
    }

    @Override
    public void failed(Throwable cause) {
      failed = true;
      body.release();
      arrived();
    }
  }

  private List<SeenMessage> seen() {
    var seen = new ArrayList<SeenMessage>();
    for (var i = 0; i < burst.count(); i++) {
      seen.add(seen(i));
    }
    return List.copyOf(seen);
  }

  private SeenMessage seen(int i) {
    var message = SimMessage.parse(Objects.requireNonNull(beginnings[i]));
    var causes = burst.causes();
    var cause = causes == null ? DeadLetterCause.NONE : causes[i];
    var properties = message.seen(SimMessageFormat.changes(overlays[i], cause));
    properties.remove(SimMessageFormat.DESCRIPTION);
    var sources = burst.deadLetterSources();
    var lockIds = burst.lockIds();
    return new SeenMessage(
        message.tag(),
        message.messageId(),
        message.sessionId(),
        burst.sequenceNumbers()[i],
        SeenMessage.State.valueOf(burst.states()[i].name()),
        burst.deliveryCounts()[i],
        burst.enqueuedAtMillis()[i],
        burst.expiresAtMillis()[i],
        properties,
        sources == null ? null : sources[i],
        lockIds == null ? 0 : locks.name(lockIds[i]),
        burst.lockedUntilMillis());
  }

  /** Bytes that were under way with them. */
  static long bytes(MessageBurst burst) {
    return Arrays.stream(burst.sizes()).asLongStream().sum();
  }
}
