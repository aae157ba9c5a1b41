package io.peeklock.amqp.message;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.codec.AmqpDecodeException;
import io.peeklock.amqp.engine.codec.AmqpReader;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.FormatCode;
import io.peeklock.amqp.engine.codec.MessageSections;
import io.peeklock.amqp.engine.codec.MessageSections.Section;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.error.MessageProblem;
import io.peeklock.amqp.filter.MessageIdHash;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.runtime.BodyArena;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Turns a message from a client into the one that is stored: first {@link #inspect}, then {@link
 * #write}. The stored form is a valid message with its sections in their canonical order: header,
 * delivery and message annotations without those that are the broker's (S-077), properties with a
 * message id, application properties, body, footer. What is kept is kept byte for byte, but for
 * keys of annotations, which become symbols; empty sections are dropped. One for each event loop;
 * nothing is allocated for a good message.
 */
public final class MessageNormalizer {
  /** How many bytes more than the message the stored form can have. */
  public static final int MAX_GROWTH = 96;

  /** A longer message goes to a file; the stored form may be a little longer than what was sent. */
  public static final int LARGEST_IN_MEMORY = BodyArena.LARGE_BODY_BYTES - MAX_GROWTH;

  private static final int MAX_ID_CHARS = 128;
  private static final int MAX_PROPERTY_BYTES = 32 << 10;
  static final int MAX_HEADER_BYTES = 64 << 10;
  private static final int HEADER_FIELDS = 5;
  private static final int PRIORITY = 1;
  private static final int TTL = 2;
  private static final int DELIVERY_COUNT = 4;
  private static final int USER_ID = 1;
  private static final int CORRELATION_ID = 5;
  private static final int ABSOLUTE_EXPIRY = 8;
  private static final int CREATION = 9;
  private static final int GROUP_ID = 10;
  private static final int GROUP_SEQUENCE = 11;
  private static final int PROPERTY_FIELDS = 13;

  private final MessageSections sections = new MessageSections();
  private final AmqpReader reader = new AmqpReader();
  private final GeneratedIds ids = new GeneratedIds();
  private final AnnotationFilter annotations = new AnnotationFilter();
  private final AnnotationMap deliveryAnnotations =
      new AnnotationMap(
          Descriptor.DELIVERY_ANNOTATIONS, AnnotationMap.ascii(DeliveryWriter.LOCK_TOKEN));
  private final AnnotationMap footer = new AnnotationMap(Descriptor.FOOTER);
  private final int[] fieldStart = new int[PROPERTY_FIELDS + 1];
  private @Nullable ByteBuf source;
  private int fields;
  private boolean hasMessageId;
  private long ttlMillis;
  private int headerBytes;
  private int writtenBeforeBody;

  /**
   * Looks at a message and remembers it for {@link #write}.
   *
   * @return why it is not taken, or null
   */
  public @Nullable MessageProblem inspect(ByteBuf buffer, int offset, int length) {
    source = buffer;
    try {
      if (!sections.scanAndCheck(buffer, offset, length)) {
        return malformed(sections.problem());
      }
      return inspectSections(buffer);
    } catch (AmqpDecodeException wrong) {
      return malformed(String.valueOf(wrong.getMessage()));
    }
  }

  /** The message's own time to live, or {@link QueueDefinition#FOREVER}. */
  long ttlMillis() {
    return ttlMillis;
  }

  /** Bytes of the stored properties and application properties (S-074). */
  int headerBytes() {
    return headerBytes;
  }

  /** When the sender wants it active (S-148), 0 for at once. */
  long dueAtMillis() {
    return annotations.scheduledAtMillis();
  }

  /**
   * Puts the hash of the message id in place, or zeroes when the sender gave none. Before {@link
   * #write}.
   *
   * @param withKey whether what chooses the partition counts too (S-270)
   */
  void hashMessageId(MessageIdHash hash, boolean withKey, long[] to, int at) {
    to[at] = 0;
    to[at + 1] = 0;
    if (hasMessageId) {
      hash.of(buffer(), fieldStart[0], fieldStart[1] - fieldStart[0], key(withKey), to, at);
    }
  }

  private @Nullable String key(boolean wanted) {
    var session = wanted ? sessionId() : null;
    return wanted && session == null ? partitionKey() : session;
  }

  /** The partition key as it was sent, null without one. */
  @Nullable String partitionKey() {
    return annotations.partitionKey();
  }

  /** The session id, null without one. Before {@link #write}. */
  public @Nullable String sessionId() {
    if (fields <= GROUP_ID) {
      return null;
    }
    var length = fieldStart[GROUP_ID + 1] - fieldStart[GROUP_ID];
    reader.reset(buffer(), fieldStart[GROUP_ID], length);
    return reader.readText();
  }

  private static MessageProblem malformed(String why) {
    return new MessageProblem(Conditions.DECODE_ERROR, "The message is not well-formed: " + why);
  }

  private static MessageProblem outOfRange(String why) {
    return new MessageProblem(Conditions.ARGUMENT_OUT_OF_RANGE, why);
  }

  private @Nullable MessageProblem inspectSections(ByteBuf buffer) {
    var headerTtl = sections.has(Section.HEADER) ? readTtl(buffer) : -1;
    var problem = inspectAnnotations(buffer);
    if (problem == null) {
      problem = inspectProperties(buffer, headerTtl);
    }
    if (problem == null) {
      problem = inspectApplicationProperties(buffer);
    }
    inspectMap(buffer, Section.DELIVERY_ANNOTATIONS, deliveryAnnotations);
    inspectMap(buffer, Section.FOOTER, footer);
    var annotationBytes = annotations.keptBytes() + deliveryAnnotations.keptBytes();
    if (problem == null && headerBytes + annotationBytes > MAX_HEADER_BYTES) {
      problem =
          outOfRange(
              "The properties of the message take more than the allowed "
                  + MAX_HEADER_BYTES
                  + " bytes");
    }
    return problem;
  }

  private AmqpReader at(ByteBuf buffer, Section section) {
    var value = sections.valueOffset(section);
    var end = sections.offset(section) + sections.length(section);
    return reader.reset(buffer, value, end - value);
  }

  /**
   * header.ttl, or -1. Every field is read as what it has to be: a delivery reads them again, and
   * must not find there what it cannot read.
   */
  private long readTtl(ByteBuf buffer) {
    var header = at(buffer, Section.HEADER);
    var count = header.enterList();
    if (count > HEADER_FIELDS) {
      throw new AmqpDecodeException("the header has " + count + " fields");
    }
    var ttl = -1L;
    for (var field = 0; field < count; field++) {
      if (!header.readNull()) {
        switch (field) {
          case PRIORITY -> header.readUbyte();
          case TTL -> ttl = header.readUint();
          case DELIVERY_COUNT -> header.readUint();
          default -> header.readBoolean(); // durable, first acquirer
        }
      }
    }
    return ttl;
  }

  private void inspectMap(ByteBuf buffer, Section section, AnnotationMap map) {
    map.clear();
    if (sections.has(section)) {
      map.inspect(buffer, at(buffer, section));
    }
  }

  private @Nullable MessageProblem inspectAnnotations(ByteBuf buffer) {
    inspectMap(buffer, Section.MESSAGE_ANNOTATIONS, annotations);
    if (annotations.partitionKeyIsNoText()) {
      return malformed("its partition key is not a string");
    }
    if (annotations.partitionKeyIsTooLong()) {
      return outOfRange("The partition key is longer than " + MAX_ID_CHARS + " characters");
    }
    return null;
  }

  private @Nullable MessageProblem inspectProperties(ByteBuf buffer, long headerTtl) {
    fields = 0;
    hasMessageId = false;
    ttlMillis = headerTtl <= 0 ? QueueDefinition.FOREVER : headerTtl; // 0 says "none", as in JMS
    headerBytes = 0;
    if (!sections.has(Section.PROPERTIES)) {
      headerBytes = MAX_GROWTH / 2;
      return null;
    }
    headerBytes = sections.length(Section.PROPERTIES);
    var properties = at(buffer, Section.PROPERTIES);
    fields = properties.enterList();
    if (fields > PROPERTY_FIELDS) {
      return malformed("properties have " + fields + " fields");
    }
    var expiry = 0L;
    var creation = 0L;
    for (var field = 0; field < fields; field++) {
      fieldStart[field] = properties.position();
      if (properties.readNull()) {
        continue;
      }
      if (field == ABSOLUTE_EXPIRY) {
        expiry = properties.readTimestamp();
      } else if (field == CREATION) {
        creation = properties.readTimestamp();
      } else {
        var problem = inspectProperty(field, buffer, properties);
        if (problem != null) {
          return problem;
        }
      }
    }
    fieldStart[fields] = properties.position();
    if (expiry != 0 && creation != 0 && expiry - creation > 0xffff_ffffL) {
      ttlMillis = expiry - creation;
    }
    return null;
  }

  private @Nullable MessageProblem inspectProperty(
      int field, ByteBuf buffer, AmqpReader properties) {
    return switch (field) {
      case 0 -> inspectMessageId(buffer, properties);
      case GROUP_ID -> inspectSessionId(buffer, properties);
      case GROUP_SEQUENCE -> {
        properties.readUint();
        yield null;
      }
      default -> {
        if (!fits(field, properties.peekCode())) {
          yield malformed("field " + field + " of its properties has a wrong type");
        }
        properties.skip();
        yield null;
      }
    };
  }

  private @Nullable MessageProblem inspectMessageId(ByteBuf buffer, AmqpReader properties) {
    hasMessageId = true;
    if (isCompound(properties.peekCode())) {
      return malformed("its message id is a list, a map or an array");
    }
    return isTooLong(buffer, properties)
        ? outOfRange("The message id is longer than " + MAX_ID_CHARS + " characters")
        : null;
  }

  private static @Nullable MessageProblem inspectSessionId(ByteBuf buffer, AmqpReader properties) {
    if (!FormatCode.isText(properties.peekCode())) {
      return malformed("its session id is not a string");
    }
    return isTooLong(buffer, properties)
        ? outOfRange("The session id is longer than " + MAX_ID_CHARS + " characters")
        : null;
  }

  /** Whether a value of this type may stand there; a client could not read it otherwise. */
  private static boolean fits(int field, int code) {
    return switch (field) {
      case CORRELATION_ID -> !isCompound(code);
      case USER_ID ->
          code == FormatCode.BIN8 || code == FormatCode.BIN32 || FormatCode.isText(code);
      default -> FormatCode.isText(code);
    };
  }

  private static boolean isCompound(int code) {
    return (code & 0xff) >= 0xc0 || code == FormatCode.LIST0;
  }

  /** Moves behind a value; whether it is a text or binary above the limit of S-073. */
  private static boolean isTooLong(ByteBuf buffer, AmqpReader at) {
    var code = at.peekCode();
    var wide = (code & 0xf0) == 0xa0 || (code & 0xf0) == 0xb0;
    if (!wide) {
      at.skip();
      return false;
    }
    var length = at.readContent();
    return length > MAX_ID_CHARS
        && (code == FormatCode.BIN8
            || code == FormatCode.BIN32
            || buffer.toString(at.contentOffset(), length, StandardCharsets.UTF_8).length()
                > MAX_ID_CHARS);
  }

  private @Nullable MessageProblem inspectApplicationProperties(ByteBuf buffer) {
    var length = sections.length(Section.APPLICATION_PROPERTIES);
    headerBytes += length;
    if (length == 0) {
      return null;
    }
    var properties = at(buffer, Section.APPLICATION_PROPERTIES);
    var count = properties.enterMap();
    for (var i = 0; i < count; i += 2) {
      var start = properties.position();
      if (!FormatCode.isText(properties.peekCode())) {
        return malformed("the name of an application property is not a string");
      }
      properties.skip();
      properties.skip();
      if (properties.position() - start > MAX_PROPERTY_BYTES) {
        return outOfRange(
            "An application property takes more than the allowed " + MAX_PROPERTY_BYTES + " bytes");
      }
    }
    return null;
  }

  /** Writes the stored form of the message inspected last, which must still be there. */
  public void write(ByteBuffer out) {
    var start = out.position();
    writeBeforeBody(out);
    writtenBeforeBody = out.position() - start;
    writeBody(out);
    footer.write(buffer(), out);
    source = null;
  }

  /** How many bytes of the stored form are before its body; after {@link #write}. */
  int writtenBeforeBody() {
    return writtenBeforeBody;
  }

  private void writeBeforeBody(ByteBuffer out) {
    var buffer = buffer();
    writeSection(out, Section.HEADER, Descriptor.HEADER);
    deliveryAnnotations.write(buffer, out);
    annotations.write(buffer, out);
    if (hasMessageId) {
      writeSection(out, Section.PROPERTIES, Descriptor.PROPERTIES);
    } else {
      writeProperties(buffer, out);
    }
    writeSection(out, Section.APPLICATION_PROPERTIES, Descriptor.APPLICATION_PROPERTIES);
  }

  /** Properties of a sender that gave no message id, with one. */
  private void writeProperties(ByteBuf buffer, ByteBuffer out) {
    descriptor(out, Descriptor.PROPERTIES);
    out.put((byte) FormatCode.LIST32);
    var sizeAt = out.position();
    out.putInt(0);
    out.putInt(Math.max(1, fields));
    out.put((byte) FormatCode.STR8).put((byte) GeneratedIds.BYTES);
    ids.put(out);
    if (fields > 1) {
      copy(buffer, fieldStart[1], fieldStart[fields] - fieldStart[1], out);
    }
    out.putInt(sizeAt, out.position() - sizeAt - 4);
  }

  private void writeBody(ByteBuffer out) {
    var buffer = buffer();
    var offset = sections.bodyOffset();
    if (offset < 0) {
      return;
    }
    var code =
        switch (sections.bodyKind()) {
          case DATA -> Descriptor.DATA;
          case SEQUENCE -> Descriptor.AMQP_SEQUENCE;
          case VALUE, NONE -> Descriptor.AMQP_VALUE;
        };
    if (isCanonical(buffer, offset) && sections.bodyCount() == 1) {
      copy(buffer, offset, sections.bodyLength(), out);
      return;
    }
    for (var at = offset; at >= 0; ) {
      var next = sections.nextBody(at);
      descriptor(out, code);
      var value = valueOf(buffer, at);
      var end = sections.contentOffset() + sections.contentLength();
      copy(buffer, value, end - value, out);
      at = next;
    }
  }

  private int valueOf(ByteBuf buffer, int sectionOffset) {
    reader.reset(buffer, sectionOffset, buffer.writerIndex() - sectionOffset);
    reader.readDescriptor();
    return reader.position();
  }

  private void writeSection(ByteBuffer out, Section section, long code) {
    if (!sections.has(section)) {
      return;
    }
    var buffer = buffer();
    var value = sections.valueOffset(section);
    if (isEmpty(buffer, value)) {
      return;
    }
    descriptor(out, code);
    copy(buffer, value, sections.offset(section) + sections.length(section) - value, out);
  }

  private ByteBuf buffer() {
    if (source == null) {
      throw new IllegalStateException("inspect comes before write, once each");
    }
    return source;
  }

  private static boolean isCanonical(ByteBuf buffer, int sectionOffset) {
    return buffer.getByte(sectionOffset + 1) == FormatCode.SMALL_ULONG;
  }

  private static boolean isEmpty(ByteBuf buffer, int value) {
    return switch (buffer.getUnsignedByte(value)) {
      case FormatCode.NULL, FormatCode.LIST0 -> true;
      case FormatCode.LIST8, FormatCode.MAP8 -> buffer.getByte(value + 2) == 0;
      case FormatCode.LIST32, FormatCode.MAP32 -> buffer.getInt(value + 5) == 0;
      default -> false;
    };
  }

  public static void descriptor(ByteBuffer out, long code) {
    out.put((byte) 0).put((byte) FormatCode.SMALL_ULONG).put((byte) code);
  }

  static void copy(ByteBuf from, int offset, int length, ByteBuffer out) {
    if (length > 0) {
      var limit = out.limit();
      out.limit(out.position() + length);
      from.getBytes(offset, out);
      out.limit(limit);
    }
  }
}
