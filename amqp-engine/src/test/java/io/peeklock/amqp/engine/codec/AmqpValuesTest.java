package io.peeklock.amqp.engine.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Values there and back, with the types they came with. */
class AmqpValuesTest {
  static List<@Nullable Object> values() {
    return Arrays.asList(
        null,
        true,
        (byte) -1,
        (short) -2,
        3,
        -129,
        5L,
        1L << 40,
        1.5f,
        -2.5,
        "text",
        "é".repeat(200),
        new Symbol("symbol"),
        new Symbol("s".repeat(300)),
        new UUID(1, 2),
        new Timestamp(1_893_456_000_000L),
        new AmqpChar(0x1f600),
        new Unsigned.Ubyte(255),
        new Unsigned.Ushort(65535),
        new Unsigned.Uint(0),
        new Unsigned.Uint(200),
        new Unsigned.Uint(0xffff_ffffL),
        new Unsigned.Ulong(0),
        new Unsigned.Ulong(7),
        new Unsigned.Ulong(-1),
        new Decimal.Decimal32(1),
        new Decimal.Decimal64(2),
        new Decimal.Decimal128(3, 4),
        List.of(),
        List.of(1, "two", List.of(3L)),
        Map.of(),
        Map.of("k", new Symbol("v"), new Symbol("k"), 2),
        new Described(new Unsigned.Ulong(0x137000000CL), "id"),
        new Described(new Symbol("com.microsoft:timespan"), 5L),
        TypedArray.ofLongs(1, -1),
        TypedArray.ofLongs(new long[100]),
        TypedArray.ofTimestamps(0, 1),
        TypedArray.ofUuids(List.of(new UUID(5, 6))));
  }

  @ParameterizedTest
  @MethodSource("values")
  void everyTypeComesBackAsItWas(@Nullable Object value) {
    ByteBuf bytes = encoded(value);

    assertThat(decoded(bytes)).isEqualTo(value);
    assertThat(new ValueCheck()).satisfies(check -> assertWhole(check, bytes));
  }

