package io.peeklock.conformance.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Program;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A broker that other machines reach, as in a container, with the string that it prints. */
class OpenBrokerTest {
  private static final Pattern STRING = Pattern.compile("(?m)^connect +(\\S+)$");

  private final BrokerProcess broker =
      BrokerProcess.start(
          Folders.fresh("open"),
          List.of("--bind", "0.0.0.0", "--allow-plaintext", "--in-memory", "--queue", "orders"));

  @AfterEach
  void away() {
    broker.close();
  }

  /** There no password is taken in the clear. */
  @Test
  void theCommandLineSendsPeeksAndReceivesWithIt() {
    var string = STRING.matcher(broker.output().text()).results().findFirst().orElseThrow();
    var connection = string.group(1);

    var sent = Program.run("send", "orders", "hello", "--connection", connection);
    var peeked = Program.run("peek", "orders", "--connection", connection);
    var received = Program.run("receive", "orders", "--connection", connection);

    assertThat(sent).isEqualTo(new Program(0, "1 message accepted by orders\n"));
    assertThat(peeked.said()).contains("hello");
    assertThat(received).isEqualTo(new Program(0, "hello\n"));
  }

  @Test
  void aWrongKeyIsRefused() {
    var wrong =
        "Endpoint=sb://localhost:"
            + broker.port()
            + ";SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=d3Jvbmc=;"
            + "UseDevelopmentEmulator=true";

    var sent = Program.run("send", "orders", "hello", "--connection", wrong);

    assertThat(sent.exitCode()).isEqualTo(3);
    assertThat(sent.said()).contains("does not take this key").doesNotContain("d3Jvbmc=");
  }
}
