package io.peeklock.http.admin.atom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Documents of clients as they come, whatever their bytes are. */
class XmlNodeTest {
  private static XmlNode read(byte[] bytes) {
    return XmlNode.read(new ByteArrayInputStream(bytes));
  }

  @Test
  @ResourceLock(Resources.SYSTEM_ERR)
  void bytesThatAreNoTextAreRefusedAndNothingIsPrinted() {
    var before = System.err;
    var printed = new ByteArrayOutputStream();
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      for (var spoilt :
          List.of(
              new byte[] {'<', 'a', '>', (byte) 0xff, '<', '/', 'a', '>'},
              new byte[] {'<', 'a', '>', (byte) 0xe2, '(', (byte) 0xa1, '<', '/', 'a', '>'},
              new byte[] {(byte) 0x80, (byte) 0x80},
              new byte[] {(byte) 0xfe, (byte) 0xff, 0, '<', (byte) 0xd8},
              new byte[] {})) {
        assertThatThrownBy(() -> read(spoilt))
            .isInstanceOf(Problem.class)
            .hasMessageContaining("not well-formed");
      }
    } finally {
      System.setErr(before);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @Test
  void aDocumentIsReadByItsMarkWhateverItSaysOfItself() {
    var text = "<?xml version=\"1.0\" encoding=\"utf-16\"?><a>\u00e4\u4e2d</a>";

    for (var charset : List.of(StandardCharsets.UTF_16BE, StandardCharsets.UTF_16LE)) {
      assertThat(read(("\ufeff" + text).getBytes(charset)).text()).isEqualTo("\u00e4\u4e2d");
    }
    assertThat(read(text.getBytes(StandardCharsets.UTF_8)).text()).isEqualTo("\u00e4\u4e2d");
    assertThat(read(("\ufeff" + text).getBytes(StandardCharsets.UTF_8)).text())
        .isEqualTo("\u00e4\u4e2d");
  }
}
