package io.peeklock.cli;

import java.util.concurrent.Callable;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Looks at messages without taking them, over the queue's management node. */
@Command(
    name = "peek",
    description = "Look at messages of a queue without taking or locking them.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Prints sequence number, state, delivery count and body, parted by tabs.",
      "Ends with 0, or 1 when there is nothing, 2 for a wrong option, 3 when the broker refused,",
      "4 when it could not be reached."
    })
final class PeekCommand implements Callable<Integer> {
  @Mixin private BrokerOption broker = new BrokerOption();

  @Mixin private ReadOption source = new ReadOption();

  @Option(
      names = "--from",
      paramLabel = "N",
      description = "Sequence number to begin at (default: the first).")
  private long from = 1;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "How many to show at most (default: ${DEFAULT-VALUE}).")
  private int count = 10;

  @Mixin private OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    if (count < 1) {
      throw CliFailure.usage("--count must be at least 1");
    }
    source.check();
    var printer = output.printer();
    return broker.talk(
        (connection, incoming) -> {
          try (var node = Management.of(connection, source.address(connection), incoming)) {
            return peekAll(node, printer) == 0 ? CliFailure.NOTHING : 0;
          }
        });
  }

  private int peekAll(Management node, Printer printer) throws ClientException {
    var shown = 0;
    var next = from;
    while (shown < count) {
      var messages = node.peek(next, count - shown, null);
      if (messages.isEmpty()) {
        break;
      }
      for (var message : messages) {
        if (printer.isTable()) {
          printer.text(MessageText.line(message));
        } else {
          printer.element(MessageJson.fields(message));
        }
        next = MessageJson.sequenceNumber(message) + 1;
        shown++;
      }
      printer.flush();
    }
    printer.end();
    return shown;
  }
}
