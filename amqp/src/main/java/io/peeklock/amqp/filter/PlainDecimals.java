package io.peeklock.amqp.filter;

import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.codec.AmqpReader;
import io.peeklock.amqp.engine.codec.AmqpValues;
import io.peeklock.amqp.engine.codec.Decimal;
import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.ValueType;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** The wire's decimals as Java's. */
public final class PlainDecimals {
  private static final int LONGEST = 17;

  private PlainDecimals() {}

  /** The number; null for an infinity and for what is none. */
  public static @Nullable BigDecimal of(Decimal decimal) {
    var encoded = Unpooled.buffer(LONGEST);
    AmqpValues.encode(encoded, decimal);
    var length = encoded.readableBytes();
    var value = new FilterValue();
    var reader = new AmqpReader().reset(encoded, 0, length);
    WireDecimals.read(reader, encoded.array(), value);
    return value.type() == ValueType.DECIMAL ? value.asDecimal() : null;
  }
}
