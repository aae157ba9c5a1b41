package io.peeklock.amqp.engine.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each limit of the check, at the limit and beyond it. */
class ValueCheckTest {
  private final ValueCheck check = new ValueCheck();

  @ParameterizedTest
  @CsvSource({
    "'', a value is cut off",
    "3f, an unknown constructor",
    "46, an unknown constructor",
    "70000000, a value is cut off",
    "a1, a size is cut off",
    "a10241, a size goes beyond the enclosing value",
    "b17fffffff41, a size goes beyond the enclosing value",
    "b1ffffffff41, a size goes beyond the enclosing value",
    "c000, a count is cut off",
    "c00105, a count is larger than the bytes left",
    "c0020140, ''",
    "c003014040, bytes are left behind the last value",
    "c1020140, a map has a key without a value",
    "c10101, a count is larger than the bytes left",
    "d0000000047fffffff, a count is larger than the bytes left",
    "e0020141, ''",
    "e0020240, an array counts more elements than it has bytes for",
    "f0000000057fffffff41, an array counts more elements than it has bytes for",
    "f0000000050fffffff45, an array counts more elements than it has bytes for",
    "e003025001, an array counts more elements than it has bytes for",
    "e00401510102, bytes are left behind the last element",
    "e0020046, an unknown constructor",
    "e00100, an array is cut off",
    "00, a descriptor is cut off",
    "0040, a descriptor is neither ulong nor symbol",
    "005324, a value is cut off",
    "0000532445, a descriptor is neither ulong nor symbol"
  })
  void malformedValuesAreNamed(String hex, String problem) {
    ByteBuf bytes = Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex));
    check.start(bytes.readableBytes());

    int behind = check.check(bytes, 0, bytes.readableBytes());

    assertThat(behind).isEqualTo(problem.isEmpty() ? bytes.readableBytes() : -1);
    assertThat(check.problem()).isEqualTo(problem);
  }

  @Test
  void unknownDescriptorsPassOnlyBelowMaps() {
    String unknown = "00a30178" + "40";

    assertThat(performative("c00601" + unknown)).isEqualTo(-1);
    assertThat(check.problem()).isEqualTo("an unknown descriptor");
    assertThat(performative("c00401" + "005399")).isEqualTo(-1);
    assertThat(performative("c00b01" + "00800000000000001370" + "40")).isEqualTo(-1);
    assertThat(performative("c10902a10161" + unknown)).isPositive();
    assertThat(performative("c00501" + "00532445")).isPositive();
    assertThat(performative("c01701" + "00a312616d71703a61636365707465643a6c69737445"))
        .isPositive();
  }

  @Test
  void nesting32DeepPassesAnd33DoesNot() {
    assertThat(lists(32)).isPositive();
    assertThat(lists(33)).isEqualTo(-1);
    assertThat(described(32)).isPositive();
    assertThat(described(33)).isEqualTo(-1);
    assertThat(lists(5_000)).isEqualTo(-1);
    assertThat(described(20_000)).isEqualTo(-1);
  }

  @Test
  void theBudgetIsOneForAllValuesOfAFrame() {
    ByteBuf nulls = Unpooled.buffer();
    nulls.writeByte(0xd0).writeInt(60_004).writeInt(60_000);
    nulls.writeBytes("@".repeat(60_000).getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    check.start(nulls.writerIndex());

    assertThat(check.check(nulls, 0, nulls.writerIndex())).isPositive();
    assertThat(check.check(nulls, 0, nulls.writerIndex())).isEqualTo(-1);
    assertThat(check.problem()).isEqualTo("decoding this would cost too much");
    assertThat(check.checkStructure(nulls, 0, nulls.writerIndex())).isPositive();
  }

  private int performative(String hex) {
    ByteBuf bytes = Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex));
    check.start(bytes.readableBytes());
    return check.checkPerformative(bytes, 0, bytes.readableBytes());
  }

  private int lists(int depth) {
    ByteBuf bytes = Unpooled.buffer();
    for (int left = depth; left > 0; left--) {
      bytes.writeByte(0xd0).writeInt(4 + (left - 1) * 9).writeInt(left == 1 ? 0 : 1);
    }
    return checked(bytes);
  }

  private int described(int depth) {
    ByteBuf bytes = Unpooled.buffer();
    for (int i = 0; i < depth; i++) {
      bytes.writeByte(0).writeShort(0x5324);
    }
    bytes.writeByte(0x40);
    return checked(bytes);
  }

  private int checked(ByteBuf bytes) {
    check.start(bytes.writerIndex());
    return check.check(bytes, 0, bytes.writerIndex());
  }
}
