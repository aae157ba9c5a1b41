package io.peeklock.conformance.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.util.BinaryData;
import com.azure.messaging.servicebus.ServiceBusMessage;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Sdk;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the unmodified client for Java and the broker say to each other, in the broker's log. */
class WireTraceTest {
  private static final Pattern LINE =
      Pattern.compile("INFO  wire: 127\\.0\\.0\\.1:\\d+ [<>] (ch=\\d+ .*|heartbeat|header .*)$");

  private static List<String> traced(String... options) {
    try (var broker = BrokerProcess.start(Folders.fresh("wire"), List.of(options))) {
      var client = Sdk.connection(broker.connectionString());
      try (var sender = client.sender().queueName("orders").buildClient()) {
        sender.sendMessage(new ServiceBusMessage(BinaryData.fromString("the body of the message")));
      }
      assertThat(broker.stop()).isZero();
      return broker.output().text().lines().filter(line -> line.contains(" wire: ")).toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"all", "127.0.0.1"})
  void theFramesOfATracedClientAreLinesInOrder(String peers) {
    var lines = traced("--queue", "orders", "--wire-trace", peers);

    assertThat(lines).allMatch(line -> LINE.matcher(line).find());
    var words =
        List.of(
            "> header AMQP",
            "> ch=0 sasl-init{mechanism=ANONYMOUS", // which does not wait for what it may choose
            "< ch=0 sasl-mechanisms{",
            "> ch=0 open{",
            "< ch=0 open{container-id=peeklock",
            "attach{name=cbs",
            "transfer{",
            "target=target{address=orders",
            "transfer{",
            "state=accepted{}",
            "close{");
    var from = 0;
    for (var word : words) {
      while (from < lines.size() && !lines.get(from).contains(word)) {
        from++;
      }
      assertThat(from).as("%s in\n%s", word, String.join("\n", lines)).isLessThan(lines.size());
    }
    assertThat(String.join("\n", lines)).doesNotContain("the body of", "SharedAccessSignature sr");
  }

  @Test
  void aClientThatIsNotTracedIsNot() {
    assertThat(traced("--queue", "orders", "--wire-trace", "127.0.0.1:1")).isEmpty();
    assertThat(traced("--queue", "orders")).isEmpty();
  }
}
