package io.peeklock.cli;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.concurrent.Callable;
import org.apache.qpid.protonj2.client.AdvancedMessage;
import org.apache.qpid.protonj2.client.DeliveryMode;
import org.apache.qpid.protonj2.client.DeliveryState;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Receives messages, prints and settles them, and waits until each settlement is confirmed. */
@Command(
    name = "receive",
    description = "Receive messages from a queue, print them, and settle them.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Ends with 0, or 1 when nothing came, 2 for a wrong option, 3 when the broker refused,",
      "4 when it could not be reached, 5 when what came could not be printed: it is not settled.",
      "Dead letters are in QUEUE/$deadletterqueue too, which a shell wants in single quotes."
    })
final class ReceiveCommand implements Callable<Integer> {
  /** Printed and settled together. */
  private static final int BATCH = 500;

  /** How to receive. */
  enum Mode {
    PEEK_LOCK,
    RECEIVE_AND_DELETE;

    @Override
    public String toString() {
      return CliMain.wordOf(this);
    }
  }

  /** What becomes of a received message. */
  enum Settle {
    COMPLETE,
    ABANDON,
    DEFER,
    DEAD_LETTER,
    RELEASE;

    @Override
    public String toString() {
      return CliMain.wordOf(this);
    }
  }

  @Mixin private BrokerOption broker = new BrokerOption();

  @Mixin private ReadOption from = new ReadOption();

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "How many to receive at most (default: ${DEFAULT-VALUE}).")
  private int count = 1;

  @Option(
      names = "--wait",
      paramLabel = "DURATION",
      defaultValue = "5s",
      converter = Span.class,
      description = "How long to wait for each (default: ${DEFAULT-VALUE}).")
  private Duration wait = Duration.ZERO;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      description = "peek-lock or receive-and-delete (default: peek-lock).")
  private Mode mode = Mode.PEEK_LOCK;

  @Option(
      names = "--settle",
      paramLabel = "HOW",
      description = "complete, abandon, defer, dead-letter or release (default: complete).")
  private @Nullable Settle settle;

  @Option(names = "--reason", paramLabel = "TEXT", description = "Reason of a dead letter.")
  private @Nullable String reason;

  @Option(names = "--description", paramLabel = "TEXT", description = "Its description.")
  private @Nullable String description;

  @Mixin private SessionOption session = new SessionOption();

  @Mixin private OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    if (count < 1) {
      throw CliFailure.usage("--count must be at least 1");
    }
    if (mode == Mode.RECEIVE_AND_DELETE && settle != null) {
      throw CliFailure.usage("with receive-and-delete nothing is left to settle; leave --settle");
    }
    from.check();
    var options = options();
    var printer = output.printer();
    return broker.talk(
        (connection, incoming) -> {
          try (var receiver = connection.openReceiver(from.address(connection), options)) {
            Management.opened(receiver.openFuture());
            var intake = new Intake(receiver, incoming, count, wait);
            return receiveAll(intake, printer) == 0 ? CliFailure.NOTHING : 0;
          }
        });
  }

  private ReceiverOptions options() {
    var deletes = mode == Mode.RECEIVE_AND_DELETE;
    var options = BrokerOption.patient(new ReceiverOptions());
    session.ask(options, wait);
    return options
        .creditWindow(0)
        .autoAccept(false)
        .autoSettle(false)
        .deliveryMode(deletes ? DeliveryMode.AT_MOST_ONCE : DeliveryMode.AT_LEAST_ONCE);
  }

  /** What is printed is written before it is settled. */
  private long receiveAll(Intake intake, Printer printer) throws ClientException {
    var outcome = mode == Mode.PEEK_LOCK ? outcome() : null;
    var settlements = new Settlements();
    var all = 0L;
    for (var batch = intake.next(BATCH); !batch.isEmpty(); batch = intake.next(BATCH)) {
      for (var taken : batch) {
        print(taken.message(), printer);
      }
      printer.flush();
      if (outcome != null) {
        settlements.settle(batch, outcome);
      }
      all += batch.size();
    }
    settlements.await();
    printer.end();
    return all;
  }

  private static void print(AdvancedMessage<?> message, Printer printer) throws ClientException {
    if (printer.isTable()) {
      printer.text(Printed.body(MessageText.body(message)));
    } else {
      printer.element(MessageJson.fields(message));
    }
  }

  private DeliveryState outcome() {
    return switch (settle == null ? Settle.COMPLETE : settle) {
      case COMPLETE -> DeliveryState.accepted();
      case ABANDON -> DeliveryState.modified(true, false);
      case DEFER -> DeliveryState.modified(true, true);
      case RELEASE -> DeliveryState.released();
      case DEAD_LETTER -> deadLetter();
    };
  }

  private DeliveryState deadLetter() {
    var info = new LinkedHashMap<String, Object>();
    if (reason != null) {
      info.put("DeadLetterReason", reason);
    }
    if (description != null) {
      info.put("DeadLetterErrorDescription", description);
    }
    return DeliveryState.rejected("com.microsoft:dead-letter", description, info);
  }
}
