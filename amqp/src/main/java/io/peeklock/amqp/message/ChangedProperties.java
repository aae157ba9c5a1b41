package io.peeklock.amqp.message;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.codec.AmqpReader;
import io.peeklock.amqp.engine.codec.AmqpValues;
import io.peeklock.amqp.engine.codec.AmqpWriter;
import io.peeklock.runtime.thread.AnyThread;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Application properties that settlements change, as an encoded AMQP map with strings for
 * keys. Stateless.
 */
@AnyThread
public final class ChangedProperties {
  private ChangedProperties() {}

  /**
   * Takes the map that came with an outcome; its keys may be symbols. A reason or description that
   * is null is left out: none was given (S-189).
   *
   * @return null when it changes nothing
   */
  public static byte @Nullable [] of(ByteBuf buffer, int offset, int length) {
    var reader = new AmqpReader().reset(buffer, offset, length);
    if (reader.readNull()) {
      return null;
    }
    var count = reader.enterMap();
    var out = Unpooled.buffer(length + 32);
    var map = AmqpWriter.beginMap(out);
    var kept = 0;
    for (var i = 0; i < count; i += 2) {
      var name = reader.readText();
      var start = reader.position();
      var isNull = reader.readNull();
      if (!isNull) {
        reader.skip();
      }
      if (name != null && !(isNull && isDeadLetterText(name))) {
        AmqpWriter.writeString(out, name);
        out.writeBytes(buffer, start, reader.position() - start);
        kept += 2;
      }
    }
    AmqpWriter.endMap(out, map, kept);
    return kept == 0 ? null : bytesOf(out);
  }

  /** Encodes decoded properties; null when there are none. */
  public static byte @Nullable [] of(Map<String, @Nullable Object> properties) {
    if (properties.isEmpty()) {
      return null;
    }
    var out = Unpooled.buffer();
    AmqpValues.encodeStringMap(out, properties);
    return bytesOf(out);
  }

  private static boolean isDeadLetterText(String name) {
    return name.equals(DeadLetterTexts.REASON) || name.equals(DeadLetterTexts.DESCRIPTION);
  }

  private static byte[] bytesOf(ByteBuf out) {
    var bytes = new byte[out.readableBytes()];
    out.readBytes(bytes);
    return bytes;
  }
}
