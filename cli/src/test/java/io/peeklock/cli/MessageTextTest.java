package io.peeklock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.qpid.protonj2.client.Message;
import org.junit.jupiter.api.Test;

/** Messages as lines. */
class MessageTextTest {

  @Test
  void textIsPrintedAsItIsAndOtherBytesInBase64() throws Exception {
    var text = Message.create("grüß".getBytes(StandardCharsets.UTF_8));
    var bytes = Message.create(new byte[] {(byte) 0xff, 0});

    assertThat(MessageText.body(text)).isEqualTo("grüß");
    assertThat(MessageText.body(bytes)).isEqualTo("/wA=");
  }

  @Test
  void aTerminalIsTextAndNoCommands() {
    assertThat(Printed.harmless("a\tb\r\nc\u001b]0;x\u0007\u009b2J\rd\u202e\u007fgrüß"))
        .isEqualTo("a\tb\nc\\u001b]0;x\\u0007\\u009b2J\\u000dd\\u202e\\u007fgrüß");
    assertThat(Printed.cell("a\u001b\n\u202eb")).isEqualTo("a   b");
    assertThat(Printed.sentence("x".repeat(70_000))).hasSize(2_001);
  }

  @Test
  void aLineHasNumberStateCountAndBody() throws Exception {
    var message = Message.create("b\r\nc\td".getBytes(StandardCharsets.UTF_8));
    message.annotation("x-opt-sequence-number", 7L).annotation("x-opt-message-state", 1);

    assertThat(MessageText.line(message.toAdvancedMessage()))
        .isEqualTo("7\tdeferred\t0\tb\\r\\nc\\td");
  }

  @Test
  void aValueThatIsNoTextIsPrintedAsJavaWould() throws Exception {
    assertThat(MessageText.body(Message.create(Map.of("k", 1)))).isEqualTo("{k=1}");
  }
}
