package io.peeklock.amqp.request;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.codec.AmqpValues;
import io.peeklock.amqp.engine.codec.AmqpWriter;
import io.peeklock.amqp.engine.codec.Descriptor;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Encodes answers of token and management nodes (amqp.md 2.4, 7.1), with their exact types. */
public final class Reply {
  private Reply() {}

  /**
   * Answers without a body, as {@code $cbs} does.
   *
   * @param condition the error's, or null
   */
  public static ByteBuf ofToken(
      @Nullable Object correlationId, int status, String description, @Nullable String condition) {
    var out = begin(correlationId, status, description, condition);
    AmqpWriter.writeDescriptor(out, Descriptor.AMQP_VALUE);
    AmqpWriter.writeNull(out);
    return out;
  }

  /**
   * Answers with a body: a map with strings for keys.
   *
   * @param condition the error's, or null
   * @param entries writes keys and values, and says how many of both
   */
  public static ByteBuf ofManagement(
      @Nullable Object correlationId,
      int status,
      String description,
      @Nullable String condition,
      ToIntFunction<ByteBuf> entries) {
    var out = begin(correlationId, status, description, condition);
    AmqpWriter.writeDescriptor(out, Descriptor.AMQP_VALUE);
    var map = AmqpWriter.beginMap(out);
    AmqpWriter.endMap(out, map, entries.applyAsInt(out));
    return out;
  }

  /** Writes what stands before the body of an answer that has one. */
  public static void beginOk(ByteBuf out, @Nullable Object correlationId) {
    write(out, correlationId, 200, "OK", null);
    AmqpWriter.writeDescriptor(out, Descriptor.AMQP_VALUE);
  }

  private static ByteBuf begin(
      @Nullable Object correlationId, int status, String description, @Nullable String condition) {
    var out = Unpooled.buffer(256);
    write(out, correlationId, status, description, condition);
    return out;
  }

  private static void write(
      ByteBuf out,
      @Nullable Object correlationId,
      int status,
      String description,
      @Nullable String condition) {
    AmqpWriter.writeDescriptor(out, Descriptor.HEADER);
    var header = AmqpWriter.beginList(out);
    AmqpWriter.writeBoolean(out, false);
    AmqpWriter.writeNull(out);
    AmqpWriter.writeNull(out);
    AmqpWriter.writeBoolean(out, false);
    AmqpWriter.writeUint(out, 0);
    AmqpWriter.endList(out, header, 5);
    AmqpWriter.writeDescriptor(out, Descriptor.PROPERTIES);
    var properties = AmqpWriter.beginList(out);
    for (var field = 0; field < 5; field++) {
      AmqpWriter.writeNull(out);
    }
    AmqpValues.encode(out, correlationId);
    AmqpWriter.endList(out, properties, 6);
    AmqpWriter.writeDescriptor(out, Descriptor.APPLICATION_PROPERTIES);
    var map = AmqpWriter.beginMap(out);
    // Both spellings: NET and Python read one on $cbs, JavaScript the other (T-08, amqp.md 2.4).
    int32(out, "status-code", status);
    text(out, "status-description", description);
    int32(out, "statusCode", status);
    text(out, "statusDescription", description);
    if (condition != null) { // never as error-condition: Python then loses the status (amqp.md 2.4)
      AmqpWriter.writeString(out, "errorCondition");
      AmqpWriter.writeSymbol(out, condition);
    }
    AmqpWriter.endMap(out, map, condition == null ? 8 : 10);
  }

  private static void int32(ByteBuf out, String key, int value) {
    AmqpWriter.writeString(out, key);
    AmqpWriter.writeInt(out, value);
  }

  private static void text(ByteBuf out, String key, String value) {
    AmqpWriter.writeString(out, key);
    AmqpWriter.writeString(out, value);
  }
}
