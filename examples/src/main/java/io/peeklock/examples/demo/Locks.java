package io.peeklock.examples.demo;

import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;

/** What a lock keeps others from, how it ends, and what its holder hears. */
final class Locks {
  private static final Duration AFTER_THE_LOCK = Duration.ofMillis(300);

  private final Stage stage;

  Locks(Stage stage) {
    this.stage = stage;
  }

  List<Scene> scenes() {
    return List.of(
        new Scene(
            "S-024, S-027",
            "a message under lock is nobody else's; a competing receiver gets the next one",
            this::competing),
        new Scene(
            "S-033, S-028, S-041",
            "a lock that nobody renews lapses; the message comes back in front, with its id",
            this::lapsed),
        new Scene(
            "S-037, S-038, S-044",
            "completing after the lock was lost fails, and the client is told why",
            this::lost),
        new Scene(
            "S-026", "renewing before the lock lapses extends it beyond its length", this::renewed),
        new Scene(
            "S-029",
            "a message that failed as often as MaxDeliveryCount says goes to the dead-letter queue",
            this::failing));
  }

  private Result competing() {
    var sender = stage.sender("locks");
    sender.sendMessages(List.of(new ServiceBusMessage("first"), new ServiceBusMessage("second")));
    var one = stage.receiver("locks");
    var other = stage.receiver("locks");
    var first = Stage.next(one);
    var second = Stage.next(other);
    one.complete(first);
    other.complete(second);
    return new Result(
        "one holds \"" + first.getBody() + "\", the other got \"" + second.getBody() + "\"",
        first.getBody().toString().equals("first") && second.getBody().toString().equals("second"));
  }

  private Result lapsed() throws InterruptedException {
    var sender = stage.sender("lapsing");
    sender.sendMessage(new ServiceBusMessage("held too long").setMessageId("job-1"));
    var receiver = stage.receiver("lapsing");
    var held = Stage.next(receiver);
    sender.sendMessage(new ServiceBusMessage("behind it"));
    // The lock is what is shown here: nothing but time ends it.
    Thread.sleep(Duration.between(OffsetDateTime.now(ZoneOffset.UTC), held.getLockedUntil()));
    Thread.sleep(AFTER_THE_LOCK);
    var again = Stage.next(receiver);
    var next = Stage.next(receiver);
    receiver.complete(again);
    receiver.complete(next);
    return new Result(
        "it came again with id "
            + again.getMessageId()
            + " and delivery count "
            + again.getDeliveryCount()
            + ", before what was \""
            + next.getBody()
            + "\"",
        again.getDeliveryCount() == 1
            && again.getSequenceNumber() == held.getSequenceNumber()
            && again.getMessageId().equals("job-1")
            && next.getBody().toString().equals("behind it"));
  }

  private Result lost() {
    stage.sender("overtaken").sendMessage(new ServiceBusMessage("worked on for too long"));
    var slow = stage.receiver("overtaken");
    var other = stage.receiver("overtaken");
    var message = Stage.next(slow);
    var overtaken = Stage.next(other);
    other.complete(overtaken);
    try {
      slow.complete(message);
      return new Result("the complete went through", false);
    } catch (ServiceBusException refused) {
      return new Result(
          "the complete raised " + refused.getReason(),
          ServiceBusFailureReason.MESSAGE_LOCK_LOST.equals(refused.getReason()));
    }
  }

  private Result renewed() throws InterruptedException {
    stage.sender("renewed").sendMessage(new ServiceBusMessage("long work"));
    var receiver = stage.receiver("renewed");
    var message = Stage.next(receiver);
    var began = System.nanoTime();
    for (var i = 0; i < 3; i++) {
      // The work: longer than a lock lasts, in pieces shorter than it.
      Thread.sleep(Duration.ofSeconds(2));
      receiver.renewMessageLock(message);
    }
    receiver.complete(message);
    var held = Duration.ofNanos(System.nanoTime() - began);
    return new Result(
        "held for " + held.toMillis() + " ms with a lock of 5000 ms, then completed", true);
  }

  private Result failing() {
    stage.sender("failing").sendMessage(new ServiceBusMessage("poison"));
    var receiver = stage.receiver("failing");
    var failures = 0;
    for (; failures < 3; failures++) {
      receiver.abandon(Stage.next(receiver));
    }
    var deadLetterReceiver = stage.deadLetterReceiver("failing");
    var dead = Stage.next(deadLetterReceiver);
    deadLetterReceiver.complete(dead);
    return new Result(
        "after " + failures + " failures it lies there: " + dead.getDeadLetterReason(),
        "MaxDeliveryCountExceeded".equals(dead.getDeadLetterReason()));
  }
}
