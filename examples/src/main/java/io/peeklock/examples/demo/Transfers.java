package io.peeklock.examples.demo;

import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusSenderAsyncClient;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.apache.qpid.jms.JmsConnectionFactory;
import reactor.core.publisher.Flux;

/** How a sender learns that the broker has its message. */
final class Transfers {
  private static final int SENDS = 100;
  private static final int OUTSTANDING = 10;
  private static final Duration AWAITED_AT_LEAST = Duration.ofSeconds(7);
  private static final int OVERLAPPED_TIMES_FASTER = 7;
  private static final int MORE_TRIES = 2;
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int TOO_LONG = 70 << 10;
  private static final Pattern TRACKING_ID = Pattern.compile("TrackingId:[^\\s,]+");

  private final Stage stage;

  /** What one after the other took: on a machine that does other work, everything takes longer. */
  private Duration awaited = AWAITED_AT_LEAST;

  Transfers(Stage stage) {
    this.stage = stage;
  }

  List<Scene> scenes() {
    return List.of(
        new Scene(
            "S-004, S-014",
            "100 sends, each awaited before the next, with 70 ms of round trip: at least 7 s",
            this::awaitedOneByOne),
        new Scene(
            "S-009, S-012, S-015",
            "the same 100 started back to back and awaited together: well under 1 s",
            this::overlapped),
        new Scene(
            "S-016",
            "behind a semaphore of 10, never more than 10 are outstanding; the 11th waits",
            this::behindASemaphore),
        new Scene(
            "S-006, S-007, S-008",
            "a rejected send raises an error with a tracking id, and says whether to retry",
            this::rejected),
        new Scene(
            "S-018",
            "a pre-settled send is settled on arrival; nobody waits and nobody is told",
            this::preSettled));
  }

  /** A sender far away whose link is up. */
  private ServiceBusSenderAsyncClient linked() {
    var sender = stage.closing(stage.farAway().sender().queueName("transfers").buildAsyncClient());
    sender.sendMessage(new ServiceBusMessage("link set-up")).block(PATIENCE);
    return sender;
  }

  private Result awaitedOneByOne() {
    var sender = linked();
    var began = System.nanoTime();
    for (var i = 0; i < SENDS; i++) {
      sender.sendMessage(new ServiceBusMessage("awaited " + i)).block(PATIENCE);
    }
    var took = since(began);
    var longEnough = took.compareTo(AWAITED_AT_LEAST) >= 0;
    awaited = longEnough ? took : AWAITED_AT_LEAST;
    return new Result(SENDS + " accepted in " + took.toMillis() + " ms", longEnough);
  }

  private Result overlapped() {
    var sender = linked();
    var took = overlapped(sender);
    // A machine that stood still for a moment says nothing about the sends: they may try again.
    for (var more = 0; more < MORE_TRIES && !isWellUnder(took); more++) {
      took = overlapped(sender);
    }
    return new Result(SENDS + " accepted in " + took.toMillis() + " ms", isWellUnder(took));
  }

  /** A second, where each awaited send takes the round trip and little more. */
  private boolean isWellUnder(Duration took) {
    return took.compareTo(awaited.dividedBy(OVERLAPPED_TIMES_FASTER)) < 0;
  }

  private static Duration overlapped(ServiceBusSenderAsyncClient sender) {
    var began = System.nanoTime();
    Flux.range(0, SENDS)
        .flatMap(i -> sender.sendMessage(new ServiceBusMessage("overlapped " + i)), SENDS)
        .then()
        .block(PATIENCE);
    return since(began);
  }

  private Result behindASemaphore() throws InterruptedException {
    var sender = linked();
    var permits = new Semaphore(OUTSTANDING);
    var outstanding = new AtomicInteger();
    var most = new AtomicInteger();
    var failed = new AtomicInteger();
    var began = System.nanoTime();
    for (var i = 0; i < SENDS; i++) {
      permits.acquire();
      most.accumulateAndGet(outstanding.incrementAndGet(), Math::max);
      sender
          .sendMessage(new ServiceBusMessage("limited " + i))
          .doFinally(
              signal -> {
                outstanding.decrementAndGet();
                permits.release();
              })
          .subscribe(nothing -> {}, refused -> failed.incrementAndGet());
    }
    permits.acquire(OUTSTANDING);
    var took = since(began);
    return new Result(
        SENDS + " accepted in " + took.toMillis() + " ms, at most " + most + " outstanding",
        most.get() == OUTSTANDING && failed.get() == 0 && took.compareTo(awaited.dividedBy(2)) < 0);
  }

  /** Too much in the properties: the client knows the limit of the whole, but not of these. */
  private Result rejected() {
    var message = new ServiceBusMessage("well meant");
    message.getApplicationProperties().put("excuse", "x".repeat(TOO_LONG));
    try {
      stage.sender("transfers").sendMessage(message);
      return new Result("it was accepted", false);
    } catch (ServiceBusException refused) {
      var text = String.valueOf(refused.getMessage());
      var tracking = TRACKING_ID.matcher(text);
      var traced = tracking.find();
      return new Result(
          refused.getReason()
              + (refused.isTransient() ? ", a retry may help; " : ", a retry will not help; ")
              + (traced ? tracking.group() : "no tracking id"),
          !refused.isTransient() && traced);
    }
  }

  /** With JMS: the official clients send every message unsettled. */
  private Result preSettled() throws JMSException {
    var factory =
        new JmsConnectionFactory(
            "amqp://localhost:"
                + stage.slowPort()
                + "?jms.presettlePolicy.presettleProducers=true&jms.forceAsyncSend=true");
    try (var connection = factory.createConnection(Stage.KEY_NAME, Stage.KEY)) {
      var session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
      var producer = session.createProducer(session.createQueue("settled-at-once"));
      producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
      var began = System.nanoTime();
      for (var i = 0; i < SENDS; i++) {
        producer.send(session.createTextMessage("pre-settled " + i));
      }
      var took = since(began);
      var arrived = arrived();
      return new Result(
          SENDS + " sent in " + took.toMillis() + " ms, unanswered; " + arrived + " arrived",
          isWellUnder(took) && arrived == SENDS);
    }
  }

  private int arrived() {
    var receiver = stage.taker("settled-at-once");
    for (var count = 0; count < SENDS; count++) {
      Stage.next(receiver);
    }
    return SENDS;
  }

  private static Duration since(long began) {
    return Duration.ofNanos(System.nanoTime() - began);
  }
}
