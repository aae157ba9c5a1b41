package io.peeklock.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.apache.qpid.protonj2.types.UnsignedInteger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Messages that were deferred, and are received by their numbers alone. */
@Command(
    name = "defer",
    description = "List and receive deferred messages.",
    subcommands = {DeferCommand.Lists.class, DeferCommand.Receive.class},
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "For example:",
      "  peeklock receive orders --settle defer",
      "  peeklock defer list orders",
      "  peeklock defer receive orders 17"
    })
final class DeferCommand {
  private static final String DEFERRED = "deferred";

  private DeferCommand() {}

  /** Lists them. */
  @Command(
      name = "list",
      description = "List deferred messages.",
      sortOptions = false,
      mixinStandardHelpOptions = true)
  static final class Lists implements Callable<Integer> {
    @Mixin private ListingOption listing = new ListingOption();
    @Mixin private SubQueueOption part = new SubQueueOption();

    @Override
    public Integer call() {
      return listing.run(
          part::address,
          DEFERRED,
          List.of(
              ListingOption.NUMBER,
              ListingOption.ENQUEUED,
              ListingOption.MESSAGE_ID,
              ListingOption.SESSION,
              ListingOption.BODY));
    }
  }

  /** Receives them. */
  @Command(
      name = "receive",
      description = "Receive deferred messages, print them, and settle them.",
      sortOptions = false,
      mixinStandardHelpOptions = true)
  static final class Receive implements Callable<Integer> {
    private static final int BATCH = 100;

    /** What becomes of a message, as the broker is told. */
    enum Settle {
      COMPLETE("completed"),
      ABANDON("abandoned"),
      DEAD_LETTER("suspended");

      private final String word;

      Settle(String word) {
        this.word = word;
      }

      @Override
      public String toString() {
        return CliMain.wordOf(this);
      }
    }

    @Mixin private BrokerOption broker = new BrokerOption();
    @Mixin private Selection selection = new Selection();
    @Mixin private SubQueueOption part = new SubQueueOption();

    @Option(
        names = "--settle",
        paramLabel = "HOW",
        description = {
          "complete, abandon or dead-letter (default: complete). What is abandoned stays",
          "deferred."
        })
    private Settle settle = Settle.COMPLETE;

    @Option(
        names = "--session",
        paramLabel = "ID",
        description = "The session that they are of, where the queue has sessions.")
    private @Nullable String session;

    @Mixin private OutputOption output = new OutputOption();

    @Override
    public Integer call() {
      selection.check();
      part.address(selection.name());
      var printer = output.printer();
      return broker.talk(
          (connection, incoming) -> {
            var address = part.address(selection.name(connection));
            if (session == null) {
              try (var node = Management.of(connection, address, incoming)) {
                return receive(node, printer);
              }
            }
            var options = BrokerOption.patient(new ReceiverOptions()).creditWindow(0);
            SessionOption.ask(options, session, Duration.ZERO);
            try (var holder = connection.openReceiver(address, options);
                var node = Management.of(connection, address, incoming)) {
              Management.opened(holder.openFuture());
              return receive(node, printer);
            }
          });
    }

    private int receive(Management node, Printer printer) throws ClientException {
      var numbers = List.copyOf(Browse.of(node, DEFERRED).numbers(selection));
      for (var from = 0; from < numbers.size(); from += BATCH) {
        var some = numbers.subList(from, Math.min(numbers.size(), from + BATCH));
        var answer = node.ask("receive-by-sequence-number", request(some));
        for (var message : Management.messages(answer)) {
          if (printer.isTable()) {
            printer.text(Printed.body(MessageText.body(message)));
          } else {
            printer.element(MessageJson.fields(message));
          }
        }
        printer.flush();
        settle(node, tokens(answer));
      }
      printer.end();
      return numbers.isEmpty() ? CliFailure.NOTHING : 0;
    }

    private Map<String, Object> request(List<Long> numbers) {
      var body = new LinkedHashMap<String, Object>();
      body.put("sequence-numbers", numbers.stream().mapToLong(Long::longValue).toArray());
      body.put("receiver-settle-mode", UnsignedInteger.ONE);
      return withSession(body);
    }

    private Map<String, Object> withSession(Map<String, Object> body) {
      if (session != null) {
        body.put("session-id", session);
      }
      return body;
    }

    private void settle(Management node, List<UUID> tokens) throws ClientException {
      if (!tokens.isEmpty()) {
        var body = new LinkedHashMap<String, Object>();
        body.put("disposition-status", settle.word);
        body.put("lock-tokens", tokens.toArray(UUID[]::new));
        node.ask("update-disposition", withSession(body));
      }
    }

    private static List<UUID> tokens(@Nullable Map<?, ?> answer) {
      var tokens = new ArrayList<UUID>();
      if (answer != null && answer.get("messages") instanceof List<?> list) {
        for (var entry : list) {
          if (entry instanceof Map<?, ?> one && one.get("lock-token") instanceof UUID token) {
            tokens.add(token);
          }
        }
      }
      return tokens;
    }
  }
}
