package io.peeklock.cli;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.apache.qpid.protonj2.client.AdvancedMessage;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows messages as they come, without taking them. */
@Command(
    name = "watch",
    description = "Show messages as they come, without taking or locking them; Ctrl-C ends it.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Prints sequence number, state, delivery count and body, parted by tabs. A message that",
      "somebody takes away between two looks is not seen."
    })
final class WatchCommand implements Callable<Integer> {
  private static final int PAGE = 250;

  @Mixin private BrokerOption broker = new BrokerOption();
  @Mixin private ReadOption source = new ReadOption();

  @Option(
      names = "--from",
      paramLabel = "N",
      description = "Sequence number to begin at (default: behind the last message).")
  private @Nullable Long from;

  @Option(
      names = "--interval",
      paramLabel = "DURATION",
      defaultValue = "500ms",
      converter = Span.class,
      description = "Time between two looks (default: ${DEFAULT-VALUE}).")
  private Duration interval = Duration.ZERO;

  @Option(
      names = "--for",
      paramLabel = "DURATION",
      converter = Span.class,
      description = "End after this time (default: never).")
  private @Nullable Duration time;

  @Option(names = "--count", paramLabel = "N", description = "End after so many (default: never).")
  private @Nullable Integer count;

  @Mixin private OutputOption output = new OutputOption();

  private long shown;

  @Override
  public Integer call() {
    if (count != null && count < 1) {
      throw CliFailure.usage("--count must be at least 1");
    }
    source.check();
    var printer = output.printer();
    return broker.talk(
        (connection, incoming) -> {
          try (var node = Management.of(connection, source.address(connection), incoming)) {
            watch(node, printer);
            printer.end();
            return shown == 0 ? CliFailure.NOTHING : 0;
          } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return CliFailure.UNREACHABLE;
          }
        });
  }

  private void watch(Management node, Printer printer)
      throws ClientException, InterruptedException {
    var next = from == null ? Browse.of(node).end() : from;
    var begun = System.nanoTime();
    while (!isDone(begun)) {
      var page = node.peek(next, PAGE, null);
      for (var message : page) {
        if (count == null || shown < count) {
          show(message, printer);
        }
        next = MessageJson.sequenceNumber(message) + 1;
      }
      printer.flush();
      if (page.isEmpty()) {
        Thread.sleep(interval);
      }
    }
  }

  private boolean isDone(long begun) {
    return (count != null && shown >= count)
        || (time != null && System.nanoTime() - begun > time.toNanos());
  }

  private void show(AdvancedMessage<?> message, Printer printer) throws ClientException {
    shown++;
    if (printer.isTable()) {
      printer.text(MessageText.line(message));
    } else {
      printer.element(MessageJson.fields(message));
    }
  }
}
