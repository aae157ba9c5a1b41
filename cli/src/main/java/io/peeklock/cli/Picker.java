package io.peeklock.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
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
final class Picker implements AutoCloseable {
  /** What is there comes at once; what somebody else has locked does not. */
  private static final Duration WAIT = Duration.ofSeconds(1);

  /** On a link, of which a broker allows so many that are not settled, and more. */
  private static final int MOST_PASSED_OVER = 40_000;

  private final Session session;
  private final String address;
  private final IncomingBytes incoming;
  private final Set<Long> wanted;
  private final List<Receiver> receivers = new ArrayList<>();
  private final List<Taken> passedOver = new ArrayList<>();
  private final Set<Long> passedNumbers = new HashSet<>();
  private Intake intake;

  /**
   * Picks from an address.
   *
   * @param wanted the numbers; those that came are taken out of it
   */
  Picker(Session session, String address, IncomingBytes incoming, Set<Long> wanted)
      throws ClientException {
    this.session = session;
    this.address = address;
    this.incoming = incoming;
    this.wanted = wanted;
    this.intake = open();
  }

  /** Another link, which locks what comes, and settles nothing by itself. */
  private Intake open() throws ClientException {
    var options = BrokerOption.patient(new ReceiverOptions());
    options.creditWindow(0).autoAccept(false).autoSettle(false);
    var receiver = session.openReceiver(address, options.deliveryMode(DeliveryMode.AT_LEAST_ONCE));
    Management.opened(receiver.openFuture());
    receivers.add(receiver);
    return new Intake(receiver, incoming, Long.MAX_VALUE, WAIT);
  }

  /**
   * The next of them; empty when no more of them come.
   *
   * @throws CliFailure when the locks of those before them do not last until they come
   */
  List<Taken> next(int most) throws ClientException {
    while (!wanted.isEmpty()) {
      var batch = intake.next(most);
      if (batch.isEmpty()) {
        return batch;
      }
      var picked = picked(batch);
      if (passedOver.size() > (long) receivers.size() * MOST_PASSED_OVER) {
        for (var rest = intake.rest(); !rest.isEmpty(); rest = intake.rest()) {
          picked.addAll(picked(rest));
        }
        intake = open();
      }
      if (!picked.isEmpty()) {
        return picked;
      }
    }
    return List.of();
  }

  private List<Taken> picked(List<Taken> batch) throws ClientException {
    var picked = new ArrayList<Taken>();
    for (var taken : batch) {
      var number = MessageJson.sequenceNumber(taken.message());
      if (wanted.remove(number)) {
        picked.add(taken);
      } else {
        passedOver.add(taken.withoutMessage());
        if (!passedNumbers.add(number)) {
          throw CliFailure.refused(
              "the locks of the messages before those that are wanted do not last until they come;"
                  + " a longer LockDuration of the queue helps");
        }
      }
    }
    return picked;
  }

  /**
   * Gives back what was not wanted: it is first again, its delivery count as before. That of which
   * the lock has lapsed meanwhile is back already.
   */
  void giveBack() throws ClientException {
    for (var rest = intake.rest(); !rest.isEmpty(); rest = intake.rest()) {
      passedOver.addAll(rest);
    }
    var settlements = new Settlements();
    settlements.settle(passedOver, DeliveryState.released());
    settlements.awaitAny();
    passedOver.clear();
  }

  /** What a failure has left is given back too, unless that fails as well: its locks lapse. */
  @Override
  public void close() {
    if (!passedOver.isEmpty()) {
      try {
        giveBack();
      } catch (ClientException | CliFailure goneToo) {
        passedOver.clear();
      }
    }
    receivers.forEach(Receiver::close);
  }
}
