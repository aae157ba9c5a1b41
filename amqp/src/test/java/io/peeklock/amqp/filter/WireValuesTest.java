package io.peeklock.amqp.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.codec.AmqpChar;
import io.peeklock.amqp.engine.codec.AmqpReader;
import io.peeklock.amqp.engine.codec.AmqpValues;
import io.peeklock.amqp.engine.codec.Decimal;
import io.peeklock.amqp.engine.codec.Described;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.Timestamp;
import io.peeklock.amqp.engine.codec.Unsigned;
import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.ValueType;
import io.peeklock.proof.Rule;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every type of the wire is a type of filters, there and back. */
class WireValuesTest {

  private static FilterValue read(@Nullable Object value) {
    var out = Unpooled.buffer();
    AmqpValues.encode(out, value);
    AmqpValues.encode(out, "behind it");
    var bytes = new byte[out.readableBytes()];
    out.readBytes(bytes);
    var reader = new AmqpReader().reset(Unpooled.wrappedBuffer(bytes), 0, bytes.length);
    var into = new FilterValue();
    WireValues.read(reader, bytes, into);
    assertThat(reader.readString()).isEqualTo("behind it");
    return into;
  }

  private static @Nullable Object written(FilterValue value) {
    var out = Unpooled.buffer();
    WireValues.write(out, value);
    return AmqpValues.decode(new AmqpReader().reset(out, 0, out.readableBytes()));
  }

  static Stream<Arguments> values() {
    return Stream.of(
        Arguments.of(true, ValueType.BOOLEAN),
        Arguments.of((byte) -8, ValueType.BYTE),
        Arguments.of((short) -300, ValueType.SHORT),
        Arguments.of(7, ValueType.INT),
        Arguments.of(Integer.MIN_VALUE, ValueType.INT),
        Arguments.of(7L, ValueType.LONG),
        Arguments.of(Long.MIN_VALUE, ValueType.LONG),
        Arguments.of(new Unsigned.Ubyte(255), ValueType.UBYTE),
        Arguments.of(new Unsigned.Ushort(65_535), ValueType.USHORT),
        Arguments.of(new Unsigned.Uint(0), ValueType.UINT),
        Arguments.of(new Unsigned.Uint(4_294_967_295L), ValueType.UINT),
        Arguments.of(new Unsigned.Ulong(64), ValueType.ULONG),
        Arguments.of(1.5f, ValueType.FLOAT),
        Arguments.of(-0.25, ValueType.DOUBLE),
        Arguments.of("café", ValueType.TEXT),
        Arguments.of("x".repeat(300), ValueType.TEXT),
        Arguments.of(new Timestamp(1_790_000_000_000L), ValueType.TIMESTAMP),
        Arguments.of(new UUID(1, -2), ValueType.GUID));
  }

  @ParameterizedTest
  @MethodSource("values")
  @Rule({"S-326", "S-343"})
  void aValueKeepsItsTypeThereAndBack(Object value, ValueType type) {
    var read = read(value);

    assertThat(read.type()).isEqualTo(type);
    assertThat(written(read)).isEqualTo(value);
  }

  @Test
  void othersAreNearEnough() {
    assertThat(read(null).type()).isEqualTo(ValueType.NULL);
    assertThat(written(FilterValue.ofNull())).isNull();
    assertThat(read(new Symbol("s")).text()).isEqualTo("s");
    assertThat(read(new AmqpChar('ß')).text()).isEqualTo("ß");
    assertThat(read(new AmqpChar(0x110000)).type()).as("no character").isEqualTo(ValueType.OTHER);
    assertThat((byte[]) written(read(new byte[] {1, 2}))).containsExactly(1, 2);
    assertThat(read(new Unsigned.Ulong(-1)).asDecimal())
        .isEqualTo(new BigDecimal("18446744073709551615"));
    assertThat(read(List.of(1)).type()).isEqualTo(ValueType.OTHER);
    assertThat(read(Map.of("a", 1)).type()).isEqualTo(ValueType.OTHER);
  }

  private static Described net(String name, Object value) {
    return new Described(new Symbol("com.microsoft:" + name), value);
  }

