package io.peeklock.amqp.message;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.codec.AmqpReader;
import io.peeklock.amqp.engine.codec.AmqpWriter;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.FormatCode;
import io.peeklock.kernel.effect.MessageBurst;
import io.peeklock.kernel.entity.MessageState;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.fact.DeadLetterCause;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes a stored message as clients get it (amqp.md 4.3): header and message annotations are made
 * here, everything else is copied from the stored bytes, in one go unless the message expires, has
 * changed properties, or died by a rule of the broker's. One for each event loop.
 */
public final class DeliveryWriter {
  private static final long LONGEST_TTL = 0xffff_ffffL;
  private static final int ABSOLUTE_EXPIRY = 8;
  private static final String LOCK_TOKEN = "x-opt-lock-token";

  private final AmqpReader reader = new AmqpReader();
  private final AnnotationTemplate peeked = new AnnotationTemplate(false);
  private final AnnotationTemplate locked = new AnnotationTemplate(true);
  private final PropertyMerge merge = new PropertyMerge();

  /** Where the last message lay that was written. */
  public final WrappedBlock block = new WrappedBlock();

  private boolean durable;
  private int priority;
  private boolean firstAcquirer;
  private int keptAt;
  private int keptBytes;
  private int keptCount;
  private int restAt;

  /** Changed properties, or none. */
  record OverlayBytes(ByteBuf buffer, int offset, int length) {}

  /**
   * Writes one message.
   *
   * @param stored holds the stored message, from an absolute index; of a large one at least what is
   *     before the body
   * @param token the lock token, for deferred messages that are received by number; else null
   */
  void write(
      ByteBuf out,
      MessageBurst burst,
      int i,
      ByteBuf stored,
      int offset,
      int length,
      @Nullable OverlayBytes overlay,
      @Nullable UUID token) {
    if (overlay != null && isHead(overlay)) {
      writeHead(out, burst, i, overlay, null, token);
      var body = bodyOf(stored, offset, length);
      out.writeBytes(stored, body, offset + length - body);
    } else {
      writeHead(out, burst, i, new OverlayBytes(stored, offset, length), overlay, token);
    }
  }

  /** Whether changed properties come as all that is before the body, not as a map. */
  static boolean isHead(OverlayBytes overlay) {
    return overlay.length() > 0 && overlay.buffer().getByte(overlay.offset()) == 0;
  }

  /** Where the body of a stored message begins. */
  private int bodyOf(ByteBuf stored, int offset, int length) {
    var at = offset;
    var end = offset + length;
    while (isSection(stored, at, end, Descriptor.HEADER)
        || isSection(stored, at, end, Descriptor.MESSAGE_ANNOTATIONS)
        || isSection(stored, at, end, Descriptor.PROPERTIES)
        || isSection(stored, at, end, Descriptor.APPLICATION_PROPERTIES)) {
      reader.reset(stored, at + 3, end - at - 3);
      reader.skip();
      at = reader.position();
    }
    return at;
  }

  /** Writes a message, or what it has of its own. */
  private void writeHead(
      ByteBuf out,
      MessageBurst burst,
      int i,
      OverlayBytes message,
      @Nullable OverlayBytes overlay,
      @Nullable UUID token) {
    var stored = message.buffer();
    var offset = message.offset();
    var length = message.length();
    readHead(stored, offset, length);
    writeHeader(out, burst, i);
    if (token != null) {
      writeToken(out, token);
    }
    writeAnnotations(out, burst, i, stored);
    var cause = burst.causes() == null ? DeadLetterCause.NONE : burst.causes()[i];
    var rest = restAt;
    var end = offset + length;
    if (burst.expiresAtMillis()[i] != QueueDefinition.FOREVER) {
      rest = writeProperties(out, stored, rest, end, burst.expiresAtMillis()[i]);
    }
    if (overlay != null || DeadLetterTexts.hasTexts(cause)) {
      rest = rest == restAt ? copyProperties(out, stored, rest, end) : rest;
      rest = merge.write(out, stored, rest, end, overlay, cause);
    }
    out.writeBytes(stored, rest, end - rest);
  }

