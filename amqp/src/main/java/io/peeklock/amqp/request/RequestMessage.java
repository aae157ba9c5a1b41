package io.peeklock.amqp.request;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.codec.AmqpDecodeException;
import io.peeklock.amqp.engine.codec.AmqpReader;
import io.peeklock.amqp.engine.codec.AmqpValues;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.MessageSections;
import io.peeklock.amqp.engine.codec.MessageSections.BodyKind;
import io.peeklock.amqp.engine.codec.MessageSections.Section;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request to a token or management node, decoded.
 *
 * @param messageId as it came, to be echoed with its type (T-12)
 * @param replyTo which reply link is meant, where a session has more than one
 * @param properties its application properties
 * @param body the value of its amqp-value section, or null
 */
public record RequestMessage(
    @Nullable Object messageId,
    @Nullable String replyTo,
    Map<String, @Nullable Object> properties,
    @Nullable Object body) {
  /** The property that names the link of the same client that it is about. */
  public static final String ASSOCIATED_LINK = "associated-link-name";

  private static final int MESSAGE_ID = 0;
  private static final int REPLY_TO = 4;

  /**
   * Decodes a message.
   *
   * @throws AmqpDecodeException when it is no message
   */
  public static RequestMessage decode(ByteBuf buffer, int offset, int length) {
    var sections = new MessageSections();
    if (!sections.scanAndCheck(buffer, offset, length)) {
      throw new AmqpDecodeException(sections.problem());
    }
    var reader = new AmqpReader();
    Object id = null;
    String replyTo = null;
    if (sections.has(Section.PROPERTIES)) {
      var count = at(reader, sections, buffer, Section.PROPERTIES).enterList();
      for (var field = 0; field < Math.min(count, REPLY_TO + 1); field++) {
        switch (field) {
          case MESSAGE_ID -> id = AmqpValues.decode(reader);
          case REPLY_TO -> replyTo = reader.readText();
          default -> reader.skip();
        }
      }
    }
    var properties =
        sections.has(Section.APPLICATION_PROPERTIES)
            ? AmqpValues.decodeTextMap(at(reader, sections, buffer, Section.APPLICATION_PROPERTIES))
            : Map.<String, @Nullable Object>of();
    return new RequestMessage(id, replyTo, properties, body(reader, sections, buffer));
  }

  /**
   * What the beginning of a message says before its body, or before what is damaged or cut off;
   * null when its id is not among that.
   */
  static @Nullable RequestMessage headOf(ByteBuf beginning) {
    var reader = new AmqpReader();
    var start = beginning.readerIndex();
    var end = beginning.writerIndex();
    RequestMessage head = null;
    try {
      // Each section comes once, or it does not decode: so this ends soon.
      for (var at = start; at < end; at = reader.position()) {
        reader.reset(beginning, at, end - at);
        if (reader.readDescriptor() >= Descriptor.DATA) {
          break;
        }
        reader.skip();
        head = decode(beginning, start, reader.position() - start);
      }
    } catch (AmqpDecodeException damaged) {
      return withId(head);
    }
    return withId(head);
  }

  private static @Nullable RequestMessage withId(@Nullable RequestMessage head) {
    return head == null || head.messageId() == null ? null : head;
  }

  private static AmqpReader at(
      AmqpReader reader, MessageSections sections, ByteBuf buffer, Section section) {
    var value = sections.valueOffset(section);
    return reader.reset(buffer, value, sections.offset(section) + sections.length(section) - value);
  }

  private static @Nullable Object body(
      AmqpReader reader, MessageSections sections, ByteBuf buffer) {
    if (sections.bodyKind() != BodyKind.VALUE) {
      return null;
    }
    reader.reset(buffer, sections.bodyOffset(), sections.bodyLength());
    reader.readDescriptor();
    return AmqpValues.decode(reader);
  }

  /** A text among the application properties, or null. */
  public @Nullable String text(String key) {
    return properties.get(key) instanceof String text ? text : null;
  }
}
