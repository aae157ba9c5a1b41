package io.peeklock.amqp.message;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.codec.AmqpValues;
import io.peeklock.amqp.engine.codec.AmqpWriter;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.Timestamp;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.error.MessageProblem;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.runtime.message.OutgoingMessage;
import io.peeklock.runtime.message.TextProperty;
import java.time.Instant;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/** Writes a message of no wire as a client of this one would have sent it (S-084). */
public final class BareMessage {
  private static final long LONGEST_TTL = 0xffff_ffffL;
  private static final int FIELDS = 13;

  private BareMessage() {}

  /**
   * Writes one.
   *
   * @param nowMillis UTC milliseconds
   * @return what cannot be said on this wire, or null
   */
  public static @Nullable MessageProblem write(
      ByteBuf out, OutgoingMessage message, long nowMillis) {
    var problem = writeBeforeBody(out, message, nowMillis);
    if (problem == null) {
      AmqpWriter.writeDescriptor(out, Descriptor.DATA);
      var body = AmqpWriter.beginBinary(out);
      out.writeBytes(message.body().duplicate());
      AmqpWriter.endBinary(out, body);
    }
    return problem;
  }

  /** The same up to the body, which somebody else writes. */
  public static @Nullable MessageProblem writeBeforeBody(
      ByteBuf out, OutgoingMessage message, long nowMillis) {
    var contentType = message.texts().get(TextProperty.CONTENT_TYPE);
    if (contentType != null && !contentType.chars().allMatch(c -> c < 0x80)) {
      return new MessageProblem(
          Conditions.ARGUMENT_ERROR, "The content type holds characters outside of ASCII");
    }
    writeHeader(out, message);
    writeAnnotations(out, message);
    writeProperties(out, message, nowMillis);
    writeApplicationProperties(out, message);
    return null;
  }

  private static void writeHeader(ByteBuf out, OutgoingMessage message) {
    if (message.ttlMillis() == QueueDefinition.FOREVER) {
      return;
    }
    AmqpWriter.writeDescriptor(out, Descriptor.HEADER);
    var list = AmqpWriter.beginList(out);
    AmqpWriter.writeNull(out);
    AmqpWriter.writeNull(out);
    AmqpWriter.writeUint(out, (int) Math.min(LONGEST_TTL, message.ttlMillis()));
    AmqpWriter.endList(out, list, 3);
  }

  private static void writeAnnotations(ByteBuf out, OutgoingMessage message) {
    var annotations = new LinkedHashMap<String, Object>();
    if (message.dueAtMillis() != SendBurst.AT_ONCE) {
      annotations.put("x-opt-scheduled-enqueue-time", new Timestamp(message.dueAtMillis()));
    }
    var partitionKey = message.texts().get(TextProperty.PARTITION_KEY);
    if (partitionKey != null) {
      annotations.put("x-opt-partition-key", partitionKey);
    }
    if (!annotations.isEmpty()) {
      AmqpWriter.writeDescriptor(out, Descriptor.MESSAGE_ANNOTATIONS);
      AmqpValues.encodeSymbolMap(out, annotations);
    }
  }

  /** A time to live above what the header can say is the difference of two times. */
  private static void writeProperties(ByteBuf out, OutgoingMessage message, long nowMillis) {
    var texts = message.texts();
    var isLong = message.ttlMillis() > LONGEST_TTL && message.ttlMillis() < QueueDefinition.FOREVER;
    AmqpWriter.writeDescriptor(out, Descriptor.PROPERTIES);
    var list = AmqpWriter.beginList(out);
    AmqpWriter.writeString(out, texts.get(TextProperty.MESSAGE_ID));
    AmqpWriter.writeNull(out); // user id
    AmqpWriter.writeString(out, texts.get(TextProperty.TO));
    AmqpWriter.writeString(out, texts.get(TextProperty.SUBJECT));
    AmqpWriter.writeString(out, texts.get(TextProperty.REPLY_TO));
    AmqpWriter.writeString(out, texts.get(TextProperty.CORRELATION_ID));
    AmqpWriter.writeSymbol(out, texts.get(TextProperty.CONTENT_TYPE));
    AmqpWriter.writeNull(out); // content encoding
    AmqpValues.encode(out, isLong ? new Timestamp(nowMillis + message.ttlMillis()) : null);
    AmqpValues.encode(out, isLong ? new Timestamp(nowMillis) : null);
    AmqpWriter.writeString(out, texts.get(TextProperty.SESSION_ID));
    AmqpWriter.writeNull(out); // group sequence
    AmqpWriter.writeString(out, texts.get(TextProperty.REPLY_TO_SESSION_ID));
    AmqpWriter.endList(out, list, FIELDS);
  }

  private static void writeApplicationProperties(ByteBuf out, OutgoingMessage message) {
    if (message.applicationProperties().isEmpty()) {
      return;
    }
    var properties = new LinkedHashMap<String, @Nullable Object>();
    message
        .applicationProperties()
        .forEach(
            (name, value) ->
                properties.put(
                    name,
                    value instanceof Instant time ? new Timestamp(time.toEpochMilli()) : value));
    AmqpWriter.writeDescriptor(out, Descriptor.APPLICATION_PROPERTIES);
    AmqpValues.encodeStringMap(out, properties);
  }
}