  /** Reads the stored header and finds the kept annotations. */
  private void readHead(ByteBuf stored, int offset, int length) {
    durable = true;
    priority = -1;
    firstAcquirer = false;
    keptCount = 0;
    keptBytes = 0;
    restAt = offset;
    var end = offset + length;
    if (isSection(stored, restAt, end, Descriptor.HEADER)) {
      reader.reset(stored, restAt + 3, end - restAt - 3);
      var fields = reader.enterList();
      var behind = reader.compoundEnd();
      if (fields > 0 && !reader.readNull()) {
        durable = reader.readBoolean();
      }
      if (fields > 1 && !reader.readNull()) {
        priority = reader.readUbyte();
      }
      if (fields > 2) {
        reader.skip();
      }
      if (fields > 3 && !reader.readNull()) {
        firstAcquirer = reader.readBoolean();
      }
      restAt = behind;
    }
    if (isSection(stored, restAt, end, Descriptor.MESSAGE_ANNOTATIONS)) {
      reader.reset(stored, restAt + 3, end - restAt - 3);
      keptCount = reader.enterMap();
      var behind = reader.compoundEnd();
      keptAt = reader.position();
      keptBytes = behind - keptAt;
      restAt = behind;
    }
  }

  static boolean isSection(ByteBuf stored, int at, int end, long code) {
    return at + 3 < end
        && stored.getByte(at) == 0
        && stored.getByte(at + 1) == FormatCode.SMALL_ULONG
        && stored.getUnsignedByte(at + 2) == code;
  }

  private void writeHeader(ByteBuf out, MessageBurst burst, int i) {
    out.writeMedium((int) (FormatCode.SMALL_ULONG << 8 | Descriptor.HEADER));
    out.writeByte(FormatCode.LIST8);
    var sizeAt = out.writerIndex();
    out.writeShort(5);
    AmqpWriter.writeBoolean(out, durable);
    if (priority < 0) {
      AmqpWriter.writeNull(out);
    } else {
      AmqpWriter.writeUbyte(out, priority);
    }
    var expires = burst.expiresAtMillis()[i];
    if (expires == QueueDefinition.FOREVER) {
      AmqpWriter.writeNull(out);
    } else {
      var ttl = Math.clamp(expires - burst.enqueuedAtMillis()[i], 0, LONGEST_TTL);
      AmqpWriter.writeUint(out, (int) ttl);
    }
    AmqpWriter.writeBoolean(out, firstAcquirer);
    AmqpWriter.writeUint(out, burst.deliveryCounts()[i]); // also when it is 0 (T-35)
    out.setByte(sizeAt, out.writerIndex() - sizeAt - 1);
  }

  private static void writeToken(ByteBuf out, UUID token) {
    out.writeMedium((int) (FormatCode.SMALL_ULONG << 8 | Descriptor.DELIVERY_ANNOTATIONS));
    var map = AmqpWriter.beginMap(out);
    AmqpWriter.writeSymbol(out, LOCK_TOKEN);
    AmqpWriter.writeUuid(out, token);
    AmqpWriter.endMap(out, map, 2);
  }

  private void writeAnnotations(ByteBuf out, MessageBurst burst, int i, ByteBuf stored) {
    var template = burst.lockIds() == null ? peeked : locked;
    var sources = burst.deadLetterSources();
    var source = sources == null ? null : sources[i];
    if (source == null) {
      template.write(out, burst, i, keptCount, keptBytes);
    } else {
      var entry = deadLetterSource(source);
      template.write(out, burst, i, keptCount + 2, keptBytes + entry.length);
      out.writeBytes(entry);
    }
    if (keptBytes > 0) {
      out.writeBytes(stored, keptAt, keptBytes);
    }
  }

  /** S-197. */
  private static byte[] deadLetterSource(String path) {
    var out = Unpooled.buffer(64);
    AmqpWriter.writeSymbol(out, "x-opt-deadletter-source");
    AmqpWriter.writeString(out, path);
    var entry = new byte[out.readableBytes()];
    out.readBytes(entry);
    return entry;
  }

  /** Copies the properties section; what is behind it. */
  private int copyProperties(ByteBuf out, ByteBuf stored, int at, int end) {
    if (!isSection(stored, at, end, Descriptor.PROPERTIES)) {
      return at;
    }
    reader.reset(stored, at + 3, end - at - 3);
    reader.skip();
    out.writeBytes(stored, at, reader.position() - at);
    return reader.position();
  }

