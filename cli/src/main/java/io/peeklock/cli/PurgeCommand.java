package io.peeklock.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Deletes all active messages of one queue, without receiving them. */
@Command(
    name = "purge",
    description = {
      "Delete all active messages of a queue or subscription.",
      "Nobody is asked whether this was meant. What is locked, deferred or scheduled stays, and",
      "so does what comes later."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "For example:",
      "  peeklock purge orders",
      "  peeklock purge orders --dead-letter --older-than 7d"
    })
final class PurgeCommand implements Callable<Integer> {
  /** At a time: what every profile of the broker allows. */
  private static final int MOST = 500;

  private static final int TELL_EACH = 50_000;

  @Mixin private BrokerOption broker = new BrokerOption();
  @Mixin private ReadOption from = new ReadOption();

  @Option(
      names = "--older-than",
      paramLabel = "DURATION",
      converter = Span.class,
      description = "Only what has been there for longer than this, such as 10m or 7d.")
  private @Nullable Duration olderThan;

  @Mixin private OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    from.check();
    var printer = output.printer();
    return broker.talk(
        (connection, incoming) -> {
          try (var node = Management.of(connection, from.address(connection), incoming)) {
            var deleted = purge(node, printer);
            if (printer.isTable()) {
              printer.say(MoveOption.messages(deleted) + " deleted");
            } else {
              printer.only(Map.of("deleted", deleted));
            }
            printer.flush();
            return deleted == 0 ? CliFailure.NOTHING : 0;
          }
        });
  }

  private long purge(Management node, Printer printer) throws ClientException {
    var before = Instant.now().minus(olderThan == null ? Duration.ZERO : olderThan);
    var request = new LinkedHashMap<String, @Nullable Object>();
    request.put("message-count", MOST);
    request.put("enqueued-time-utc", Date.from(before));
    var deleted = 0L;
    for (var more = delete(node, request); more > 0; more = delete(node, request)) {
      if ((deleted + more) / TELL_EACH > deleted / TELL_EACH) {
        printer.note("deleted " + (deleted + more) + " messages so far");
      }
      deleted += more;
    }
    return deleted;
  }

  private static long delete(Management node, Map<String, @Nullable Object> request)
      throws ClientException {
    var answer = node.ask("batch-delete-messages", request);
    return answer != null && answer.get("message-count") instanceof Number count
        ? count.longValue()
        : 0;
  }
}
