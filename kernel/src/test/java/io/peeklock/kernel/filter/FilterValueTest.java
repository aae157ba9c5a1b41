package io.peeklock.kernel.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.proof.Rule;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class FilterValueTest {

  @Test
  void aCopyKeepsItsBytesWhenTheBorrowedOnesChange() {
    byte[] bytes = "a red b".getBytes(StandardCharsets.UTF_8);
    var value = new FilterValue().setUtf8(bytes, 2, 3);

    FilterValue copy = value.copy();
    bytes[2] = 'R';

    assertThat(copy.text()).isEqualTo("red");
    assertThat(value.text()).isEqualTo("Red");
    assertThat(copy.toBytes()).hasSize(copy.length()).isEqualTo(new byte[] {'r', 'e', 'd'});
  }

  @Test
  void anIntegerKeepsItsWidthAndRefusesWhatDoesNotFit() {
    assertThat(new FilterValue().setWhole(ValueType.UBYTE, 255).whole()).isEqualTo(255);
    assertThatThrownBy(() -> new FilterValue().setWhole(ValueType.UBYTE, 256))
        .hasMessage("UBYTE does not hold 256");
    assertThatThrownBy(() -> new FilterValue().setWhole(ValueType.BYTE, -129))
        .hasMessage("BYTE does not hold -129");
    assertThatThrownBy(() -> new FilterValue().setWhole(ValueType.DOUBLE, 1))
        .hasMessage("DOUBLE does not hold 1");
    assertThat(new FilterValue().setUnsigned(5).type()).isEqualTo(ValueType.ULONG);
    assertThat(new FilterValue().setUnsigned(-1).asDecimal())
        .isEqualTo(new BigDecimal("18446744073709551615"));
  }

  @Test
  @Rule("S-344")
  void aPointInTimeBeyondTheTicksIsTheLastOrFirstOne() {
    assertThat(new FilterValue().setTimestampMillis(-1).ticks()).isEqualTo(-10_000);
    assertThat(new FilterValue().setTimestampMillis(Long.MAX_VALUE).ticks())
        .isEqualTo(Long.MAX_VALUE);
    assertThat(new FilterValue().setTimestampMillis(Long.MIN_VALUE).ticks())
        .isEqualTo(Long.MIN_VALUE);
    assertThat(new FilterValue().setTimestampMillis(Long.MAX_VALUE / 10_000).ticks())
        .isEqualTo(Long.MAX_VALUE / 10_000 * 10_000);
  }

  @Test
  void valuesAreTheSameWhenTypeAndContentAre() {
    var values =
        List.of(
            new FilterValue(),
            FilterValue.ofNull(),
            new FilterValue().setOther(),
            FilterValue.of(true),
            FilterValue.of(false),
            FilterValue.of(1),
            new FilterValue().setWhole(ValueType.INT, 1),
            FilterValue.of(1.0),
            FilterValue.of(1.5),
            new FilterValue().setFloat(1),
            new FilterValue().setDecimal(BigDecimal.ONE),
            new FilterValue().setDecimal(BigDecimal.TEN),
            FilterValue.of("a"),
            FilterValue.of("b"),
            new FilterValue().setBinary(new byte[] {'a'}, 0, 1),
            new FilterValue().setTimestampTicks(1),
            new FilterValue().setDurationTicks(1),
            new FilterValue().setGuid(1, 1),
            new FilterValue().setGuid(1, 2),
            new FilterValue().setGuid(2, 1));

    for (FilterValue one : values) {
      assertThat(one.copy()).isEqualTo(one).hasSameHashCodeAs(one);
      assertThat(values.stream().filter(one::equals)).hasSize(1);
      assertThat(one).isNotEqualTo("a");
    }
    assertThat(FilterValue.of("red")).hasToString("red");
    assertThat(new FilterValue()).hasToString("MISSING");
  }

  @Test
  @Rule({"S-330", "S-336"})
  void namesIgnoreCaseInAndBeyondAscii() {
    assertThat(matches("Color", "cOLOR")).isTrue();
    assertThat(matches("Color", "colon")).isFalse();
    assertThat(matches("Color", "colors")).isFalse();
    assertThat(matches("a[", "a{")).as("letters only").isFalse();
    assertThat(matches("a`", "a@")).isFalse();
    assertThat(matches("GRÖßE", "größe")).isTrue();
    assertThat(matches("größe", "grösse")).isFalse();
    assertThat(matches("kelvin", "\u212Aelvin")).as("the Kelvin sign is no k").isFalse();
    assertThat(new PropertyName("kelvin")).isNotEqualTo(new PropertyName("\u212Aelvin"));
    assertThat(new PropertyName("Color"))
        .isEqualTo(new PropertyName("COLOR"))
        .hasSameHashCodeAs(new PropertyName("COLOR"))
        .isNotEqualTo("Color");
  }

  private static boolean matches(String name, String key) {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    return new PropertyName(name).matches(bytes, 0, bytes.length);
  }
}
