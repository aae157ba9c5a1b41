package io.peeklock.amqp.message;

import io.netty.buffer.ByteBuf;
import io.peeklock.kernel.effect.MessageBurst;
import io.peeklock.kernel.request.DeliveryPortion;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.Request;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.LargeBody;
import io.peeklock.runtime.Submission;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Messages that the shard has given to a link, and how far they have gone out. */
public final class PendingBurst {
  private static final int MOST_BEFORE_BODY = 128 << 10; // as of a large message

  public final MessageBurst messages;
  private final Bodies bodies;
  private final byte @Nullable [] tags;
  private int next;
  private int end;
  private int nextOverlay;
  private int largesFrom;

  PendingBurst(MessageBurst messages, Bodies bodies, LockTokens tokens) {
    this.messages = messages;
    this.bodies = bodies;
    this.end = messages.count();
    this.nextOverlay = messages.count();
    this.tags = messages.lockIds() == null ? null : tokens.mint(messages.lockIds());
  }

  /** The same; when it throws, the bodies are released. */
  public static PendingBurst of(MessageBurst messages, Bodies bodies, LockTokens tokens) {
    try {
      return new PendingBurst(messages, bodies, tokens);
    } catch (RuntimeException | Error fault) {
      bodies.release();
      throw fault;
    }
  }

  /** The message whose turn it is. */
  public int next() {
    return next;
  }

  public boolean isDone() {
    return next >= end;
  }

  public int left() {
    return end - next;
  }

  /** The message went out. */
  public void advance() {
    if (overlayId(next) != 0) {
      nextOverlay++;
    }
    next++;
  }

  /** Takes back the last messages, at most so many; how many it were. */
  public int cut(int most) {
    var cut = Math.min(most, left());
    end -= cut;
    return cut;
  }

  /** First message behind those that are left. */
  public int end() {
    return end;
  }

  public long bytes(int from, int to) {
    var sum = 0L;
    for (var i = from; i < to; i++) {
      sum += messages.sizes()[i];
    }
    return sum;
  }

  /** Of the next message. */
  public int bytes() {
    return messages.sizes()[next];
  }

  /** What of the next message counts until it has left: of a large one what passes at a time. */
  public int countedBytes() {
    return (int) Math.min(bytes(), DeliveryPortion.LARGE_BYTES);
  }

  /** Tells the shard that what of the next message does not count is as if it had left. */
  public void tellUncounted(Origin receiver, Consumer<Submission> shard) {
    if (bytes() > countedBytes()) {
      shard.accept(Submission.of(new Request.Transferred(receiver, bytes() - countedBytes())));
    }
  }

  public long[] locks(int from, int to) {
    return messages.lockIds() == null
        ? new long[0]
        : Arrays.copyOfRange(messages.lockIds(), from, to);
  }

  public long lockId() {
    return messages.lockIds() == null ? 0 : messages.lockIds()[next];
  }

  public byte @Nullable [] tags() {
    return tags;
  }

  public Bodies bodies() {
    return bodies;
  }

  private long overlayId(int i) {
    var ids = messages.overlayIds();
    return ids == null ? 0 : ids[i];
  }

  /** A copy of all that is before the body of the next message, and more. */
  public byte[] beginning() {
    var bytes = new byte[Math.min(bodies.length(next), MOST_BEFORE_BODY)];
    bodies.buffer(next).duplicate().get(bodies.offset(next), bytes);
    return bytes;
  }

  /** Writes the next message. */
  public void write(ByteBuf out, DeliveryWriter writer) {
    var stored = writer.block.of(bodies.buffer(next));
    write(out, writer, stored, bodies.offset(next), bodies.length(next));
  }

  /** Writes the next message, or the beginning of a large one. */
  public void write(ByteBuf out, DeliveryWriter writer, ByteBuf stored, int offset, int length) {
    writer.write(out, messages, next, stored, offset, length, overlay(writer), tags);
  }

  private DeliveryWriter.@Nullable OverlayBytes overlay(DeliveryWriter writer) {
    if (overlayId(next) == 0) {
      return null;
    }
    var buffer = writer.block.of(bodies.buffer(nextOverlay));
    return new DeliveryWriter.OverlayBytes(
        buffer, bodies.offset(nextOverlay), bodies.length(nextOverlay));
  }

  /** The next message as a large one, the caller's to release from here on; null for a small. */
  public @Nullable LargeBody takeLarge() {
    var large = bodies.large(next);
    if (large != null) {
      largesFrom = next + 1;
    }
    return large;
  }

  /** Gives the pins back, those of large bodies that nobody took included. */
  public void release() {
    bodies.release();
    for (var i = largesFrom; i < messages.count(); i++) {
      var large = bodies.large(i);
      if (large != null) {
        large.release();
      }
    }
  }
}
