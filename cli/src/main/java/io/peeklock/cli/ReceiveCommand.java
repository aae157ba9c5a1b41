package io.peeklock.cli;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.DeliveryMode;
import org.apache.qpid.protonj2.client.DeliveryState;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.apache.qpid.protonj2.client.Rejected;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

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
  /** Credit given ahead; what came and was not taken would stay locked for a while. */
  private static final int AHEAD = 50;

  private static final long CONFIRM_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long LOOK_AGAIN_NANOS = 500_000;

  /** How to receive. */
  enum Mode {
    PEEK_LOCK,
    RECEIVE_AND_DELETE
  }

  /** What becomes of a received message. */
  enum Settle {
    COMPLETE,
    ABANDON,
    DEFER,
    DEAD_LETTER,
    RELEASE
  }

  @Spec private @Nullable CommandSpec spec;

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

  @Option(names = "--json", description = "Print one JSON object a line, with all that is known.")
  private boolean json;

  @Override
  public Integer call() {
    if (count < 1) {
      throw CliFailure.usage("--count must be at least 1");
    }
    if (mode == Mode.RECEIVE_AND_DELETE && settle != null) {
      throw CliFailure.usage("with receive-and-delete nothing is left to settle; leave --settle");
    }
    var address = from.address();
    return broker.talk(
        (connection, incoming) -> {
          try (var receiver = connection.openReceiver(address, options())) {
            receiver.openFuture().get();
            return receiveFrom(receiver, incoming) == 0 ? CliFailure.NOTHING : 0;
          } catch (ExecutionException failed) {
            throw new ClientException("the queue could not be opened", failed.getCause());
          } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return CliFailure.UNREACHABLE;
          }
        });
  }

  private ReceiverOptions options() {
    var deletes = mode == Mode.RECEIVE_AND_DELETE;
    return BrokerOption.patient(new ReceiverOptions())
        .creditWindow(0)
        .autoAccept(false)
        .autoSettle(false)
        .deliveryMode(deletes ? DeliveryMode.AT_MOST_ONCE : DeliveryMode.AT_LEAST_ONCE);
  }

  private int receiveFrom(Receiver receiver, IncomingBytes incoming)
      throws ClientException, ExecutionException, InterruptedException {
    var taken = 0;
    var asked = 0;
    while (taken < count) {
      if (asked == taken) {
        var more = Math.min(AHEAD, count - asked);
        receiver.addCredit(more);
        asked += more;
      }
      var delivery = receiver.receive(wait.toMillis(), TimeUnit.MILLISECONDS);
      if (delivery == null) {
        return taken + takeLate(receiver);
      }
      take(delivery);
      incoming.taken();
      taken++;
    }
    return taken;
  }

  /** Gives the credit back, and takes what came while it was on its way. */
  private int takeLate(Receiver receiver)
      throws ClientException, ExecutionException, InterruptedException {
    receiver.drain().get();
    var taken = 0;
    for (var late = receiver.tryReceive(); late != null; late = receiver.tryReceive()) {
      take(late);
      taken++;
    }
    return taken;
  }

  private void take(Delivery delivery) throws ClientException {
    var message = delivery.message();
    print(json ? MessageText.json(message) : Printed.body(MessageText.body(message)));
    if (mode == Mode.PEEK_LOCK) {
      confirm(delivery, outcome());
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

  /** The client library has no future for this, so it is looked at until it is there. */
  private static void confirm(Delivery delivery, DeliveryState outcome) throws ClientException {
    delivery.disposition(outcome, false);
    var deadline = System.nanoTime() + CONFIRM_NANOS;
    while (!delivery.remoteSettled()) {
      if (System.nanoTime() - deadline > 0) {
        throw CliFailure.unreachable("the broker did not confirm the settlement in 10 s");
      }
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
    delivery.settle();
    if (delivery.remoteState() instanceof Rejected rejected && rejected.getCondition() != null) {
      throw BrokerOption.refused(rejected);
    }
  }

  private void print(String line) {
    if (spec != null) {
      ConsoleOutput.print(spec, line);
    }
  }
}
