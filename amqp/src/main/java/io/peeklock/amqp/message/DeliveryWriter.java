package io.peeklock.amqp.message;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
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
import org.jspecify.annotations.Nullable;

/**
 * Writes a stored message as clients get it (amqp.md 4.3): header and annotations are made here,
 * everything else is copied from the stored bytes, in one go unless the broker sets when the
 * message ends, it has changed properties, or died by a rule of the broker's. One for each event
 * loop.
 */
public final class DeliveryWriter {
  private static final long LONGEST_TTL = 0xffff_ffffL;
  private static final int ABSOLUTE_EXPIRY = 8;
  private static final int CREATION = 9;
  private static final long NO_TIME = Long.MIN_VALUE;
  private static final String SCHEDULED = "x-opt-scheduled-enqueue-time";

  /** In the delivery annotations; only the broker says it. */
  static final String LOCK_TOKEN = "x-opt-lock-token";

  private static final ByteBuf LOCK_TOKEN_BYTES = ascii(LOCK_TOKEN);
  private static final ByteBuf SCHEDULED_BYTES = ascii(SCHEDULED);

  /** Of the key with its constructor and length, and of the value with its constructor. */
  private static final int TOKEN_ENTRY_BYTES = 2 + LOCK_TOKEN.length() + 17;

  private final AmqpReader reader = new AmqpReader();
  private final AnnotationTemplate peeked = new AnnotationTemplate(false);
  private final AnnotationTemplate locked = new AnnotationTemplate(true);
  private final PropertyMerge merge = new PropertyMerge();

  /** Where the last message lay that was written. */
  public final WrappedBlock block = new WrappedBlock();

  private boolean durable;
  private int priority;
  private boolean firstAcquirer;
  private final KeptEntries forDelivery = new KeptEntries();
  private final KeptEntries ofMessage = new KeptEntries();
  private long scheduledAt;
  private int restAt;

  private static ByteBuf ascii(String text) {
    return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
  }

  /** Changed properties, or none. */
  record OverlayBytes(ByteBuf buffer, int offset, int length) {}

  /** Entries of a stored map of annotations. */
  private static final class KeptEntries {
    int at;
    int bytes;
    int count;

    void none() {
      bytes = 0;
      count = 0;
    }

    /** Takes the map that a reader is at; what is behind it. */
    int take(AmqpReader reader) {
      count = reader.enterMap();
      at = reader.position();
      bytes = reader.compoundEnd() - at;
      return reader.compoundEnd();
    }
  }

