package io.peeklock.examples.demo;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.models.AbandonOptions;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What a receiver may say of a message that it holds, and what each word does. */
final class Settlements {
  private final Stage stage;

  Settlements(Stage stage) {
    this.stage = stage;
  }

  List<Scene> scenes() {
    return List.of(
        new Scene("S-030, S-031", "complete removes the message, and is answered", this::complete),
        new Scene("S-032", "abandon releases the lock at once", this::abandon),
        new Scene(
            "S-036", "a deferred message waits for who knows its sequence number", this::defer),
        new Scene(
            "S-034", "dead-letter moves it; the reason given can be read there", this::deadLetter),
        new Scene(
            "S-021, S-023",
            "receive-and-delete: gone once it is on the wire; nothing is left to settle",
            this::receiveAndDelete));
  }

  private Result complete() {
    stage.sender("locks").sendMessage(new ServiceBusMessage("to be completed"));
    var receiver = stage.receiver("locks");
    receiver.complete(Stage.next(receiver));
    var left = receiver.peekMessage();
    return new Result(
        left == null ? "completed; the queue is empty" : "it is still there", left == null);
  }

  private Result abandon() {
    stage.sender("abandoned").sendMessage(new ServiceBusMessage("not now"));
    var receiver = stage.receiver("abandoned");
    var options = new AbandonOptions().setPropertiesToModify(Map.of("tried-by", "demo"));
    var began = System.nanoTime();
    receiver.abandon(Stage.next(receiver), options);
    var again = Stage.next(receiver);
    var took = Duration.ofNanos(System.nanoTime() - began);
    receiver.complete(again);
    return new Result(
        "back after "
            + took.toMillis()
            + " ms (its lock would have lasted 60 s), delivery count "
            + again.getDeliveryCount(),
        again.getDeliveryCount() == 1
            && "demo".equals(again.getApplicationProperties().get("tried-by")));
  }

  private Result defer() {
    stage
        .sender("deferred")
        .sendMessages(List.of(new ServiceBusMessage("later"), new ServiceBusMessage("now")));
    var receiver = stage.receiver("deferred");
    var later = Stage.next(receiver);
    receiver.defer(later);
    var now = Stage.next(receiver);
    receiver.complete(now);
    var fetched = receiver.receiveDeferredMessage(later.getSequenceNumber());
    receiver.complete(fetched);
    return new Result(
        "\""
            + now.getBody()
            + "\" came next; number "
            + later.getSequenceNumber()
            + " brought \""
            + fetched.getBody()
            + "\"",
        now.getBody().toString().equals("now") && fetched.getBody().toString().equals("later"));
  }

  private Result deadLetter() {
    stage.sender("reasons").sendMessage(new ServiceBusMessage("malformed order"));
    var receiver = stage.receiver("reasons");
    receiver.deadLetter(
        Stage.next(receiver),
        new DeadLetterOptions()
            .setDeadLetterReason("Malformed")
            .setDeadLetterErrorDescription("it has no customer"));
    var deadLetterReceiver = stage.deadLetterReceiver("reasons");
    var dead = Stage.next(deadLetterReceiver);
    deadLetterReceiver.complete(dead);
    return new Result(
        "there it says " + dead.getDeadLetterReason() + ": " + dead.getDeadLetterErrorDescription(),
        "Malformed".equals(dead.getDeadLetterReason())
            && "it has no customer".equals(dead.getDeadLetterErrorDescription()));
  }

  private Result receiveAndDelete() {
    stage.sender("taken").sendMessage(new ServiceBusMessage("taken"));
    var taker = stage.taker("taken");
    var message = Stage.next(taker);
    var left = taker.peekMessage();
    try {
      taker.complete(message);
      return new Result("a complete went through", false);
    } catch (UnsupportedOperationException refused) {
      return new Result(
          (left == null ? "the queue is empty" : "it is still there")
              + "; complete is refused by the client",
          left == null);
    }
  }
}