  @Test
  void arraysOfAnyTypeComeBackWithTheWidestConstructor() {
    var elements =
        List.<List<Object>>of(
            List.of(true, false),
            List.of(1, 300),
            List.of((byte) 1),
            List.of((short) 1),
            List.of(new Unsigned.Uint(7)),
            List.of("a", "b".repeat(300)),
            List.of(new Symbol("x")),
            List.of(List.of(1), List.of()),
            List.of(Map.of("a", 1)),
            List.of(1.5f),
            List.of(2.5),
            List.of(new AmqpChar(65)),
            List.of(new Described(new Symbol("d"), 1L)));
    int[] codes = {0x41, 0x54, 0x51, 0x61, 0x52, 0xa1, 0xa3, 0xc0, 0xc1, 0x72, 0x82, 0x73, 0x55};

    for (int i = 0; i < codes.length; i++) {
      List<Object> expected = elements.get(i);
      Object back = decoded(encoded(new TypedArray(codes[i], elements.get(i))));

      assertThat(back)
          .isInstanceOfSatisfying(
              TypedArray.class, array -> assertThat(array.elements()).isEqualTo(expected));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "00a3037b7b7b43 | Described[descriptor={{{, value=Uint[value=0]]",
        "5601 | true",
        "e003015405 | TypedArray[elementCode=84, elements=[5]]",
        "f0000000050000000141 | TypedArray[elementCode=65, elements=[true]]",
        "e0020141 | TypedArray[elementCode=65, elements=[true]]",
        "c10502a1017843 | {x=Uint[value=0]}",
        "d0000000050000000143 | [Uint[value=0]]",
        "800000000000000005 | Ulong[value=5]"
      })
  void otherEncodingsAreTakenToo(String hex, String text) {
    assertThat(decoded(Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex)))).hasToString(text);
  }

  @Test
  void theArraysThatClientsCastAreExact() {
    ByteBuf out = Unpooled.buffer();
    AmqpWriter.writeTimestampArray(out, new long[] {1});
    AmqpWriter.writeLongArray(out, new long[] {2});
    AmqpWriter.writeUuidArray(out, List.of(new UUID(3, 4)));
    AmqpWriter.writeSymbolArray(out, List.of("a"));

    assertThat(ByteBufUtil.hexDump(out))
        .isEqualTo(
            "e00a0183"
                + "0000000000000001"
                + "e00a0181"
                + "0000000000000002"
                + "e0120198"
                + "00000000000000030000000000000004"
                + "f00000000700000001a30161");
  }

  @Test
  void textMapsTakeSymbolsAndStringsForKeysAndNothingElse() {
    ByteBuf mixed = encoded(Map.of("a", 1));
    ByteBuf numbers = encoded(Map.of(1, 1));

    assertThat(AmqpValues.decodeTextMap(reader(mixed))).isEqualTo(Map.of("a", 1));
    assertThatThrownBy(() -> AmqpValues.decodeTextMap(reader(numbers)))
        .isInstanceOf(AmqpDecodeException.class);
  }

  /**
   * All of them have the hash 0, which a map that looks for hashes would look through each time.
   */
  static List<LongFunction<Object>> keysWithOneHash() {
    return List.of(
        Timestamp::new,
        Unsigned.Ulong::new,
        Decimal.Decimal64::new,
        number -> number % 2 == 0 ? new Timestamp(number) : (Object) number);
  }

  @ParameterizedTest
  @MethodSource("keysWithOneHash")
  @Timeout(10) // a hash map takes minutes
  void aMapOfKeysWithOneHashIsDecodedInTime(LongFunction<Object> key) {
    int entries = 100_000;
    var wire = Unpooled.buffer();
    int mark = AmqpWriter.beginMap(wire);
    for (long i = 1; i <= entries; i++) {
      AmqpValues.encode(wire, key.apply(i << 32 | i));
      AmqpValues.encode(wire, "as many bytes as it costs");
    }
    AmqpWriter.endMap(wire, mark, 2 * entries);

    var map = mapIn(wire);

    assertThat(map).hasSize(entries);
    assertThat(map.containsKey(key.apply(7L << 32 | 7))).isTrue();
    assertThat(map.containsKey(key.apply(7))).isFalse();
  }

  @Test
  void aMapKeepsTheOrderOfTheWireAndTheLastValueOfAKey() {
    var keys =
        List.<Object>of(
            "b",
            new Symbol("b"),
            2,
            2L,
            new Unsigned.Uint(2),
            true,
            2.5,
            1.5f,
            (byte) 2,
            (short) 2,
            new AmqpChar(98),
            new Timestamp(2),
            new UUID(2, 2),
            "a",
            new Unsigned.Ubyte(2),
            new Unsigned.Ushort(2),
            new Decimal.Decimal32(2),
            new Decimal.Decimal128(2, 1),
            new Decimal.Decimal128(2, 2));
    var wire = Unpooled.buffer();
    int mark = AmqpWriter.beginMap(wire);
    for (var round = 0; round < 2; round++) {
      for (var i = 0; i < keys.size(); i++) {
        AmqpValues.encode(wire, keys.get(i));
        AmqpValues.encode(wire, i + round);
      }
    }
    AmqpWriter.endMap(wire, mark, 4 * keys.size());

    var map = mapIn(wire);

    assertThat(new ArrayList<Object>(map.keySet())).isEqualTo(keys);
    assertThat(map.get("a")).isEqualTo(14);
    assertThat(map.get(2)).isEqualTo(3);
    assertThat(map.get(List.of())).isNull();
    assertThat(map.containsKey(List.of())).isFalse();
  }

  @Test
  void aBinaryKeyIsFoundByItsBytes() {
    var wire = Unpooled.buffer();
    int mark = AmqpWriter.beginMap(wire);
    AmqpValues.encode(wire, new byte[] {1, 2});
    AmqpValues.encode(wire, "x");
    AmqpWriter.endMap(wire, mark, 2);

    assertThat(mapIn(wire).get(new byte[] {1, 2})).isEqualTo("x");
  }

  private static Map<?, ?> mapIn(ByteBuf wire) {
    return Objects.requireNonNull((Map<?, ?>) decoded(wire));
  }

  static List<Object> keysThatAreNone() {
    return List.of(
        List.of(1),
        Map.of("a", 1),
        TypedArray.ofLongs(1),
        new Described(new Symbol("described"), 1));
  }

  @ParameterizedTest
  @MethodSource("keysThatAreNone")
  void aMapWithAKeyOfNoPrimitiveTypeIsRefusedUnlessNobodyReadsIt(Object key) {
    ByteBuf wire = encoded(Map.of("k", Map.of(key, 1)));

    assertThatThrownBy(() -> decoded(wire)).isInstanceOf(AmqpDecodeException.class);
    assertThatThrownBy(() -> AmqpValues.decodeTextMap(reader(wire)))
        .isInstanceOf(AmqpDecodeException.class);
    assertThat(AmqpValues.decodeFlatTextMap(reader(wire)))
        .isEqualTo(Collections.singletonMap("k", null));
  }

  @Test
  void aFlatMapHasItsPrimitiveValuesAndNullForOthers() {
    var described = new Described(new Symbol("com.microsoft:timespan"), 5L);
    var values = new LinkedHashMap<String, Object>();
    values.put("list", List.of(1));
    values.put("array", TypedArray.ofLongs(1));
    values.put("number", 1);
    values.put("described", described);
    values.put("describedList", new Described(new Symbol("x"), List.of(1)));
    values.put("text", "t");

    var flat = AmqpValues.decodeFlatTextMap(reader(encoded(values)));

    assertThat(flat)
        .containsEntry("number", 1)
        .containsEntry("described", described)
        .containsEntry("text", "t")
        .containsEntry("list", null)
        .containsEntry("array", null)
        .containsEntry("describedList", null);
  }

  @Test
  void readersTakeAnyWidthAndRefuseOtherTypes() {
    ByteBuf bytes = Unpooled.buffer();
    var numbers = List.of(1, 2L, (short) 3, (byte) 4, new Unsigned.Uint(5), new Unsigned.Ulong(6));
    numbers.forEach(number -> AmqpValues.encode(bytes, number));
    AmqpReader reader = reader(bytes);
    var read = new ArrayList<Long>();
    while (reader.hasMore()) {
      read.add(reader.readAnyInteger());
    }

    assertThat(read).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    assertThatThrownBy(() -> reader(encoded("x")).readInt())
        .isInstanceOf(AmqpDecodeException.class);
    assertThatThrownBy(() -> reader(Unpooled.EMPTY_BUFFER).readInt())
        .isInstanceOf(AmqpDecodeException.class);
  }

  private static void assertWhole(ValueCheck check, ByteBuf bytes) {
    check.start(bytes.writerIndex());
    assertThat(check.check(bytes, 0, bytes.writerIndex())).isEqualTo(bytes.writerIndex());
  }

  private static ByteBuf encoded(@Nullable Object value) {
    ByteBuf out = Unpooled.buffer();
    AmqpValues.encode(out, value);
    return out;
  }

  private static @Nullable Object decoded(ByteBuf bytes) {
    return AmqpValues.decode(reader(bytes));
  }

  private static AmqpReader reader(ByteBuf bytes) {
    return new AmqpReader().reset(bytes, 0, bytes.writerIndex());
  }
}