  /** As its client writes a TimeSpan, a DateTimeOffset and a Uri. */
  @Test
  @Rule({"S-326", "S-356"})
  void typesOfNetAreTypesOfFilters() {
    var span = read(net("timespan", 50_000_000L));
    var epoch = 621_355_968_000_000_000L;

    assertThat(span).isEqualTo(new FilterValue().setDurationTicks(50_000_000));
    assertThat(written(span)).isEqualTo(net("timespan", 50_000_000L));
    assertThat(read(net("timespan", -1L)).ticks()).isEqualTo(-1);
    assertThat(read(net("datetime-offset", epoch + 70_000)))
        .isEqualTo(new FilterValue().setTimestampMillis(7));
    assertThat(read(net("uri", "http://a/b"))).isEqualTo(FilterValue.of("http://a/b"));
    for (var other :
        List.of(
            net("timespan", "5"),
            net("uri", 5L),
            net("something", 5L),
            net("x".repeat(300), 5L),
            new Described(new Unsigned.Ulong(5), 5L))) {
      assertThat(read(other).type()).isEqualTo(ValueType.OTHER);
    }
  }

  /** Its library shifts the exponent wrongly, and takes that back; right ones it takes too. */
  @Test
  @Rule("S-343")
  void decimalsOfNetAreRead() {
    for (var scale = 0; scale <= 28; scale++) {
      var high = (long) (1_568 - scale) << 49;
      assertThat(read(new Decimal.Decimal128(high, 1_225)).asDecimal())
          .isEqualTo(BigDecimal.valueOf(1_225, scale));
    }
    assertThat(read(new Decimal.Decimal128(1_539L << 49, 1)).asDecimal().scale()).isEqualTo(4_637);
    assertThat(read(new Decimal.Decimal128(1_569L << 49, 1)).asDecimal().scale()).isEqualTo(4_607);
  }

  /** Its receiver fails over others, so that nobody could receive the message with it. */
  @ParameterizedTest
  @CsvSource({
    "1225E-4610, 0.0000000000000000000000000000",
    "13.250000000000000000000000000000000, 13.25000000000000000000000000",
    "79228162514264337593543950335, 79228162514264337593543950335",
    "7.9228162514264337593543950336, 7.922816251426433759354395034",
    "1234567890123456789012345678.5, 1234567890123456789012345678.5",
    "-0.12345678901234567890123456789, -0.1234567890123456789012345679",
    "1E+28, 10000000000000000000000000000",
    "0E+300, 0",
  })
  @Rule({"S-343", "S-354"})
  void decimalsAreWrittenSoThatNetReadsThem(BigDecimal value, BigDecimal expected) {
    assertThat(read(written(new FilterValue().setDecimal(value))).asDecimal()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"79228162514264337593543950336", "1E+30", "-1E+40", "1E+9000"})
  @Rule("S-343")
  void whatIsTooLargeForThemIsADouble(BigDecimal value) {
    assertThat(written(new FilterValue().setDecimal(value))).isEqualTo(value.doubleValue());
  }

  @Test
  @Rule("S-343")
  void decimalsWithABinaryCoefficientAreNumbers() {
    assertThat(read(new Decimal.Decimal32((101 - 2) << 23 | 1_234)).asDecimal())
        .isEqualTo(new BigDecimal("12.34"));
    assertThat(read(new Decimal.Decimal64(1L << 63 | (398L << 53) | 5)).asDecimal())
        .isEqualTo(new BigDecimal("-5"));
    // a coefficient above 2^23: the exponent begins two bits later
    assertThat(read(new Decimal.Decimal32(3 << 29 | 101 << 21 | 1)).asDecimal())
        .isEqualTo(new BigDecimal(8_388_609));
    assertThat(read(new Decimal.Decimal32(0x7800_0000)).type()).isEqualTo(ValueType.OTHER);
    for (var text : List.of("12.340", "-7", "0", "-0.00000000000000000001")) {
      var value = new FilterValue().setDecimal(new BigDecimal(text));
      assertThat(read(written(value)).asDecimal()).isEqualTo(new BigDecimal(text));
    }
  }
}
