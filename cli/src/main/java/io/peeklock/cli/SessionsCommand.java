package io.peeklock.cli;

import java.lang.reflect.Array;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.qpid.protonj2.client.AdvancedMessage;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.apache.qpid.protonj2.types.Binary;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The sessions of a queue or subscription that has them. */
@Command(
    name = "sessions",
    description = "List the sessions of a queue, and show one.",
    subcommands = {SessionsCommand.Lists.class, SessionsCommand.Show.class},
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "For example:",
      "  peeklock sessions list orders",
      "  peeklock sessions show orders customer-5 --state",
      "  peeklock receive orders --session customer-5"
    })
final class SessionsCommand {
  private SessionsCommand() {}

  /** Lists them. */
  @Command(
      name = "list",
      description = "List the sessions that have active messages or a state.",
      sortOptions = false,
      mixinStandardHelpOptions = true)
  static final class Lists implements Callable<Integer> {
    private static final int PAGE = 1_000;

    /** The end of time, which asks for all sessions, not those whose state was set after it. */
    private static final Instant ALL = Instant.parse("9999-12-31T23:59:59.999Z");

    @Mixin private BrokerOption broker = new BrokerOption();
    @Mixin private QueueParameter queue = new QueueParameter();
    @Mixin private OutputOption output = new OutputOption();

    @Override
    public Integer call() {
      queue.name();
      var printer = output.printer().headed("SESSION");
      return broker.talk(
          (connection, incoming) -> {
            var address = queue.name(connection);
            try (var node = Management.of(connection, address, incoming)) {
              var found = list(node, printer);
              printer.end();
              return found == 0 ? CliFailure.NOTHING : 0;
            }
          });
    }

    private static int list(Management node, Printer printer) throws ClientException {
      var found = 0;
      for (var ids = page(node, found); !ids.isEmpty(); ids = page(node, found)) {
        ids.forEach(id -> printer.row(Map.of("sessionId", id), List.of(id)));
        found += ids.size();
      }
      return found;
    }

    private static List<String> page(Management node, int skip) throws ClientException {
      var body = new LinkedHashMap<String, Object>();
      body.put("last-updated-time", Date.from(ALL));
      body.put("skip", skip);
      body.put("top", PAGE);
      var answer = node.ask("get-message-sessions", body);
      var ids = new ArrayList<String>();
      var array = answer == null ? null : answer.get("sessions-ids");
      for (var i = 0; array != null && i < Array.getLength(array); i++) {
        ids.add(String.valueOf(Array.get(array, i)));
      }
      return ids;
    }
  }

  /** Shows one. */
  @Command(
      name = "show",
      description = "Show what a session holds.",
      sortOptions = false,
      mixinStandardHelpOptions = true)
  static final class Show implements Callable<Integer> {
    private static final int PAGE = 250;

    @Mixin private BrokerOption broker = new BrokerOption();
    @Mixin private QueueParameter queue = new QueueParameter();

    @Parameters(index = "1", paramLabel = "SESSION", description = "Its id.")
    private String id = "";

    @Option(
        names = "--state",
        description = {
          "Its state too. For that the session is locked for a moment, which is refused",
          "while somebody has it."
        })
    private boolean state;

    @Mixin private OutputOption output = new OutputOption();

    @Override
    public Integer call() {
      queue.name();
      var printer = output.printer();
      return broker.talk(
          (connection, incoming) -> {
            var address = queue.name(connection);
            try (var node = Management.of(connection, address, incoming)) {
              var fields = fields(node);
              if (state) {
                putState(connection, address, node, fields);
              }
              print(fields, printer);
              return 0;
            }
          });
    }

    private static void print(Map<String, @Nullable Object> fields, Printer printer) {
      if (printer.isTable()) {
        printer.headed("PROPERTY", "VALUE");
        fields.forEach(
            (name, value) ->
                printer.row(Map.of(), List.of(name, value == null ? "" : Json.text(value))));
        printer.end();
      } else {
        printer.only(fields);
        printer.flush();
      }
    }

    private Map<String, @Nullable Object> fields(Management node) throws ClientException {
      var counts = new LinkedHashMap<String, @Nullable Object>();
      AdvancedMessage<?> first = null;
      AdvancedMessage<?> last = null;
      for (var page = node.peek(1, PAGE, id); !page.isEmpty(); ) {
        for (var message : page) {
          counts.merge(MessageJson.state(message), 1L, (a, b) -> (Long) a + (Long) b);
        }
        first = first == null ? page.getFirst() : first;
        last = page.getLast();
        page = node.peek(MessageJson.sequenceNumber(last) + 1, PAGE, id);
      }
      var fields = new LinkedHashMap<String, @Nullable Object>();
      fields.put("sessionId", id);
      for (var each : List.of("active", "deferred", "scheduled")) {
        fields.put(each, counts.getOrDefault(each, 0L));
      }
      put("first", first, fields);
      put("last", last, fields);
      return fields;
    }

    private static void put(
        String which, @Nullable AdvancedMessage<?> message, Map<String, @Nullable Object> fields)
        throws ClientException {
      if (message != null) {
        fields.put(which + "SequenceNumber", MessageJson.sequenceNumber(message));
        fields.put(which + "EnqueuedTime", message.annotation(MessageJson.ENQUEUED));
      }
    }

    /** A state is for who has the session. */
    private void putState(
        Connection connection,
        String address,
        Management node,
        Map<String, @Nullable Object> fields)
        throws ClientException {
      var options = BrokerOption.patient(new ReceiverOptions()).creditWindow(0);
      SessionOption.ask(options, id, Duration.ZERO);
      try (var holder = connection.openReceiver(address, options)) {
        Management.opened(holder.openFuture());
        var answer = node.ask("get-session-state", Map.of("session-id", id));
        if (answer != null && answer.get("session-state") instanceof Binary bytes) {
          var text = MessageJson.utf8(bytes.asByteArray());
          fields.put("stateType", text == null ? "base64" : "text");
          fields.put(
              "state",
              text == null ? Base64.getEncoder().encodeToString(bytes.asByteArray()) : text);
        } else {
          fields.put("stateType", "none");
        }
      }
    }
  }
}