  /** Writes the properties with the time of expiry in its place; what is behind them. */
  private int writeProperties(ByteBuf out, ByteBuf stored, int at, int end, long expiresAt) {
    if (!isSection(stored, at, end, Descriptor.PROPERTIES)) {
      return at;
    }
    reader.reset(stored, at + 3, end - at - 3);
    var count = reader.enterList();
    var behind = reader.compoundEnd();
    var fields = reader.position();
    out.writeMedium((int) (FormatCode.SMALL_ULONG << 8 | Descriptor.PROPERTIES));
    var list = AmqpWriter.beginList(out);
    for (var field = 0; field < Math.min(count, ABSOLUTE_EXPIRY); field++) {
      reader.skip();
    }
    out.writeBytes(stored, fields, reader.position() - fields);
    for (var field = count; field < ABSOLUTE_EXPIRY; field++) {
      AmqpWriter.writeNull(out);
    }
    AmqpWriter.writeTimestamp(out, expiresAt);
    if (count > ABSOLUTE_EXPIRY) {
      reader.skip();
      out.writeBytes(stored, reader.position(), behind - reader.position());
    }
    AmqpWriter.endList(out, list, Math.max(count, ABSOLUTE_EXPIRY + 1));
    return behind;
  }

  /**
   * The annotations of every message, laid out once: only numbers are filled in (amqp.md 4.3, exact
   * types).
   */
  private static final class AnnotationTemplate {
    private final byte[] entries;
    private final int enqueuedAt;
    private final int numberAt;
    private final int enqueuedNumberAt;
    private final int stateAt;
    private final int lockedUntilAt;
    private final int count;

    AnnotationTemplate(boolean withLock) {
      var out = Unpooled.buffer(256);
      key(out, "x-opt-enqueued-time");
      enqueuedAt = out.writeByte(FormatCode.TIMESTAMP).writerIndex();
      out.writeLong(0);
      key(out, "x-opt-sequence-number");
      numberAt = out.writeByte(FormatCode.LONG).writerIndex();
      out.writeLong(0);
      key(out, "x-opt-enqueue-sequence-number");
      enqueuedNumberAt = out.writeByte(FormatCode.LONG).writerIndex();
      out.writeLong(0); // 0 when sent straight to a queue
      key(out, "x-opt-message-state");
      stateAt = out.writeByte(FormatCode.SMALL_INT).writerIndex();
      out.writeByte(0);
      if (withLock) {
        key(out, "x-opt-locked-until");
        out.writeByte(FormatCode.TIMESTAMP);
      }
      lockedUntilAt = withLock ? out.writerIndex() : -1;
      if (withLock) {
        out.writeLong(0);
      }
      count = withLock ? 10 : 8;
      entries = new byte[out.readableBytes()];
      out.readBytes(entries);
    }

    private static void key(ByteBuf out, String name) {
      out.writeByte(FormatCode.SYM8).writeByte(name.length());
      out.writeCharSequence(name, StandardCharsets.US_ASCII);
    }

    void write(ByteBuf out, MessageBurst burst, int i, int keptCount, int keptBytes) {
      out.writeMedium((int) (FormatCode.SMALL_ULONG << 8 | Descriptor.MESSAGE_ANNOTATIONS));
      var bytes = entries.length + keptBytes;
      if (bytes + 1 <= 255 && count + keptCount <= 255) {
        out.writeByte(FormatCode.MAP8).writeByte(bytes + 1).writeByte(count + keptCount);
      } else {
        out.writeByte(FormatCode.MAP32).writeInt(bytes + 4).writeInt(count + keptCount);
      }
      var base = out.writerIndex();
      out.writeBytes(entries);
      out.setLong(base + enqueuedAt, burst.enqueuedAtMillis()[i]);
      out.setLong(base + numberAt, burst.sequenceNumbers()[i]);
      if (burst.enqueuedNumbers() != null) {
        out.setLong(base + enqueuedNumberAt, burst.enqueuedNumbers()[i]);
      }
      if (burst.states()[i] != MessageState.ACTIVE) {
        out.setByte(base + stateAt, burst.states()[i] == MessageState.DEFERRED ? 1 : 2);
      }
      if (lockedUntilAt >= 0) {
        out.setLong(base + lockedUntilAt, burst.lockedUntilMillis());
      }
    }
  }
}
