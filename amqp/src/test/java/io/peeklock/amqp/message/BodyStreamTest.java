package io.peeklock.amqp.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.Rule;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The body of a large message, byte by byte. */
class BodyStreamTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final BodyStream stream =
      new BodyStream(
          bytes -> {
            while (bytes.hasRemaining()) {
              out.write(bytes.get());
            }
          });

  /** What is wrong with these bytes, given one at a time; else what came through. */
  private String pass(String hex) {
    for (var one : HexFormat.of().parseHex(hex.replace(" ", ""))) {
      var wrong = stream.take(ByteBuffer.wrap(new byte[] {one}));
      if (wrong != null) {
        return wrong;
      }
    }
    var wrong = stream.atEnd();
    return wrong == null ? HexFormat.of().formatHex(out.toByteArray()) : wrong;
  }

  @Test
  @Rule("T-52")
  void dataAndFooterPassAndDeliveryAnnotationsDoNot() {
    assertThat(
            pass(
                "005375 a0 02 0102 005375 b0 00000001 03 005371 c1 01 00"
                    + " 005378 c1 05 02 a3 01 6b 41"))
        .isEqualTo("005375a0020102005375b00000000103005378c10502a3016b41");
  }

  @Test
  @Rule("T-07")
  void longDescriptorsBecomeSmallOnes() {
    assertThat(pass("00 80 0000000000000077 a1 02 6869")).isEqualTo("005377a1026869");
  }

  @Test
  void valuesOfEveryWidthPass() {
    for (var value :
        new String[] {
          "40",
          "5001",
          "600102",
          "7001020304",
          "810000000000000001",
          "98000102030405060708090a0b0c0d0e0f",
          "c10100",
          "d10000000400000000",
          "e0020040"
        }) {
      out.reset();
      assertThat(new BodyStreamTest().pass("005377" + value)).startsWith("005377");
    }
  }

  @Test
  void whatIsOutOfPlaceIsNamed() {
    assertThat(pass("005374 c10100")).contains("out of place");
    assertThat(new BodyStreamTest().pass("005375 a101 00")).contains("no binary");
    assertThat(new BodyStreamTest().pass("005376 c10100")).contains("no list");
    assertThat(new BodyStreamTest().pass("005377 00530140")).contains("described value");
    assertThat(new BodyStreamTest().pass("005377 40 005377 40")).contains("different kinds");
    assertThat(new BodyStreamTest().pass("005377 40 005375 a000")).contains("different kinds");
    assertThat(new BodyStreamTest().pass("005377 10")).contains("size");
    assertThat(new BodyStreamTest().pass("005378 c10100")).contains("footer");
    assertThat(new BodyStreamTest().pass("005371 40")).contains("no map");
    assertThat(new BodyStreamTest().pass("005377 40 005378 c10100 005375 a000"))
        .contains("out of place");
    assertThat(new BodyStreamTest().pass("ff5377 40")).contains("out of place");
    assertThat(new BodyStreamTest().pass("005375 a0 05 01")).contains("inside of a section");
    assertThat(new BodyStreamTest().pass("0053")).contains("inside of a section");
    assertThat(new BodyStreamTest().pass("")).contains("no body");
    assertThat(new BodyStreamTest().pass("005377 40 005378 c1 02 02 a1")).contains("footer");
    assertThat(new BodyStreamTest().pass("005377 40 005378 c1 00")).contains("inside of a section");
    assertThat(new BodyStreamTest().pass("005377 40 005378 d1 00010001")).contains("footer");
  }
}
