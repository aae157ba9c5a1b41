package io.peeklock.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.qpid.protonj2.client.DeliveryMode;
import org.apache.qpid.protonj2.client.DeliveryState;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.apache.qpid.protonj2.client.Session;
import org.apache.qpid.protonj2.client.exceptions.ClientException;

/**
 * Receives messages by their numbers. A queue hands out what is first, so those before them come
 * too; they stay locked here until {@link #giveBack}, or they would come again and again.
 */
final class Picker {
  /** What is there comes at once; what somebody else has locked does not. */
  private static final Duration WAIT = Duration.ofSeconds(1);

  private final Intake intake;
  private final Set<Long> wanted;
  private final List<Taken> passedOver = new ArrayList<>();

  private Picker(Intake intake, Set<Long> wanted) {
    this.intake = intake;
    this.wanted = wanted;
  }

  /**
   * Picks from an address.
   *
   * @param wanted the numbers; those that came are taken out of it
   */
  static Picker of(Receiver receiver, IncomingBytes incoming, Set<Long> wanted) {
    return new Picker(new Intake(receiver, incoming, Long.MAX_VALUE, WAIT), wanted);
  }

  /** Opens a receiver that locks what comes, and settles nothing by itself. */
  static Receiver open(Session session, String address) throws ClientException {
    var options = BrokerOption.patient(new ReceiverOptions());
    options.creditWindow(0).autoAccept(false).autoSettle(false);
    var receiver = session.openReceiver(address, options.deliveryMode(DeliveryMode.AT_LEAST_ONCE));
    Management.opened(receiver.openFuture());
    return receiver;
  }

  /** The next of them, together with others that came; empty when no more of them come. */
  List<Taken> next(int most) throws ClientException {
    while (!wanted.isEmpty()) {
      var batch = intake.next(most);
      if (batch.isEmpty()) {
        return batch;
      }
      var picked = new ArrayList<Taken>();
      for (var taken : batch) {
        (wanted.remove(MessageJson.sequenceNumber(taken.message())) ? picked : passedOver)
            .add(taken);
      }
      if (!picked.isEmpty()) {
        return picked;
      }
    }
    return List.of();
  }

  /** Gives back what was not wanted: it is first again, its delivery count as before. */
  void giveBack() throws ClientException {
    for (var rest = intake.rest(); !rest.isEmpty(); rest = intake.rest()) {
      passedOver.addAll(rest);
    }
    var settlements = new Settlements();
    settlements.settle(passedOver, DeliveryState.released());
    settlements.await();
    passedOver.clear();
  }
}
