package io.peeklock.amqp.message;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.codec.AmqpReader;
import io.peeklock.amqp.engine.codec.AmqpWriter;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.FormatCode;
import io.peeklock.kernel.fact.DeadLetterCause;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Merges maps of application properties on their bytes, so that what is not touched keeps its wire
 * type (T-73). Names are compared exactly.
 */
final class PropertyMerge {
  private final AmqpReader reader = new AmqpReader();

  /**
   * Writes the application properties of a stored message with changes.
   *
   * @param at where the section is, if the message has one
   * @return what is behind it
   */
  int write(
      ByteBuf out,
      ByteBuf stored,
      int at,
      int end,
      DeliveryWriter.@Nullable OverlayBytes overlay,
      DeadLetterCause cause) {
    var replaced = new HashSet<String>();
    var texts = DeadLetterTexts.hasTexts(cause);
    if (texts) {
      replaced.add(DeadLetterTexts.REASON);
      replaced.add(DeadLetterTexts.DESCRIPTION);
    }
    out.writeMedium((int) (FormatCode.SMALL_ULONG << 8 | Descriptor.APPLICATION_PROPERTIES));
    var map = AmqpWriter.beginMap(out);
    var count = texts ? writeTexts(out, cause) : 0;
    if (overlay != null) {
      reader.reset(overlay.buffer(), overlay.offset(), overlay.length());
      count += copyEntries(out, overlay.buffer(), replaced);
    }
    var behind = at;
    if (DeliveryWriter.isSection(stored, at, end, Descriptor.APPLICATION_PROPERTIES)) {
      reader.reset(stored, at + 3, end - at - 3);
      count += copyEntries(out, stored, replaced);
      behind = reader.position();
    }
    AmqpWriter.endMap(out, map, count);
    return behind;
  }

  private static int writeTexts(ByteBuf out, DeadLetterCause cause) {
    AmqpWriter.writeString(out, DeadLetterTexts.REASON);
    AmqpWriter.writeString(out, DeadLetterTexts.reason(cause));
    AmqpWriter.writeString(out, DeadLetterTexts.DESCRIPTION);
    AmqpWriter.writeString(out, DeadLetterTexts.description(cause));
    return 4;
  }

  /** Copies entries whose names are not taken yet, and takes their names. */
  private int copyEntries(ByteBuf out, ByteBuf from, Set<String> taken) {
    var count = reader.enterMap();
    var behind = reader.compoundEnd();
    var copied = 0;
    for (var i = 0; i < count; i += 2) {
      var start = reader.position();
      var name = reader.readText();
      reader.skip();
      if (name != null && taken.add(name)) {
        out.writeBytes(from, start, reader.position() - start);
        copied += 2;
      }
    }
    reader.leave(behind);
    return copied;
  }

  /**
   * Both maps as one, the newer one's values where both have a name. What is older may also be all
   * that is before a body; then the answer is too.
   */
  byte[] merge(ByteBuf older, ByteBuf newer) {
    if (older.isReadable() && older.getByte(older.readerIndex()) == 0) {
      return mergeHead(older, newer);
    }
    var out = Unpooled.buffer(older.readableBytes() + newer.readableBytes() + 16);
    var taken = new HashSet<String>();
    var map = AmqpWriter.beginMap(out);
    var count = 0;
    if (newer.isReadable()) {
      reader.reset(newer, newer.readerIndex(), newer.readableBytes());
      count += copyEntries(out, newer, taken);
    }
    if (older.isReadable()) {
      reader.reset(older, older.readerIndex(), older.readableBytes());
      count += copyEntries(out, older, taken);
    }
    AmqpWriter.endMap(out, map, count);
    return bytesOf(out);
  }

  private byte[] mergeHead(ByteBuf head, ByteBuf newer) {
    var changes =
        new DeliveryWriter.OverlayBytes(newer, newer.readerIndex(), newer.readableBytes());
    return mergeHead(head, newer.isReadable() ? changes : null, DeadLetterCause.NONE);
  }

  /**
   * All that is before a body, with changes and with the reason of a dead letter.
   *
   * @param beginning of a message
   */
  byte[] mergeHead(byte[] beginning, byte @Nullable [] changes, DeadLetterCause cause) {
    var overlay =
        changes == null
            ? null
            : new DeliveryWriter.OverlayBytes(Unpooled.wrappedBuffer(changes), 0, changes.length);
    return mergeHead(Unpooled.wrappedBuffer(beginning), overlay, cause);
  }

  private byte[] mergeHead(
      ByteBuf head, DeliveryWriter.@Nullable OverlayBytes changes, DeadLetterCause cause) {
    var out = Unpooled.buffer(512);
    var at = head.readerIndex();
    var end = head.writerIndex();
    while (isBeforeApplicationProperties(head, at, end)) {
      reader.reset(head, at + 3, end - at - 3);
      reader.skip();
      out.writeBytes(head, at, reader.position() - at);
      at = reader.position();
    }
    write(out, head, at, end, changes, cause);
    return bytesOf(out);
  }

  private static boolean isBeforeApplicationProperties(ByteBuf head, int at, int end) {
    return DeliveryWriter.isSection(head, at, end, Descriptor.HEADER)
        || DeliveryWriter.isSection(head, at, end, Descriptor.DELIVERY_ANNOTATIONS)
        || DeliveryWriter.isSection(head, at, end, Descriptor.MESSAGE_ANNOTATIONS)
        || DeliveryWriter.isSection(head, at, end, Descriptor.PROPERTIES);
  }

  private static byte[] bytesOf(ByteBuf out) {
    var bytes = new byte[out.readableBytes()];
    out.readBytes(bytes);
    return bytes;
  }
}
