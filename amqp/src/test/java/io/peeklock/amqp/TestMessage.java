package io.peeklock.amqp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.codec.AmqpReader;
import io.peeklock.amqp.engine.codec.AmqpValues;
import io.peeklock.amqp.engine.codec.Described;
import io.peeklock.amqp.engine.codec.Unsigned;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Messages as a test writes and reads them: a list of sections. */
final class TestMessage {
  static final int HEADER = 0x70;
  static final int DELIVERY_ANNOTATIONS = 0x71;
  static final int ANNOTATIONS = 0x72;
  static final int PROPERTIES = 0x73;
  static final int APPLICATION_PROPERTIES = 0x74;
  static final int DATA = 0x75;
  static final int SEQUENCE = 0x76;
  static final int VALUE = 0x77;
  static final int FOOTER = 0x78;

  private final ByteBuf out = Unpooled.buffer();

  static byte[] text(String body) {
    return new TestMessage().section(DATA, body.getBytes(StandardCharsets.UTF_8)).bytes();
  }

  /** A message of a session that has the session's id as its body. */
  static byte[] inSession(String id) {
    var fields = new @Nullable Object[11];
    fields[0] = "m";
    fields[10] = id;
    return new TestMessage().properties(fields).section(VALUE, id).bytes();
  }

  TestMessage section(int code, @Nullable Object value) {
    AmqpValues.encode(out, new Described(new Unsigned.Ulong(code), value));
    return this;
  }

  TestMessage properties(@Nullable Object... fields) {
    return section(PROPERTIES, Arrays.asList(fields));
  }

  byte[] bytes() {
    var bytes = new byte[out.readableBytes()];
    out.getBytes(0, bytes);
    return bytes;
  }

  /** A message that the broker sent, section by section. */
  record Parsed(List<Integer> codes, List<@Nullable Object> values, byte[] bytes) {
    static Parsed of(byte[] bytes) {
      var buffer = Unpooled.wrappedBuffer(bytes);
      var reader = new AmqpReader().reset(buffer, 0, bytes.length);
      var codes = new ArrayList<Integer>();
      var values = new ArrayList<@Nullable Object>();
      while (reader.hasMore()) {
        // T-07: descriptors are small ones, always.
        if (buffer.getUnsignedShort(reader.position()) != 0x0053) {
          throw new AssertionError("a section descriptor is not small");
        }
        var section = TestClient.described(AmqpValues.decode(reader));
        codes.add((int) TestClient.asLong(section.descriptor()));
        values.add(section.value());
      }
      return new Parsed(codes, values, bytes);
    }

    @Nullable Object section(int code) {
      var at = codes.indexOf(code);
      return at < 0 ? null : values.get(at);
    }

    /** A field of the header or the properties; null also when it is behind the last. */
    @Nullable Object field(int code, int i) {
      return section(code) instanceof List<?> fields && i < fields.size() ? fields.get(i) : null;
    }

    /** An entry of a map section, by the text of its key. */
    @Nullable Object entry(int code, String key) {
      if (section(code) instanceof Map<?, ?> map) {
        for (var entry : map.entrySet()) {
          if (String.valueOf(entry.getKey()).equals(key)) {
            return entry.getValue();
          }
        }
      }
      return null;
    }

    String body() {
      return section(DATA) instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : "";
    }
  }
}