  /**
   * Writes one message.
   *
   * @param stored holds the stored message, from an absolute index; of a large one at least what is
   *     before the body
   * @param tags of the burst; null without locks
   */
  void write(
      ByteBuf out,
      MessageBurst burst,
      int i,
      ByteBuf stored,
      int offset,
      int length,
      @Nullable OverlayBytes overlay,
      byte @Nullable [] tags) {
    if (overlay != null && isHead(overlay)) {
      writeHead(out, burst, i, overlay, null, tags);
      var body = bodyOf(stored, offset, length);
      out.writeBytes(stored, body, offset + length - body);
    } else {
      writeHead(out, burst, i, new OverlayBytes(stored, offset, length), overlay, tags);
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
        || isSection(stored, at, end, Descriptor.DELIVERY_ANNOTATIONS)
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
      byte @Nullable [] tags) {
    var stored = message.buffer();
    var offset = message.offset();
    var length = message.length();
    readHead(stored, offset, length);
    writeHeader(out, burst, i);
    writeDeliveryAnnotations(out, stored, i, tags);
    writeAnnotations(out, burst, i, stored);
    var cause = burst.causes() == null ? DeadLetterCause.NONE : burst.causes()[i];
    var rest = restAt;
    var end = offset + length;
    if (burst.expiresAtMillis()[i] != QueueDefinition.FOREVER) {
      rest = writeProperties(out, stored, rest, end, burst, i);
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
    forDelivery.none();
    ofMessage.none();
    scheduledAt = NO_TIME;
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
    if (isSection(stored, restAt, end, Descriptor.DELIVERY_ANNOTATIONS)) {
      restAt = forDelivery.take(reader.reset(stored, restAt + 3, end - restAt - 3));
    }
    if (isSection(stored, restAt, end, Descriptor.MESSAGE_ANNOTATIONS)) {
      restAt = ofMessage.take(reader.reset(stored, restAt + 3, end - restAt - 3));
      scheduledAt = scheduledAt(stored);
    }
  }

  /** When the sender wanted it enqueued. */
  private long scheduledAt(ByteBuf stored) {
    reader.reset(stored, ofMessage.at, ofMessage.bytes);
    for (var i = 0; i < ofMessage.count; i += 2) {
      if (!FormatCode.isText(reader.peekCode())) {
        reader.skip();
      } else if (isKey(stored, reader.readContent()) && reader.peekCode() == FormatCode.TIMESTAMP) {
        return reader.readTimestamp();
      }
      reader.skip();
    }
    return NO_TIME;
  }

  /** Whether the text that was read last is the key of scheduled messages. */
  private boolean isKey(ByteBuf stored, int length) {
    return length == SCHEDULED.length()
        && ByteBufUtil.equals(
            stored, reader.contentOffset(), SCHEDULED_BYTES, 0, SCHEDULED.length());
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

  /** Those of the sender, and the token of a lock; an empty map without either. */
  private void writeDeliveryAnnotations(
      ByteBuf out, ByteBuf stored, int i, byte @Nullable [] tags) {
    var bytes = forDelivery.bytes + (tags == null ? 0 : TOKEN_ENTRY_BYTES);
    var count = forDelivery.count + (tags == null ? 0 : 2);
    beginMap(out, Descriptor.DELIVERY_ANNOTATIONS, bytes, count);
    if (tags != null) {
      out.writeByte(FormatCode.SYM8).writeByte(LOCK_TOKEN.length());
      out.writeBytes(LOCK_TOKEN_BYTES, 0, LOCK_TOKEN.length());
      LockTokens.writeUuid(out, tags, i);
    }
    if (forDelivery.bytes > 0) {
      out.writeBytes(stored, forDelivery.at, forDelivery.bytes);
    }
  }

  private static void beginMap(ByteBuf out, long section, int bytes, int count) {
    out.writeMedium((int) (FormatCode.SMALL_ULONG << 8 | section));
    if (bytes + 1 <= 255 && count <= 255) {
      out.writeByte(FormatCode.MAP8).writeByte(bytes + 1).writeByte(count);
    } else {
      out.writeByte(FormatCode.MAP32).writeInt(bytes + 4).writeInt(count);
    }
  }

  private void writeAnnotations(ByteBuf out, MessageBurst burst, int i, ByteBuf stored) {
    var hadLock = burst.lockIds() != null || burst.states()[i] == MessageState.DEFERRED;
    var template = hadLock ? locked : peeked;
    var sources = burst.deadLetterSources();
    var source = sources == null ? null : sources[i];
    var isScheduled = scheduledAt != NO_TIME; // and stays so once it is active, as in the service
    if (source == null) {
      template.write(out, burst, i, ofMessage.count, ofMessage.bytes, isScheduled);
    } else {
      var entry = deadLetterSource(source);
      template.write(
          out, burst, i, ofMessage.count + 2, ofMessage.bytes + entry.length, isScheduled);
      out.writeBytes(entry);
    }
    if (ofMessage.bytes > 0) {
      out.writeBytes(stored, ofMessage.at, ofMessage.bytes);
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

  /**
   * Writes the properties of a message that ends, with both times that clients take its time to
   * live from: as they were sent if they say just that, else from when it was enqueued on.
   * What is behind them.
   */
  private int writeProperties(
      ByteBuf out, ByteBuf stored, int at, int end, MessageBurst burst, int i) {
    if (!isSection(stored, at, end, Descriptor.PROPERTIES)) {
      return at;
    }
    reader.reset(stored, at + 3, end - at - 3);
    var count = reader.enterList();
    var behind = reader.compoundEnd();
    var fields = reader.position();
    for (var field = 0; field < Math.min(count, ABSOLUTE_EXPIRY); field++) {
      reader.skip();
    }
    var timesAt = reader.position();
    var expires = count > ABSOLUTE_EXPIRY ? time() : NO_TIME;
    var created = count > CREATION ? time() : NO_TIME;
    if (isLifeOf(burst, i, created, expires)) {
      return at;
    }
    var restOfFields = reader.position();
    out.writeMedium((int) (FormatCode.SMALL_ULONG << 8 | Descriptor.PROPERTIES));
    var list = AmqpWriter.beginList(out);
    out.writeBytes(stored, fields, timesAt - fields);
    for (var field = count; field < ABSOLUTE_EXPIRY; field++) {
      AmqpWriter.writeNull(out);
    }
    AmqpWriter.writeTimestamp(out, burst.expiresAtMillis()[i]);
    AmqpWriter.writeTimestamp(out, burst.enqueuedAtMillis()[i]);
    out.writeBytes(stored, restOfFields, behind - restOfFields);
    AmqpWriter.endList(out, list, Math.max(count, CREATION + 1));
    return behind;
  }

  private long time() {
    return reader.readNull() ? NO_TIME : reader.readTimestamp();
  }

  /** Whether times of the sender say how long the broker lets a message live. */
  private boolean isLifeOf(MessageBurst burst, int i, long created, long expires) {
    var enqueued = burst.enqueuedAtMillis()[i];
    return created != NO_TIME
        && expires != NO_TIME
        && expires - created == burst.expiresAtMillis()[i] - enqueued
        && expires > enqueued
        && scheduledAt == NO_TIME;
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

    /** A deferred one was locked: when that was over is not kept, only that it is over. */
    private static long lockedUntil(MessageBurst burst, int i) {
      return burst.lockIds() == null ? burst.enqueuedAtMillis()[i] : burst.lockedUntilMillis();
    }

    private static void key(ByteBuf out, String name) {
      out.writeByte(FormatCode.SYM8).writeByte(name.length());
      out.writeCharSequence(name, StandardCharsets.US_ASCII);
    }

    void write(
        ByteBuf out,
        MessageBurst burst,
        int i,
        int keptCount,
        int keptBytes,
        boolean wasScheduled) {
      beginMap(out, Descriptor.MESSAGE_ANNOTATIONS, entries.length + keptBytes, count + keptCount);
      var base = out.writerIndex();
      out.writeBytes(entries);
      out.setLong(base + enqueuedAt, burst.enqueuedAtMillis()[i]);
      out.setLong(base + numberAt, burst.sequenceNumbers()[i]);
      if (burst.enqueuedNumbers() != null) {
        out.setLong(base + enqueuedNumberAt, burst.enqueuedNumbers()[i]);
      }
      var state = burst.states()[i];
      if (state != MessageState.ACTIVE || wasScheduled) {
        out.setByte(base + stateAt, state == MessageState.DEFERRED ? 1 : 2);
      }
      if (lockedUntilAt >= 0) {
        out.setLong(base + lockedUntilAt, lockedUntil(burst, i));
      }
    }
  }
}
