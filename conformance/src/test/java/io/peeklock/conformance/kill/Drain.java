package io.peeklock.conformance.kill;

import io.peeklock.conformance.kill.Event.Found;
import io.peeklock.conformance.kill.Event.Place;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.conformance.raw.RawMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Takes everything out of a queue, wherever it lies, and writes down what was there. */
final class Drain {
  private static final int PAGE = 200;

  private final RawConnection connection;
  private final History history;
  private final String queue;
  private long handle;

  Drain(RawConnection connection, History history, String queue) {
    this.connection = connection;
    this.history = history;
    this.queue = queue;
  }

  void everything() throws IOException {
    takeAll(queue, Place.QUEUE);
    takeDeferred();
    takeAll(queue + "/$DeadLetterQueue", Place.DEAD_LETTERS);
    for (var address : List.of(queue, queue + "/$DeadLetterQueue")) {
      if (!peek(address).isEmpty()) {
        throw new AssertionError("after the drain there is still something in " + address);
      }
    }
  }

  private void takeAll(String address, Place place) throws IOException {
    var link = new Deliveries(connection, handle, RawLinks.taker(handle, address));
    handle++;
    int found;
    do {
      found = 0;
      link.drain(PAGE);
      while (true) {
        var frame = connection.readFrame();
        var performative = frame.performative();
        if (performative == null) {
          continue;
        }
        if (frame.code() == RawConnection.FLOW && performative.truth(8)) {
          link.drained(performative);
          break;
        }
        if (frame.code() == RawConnection.TRANSFER) {
          var delivery = link.take(frame, performative);
          if (delivery != null) {
            found(delivery.message(), place);
            found++;
          }
        }
      }
    } while (found > 0);
  }

  private void takeDeferred() throws IOException {
    for (var page = peek(queue); !page.isEmpty(); page = peek(queue)) {
      var numbers = page.stream().mapToLong(RawMessage::sequenceNumber).toArray();
      var taken =
          messages(
              RawLinks.ask(
                  connection,
                  queue + "/$management",
                  Map.of("operation", "com.microsoft:receive-by-sequence-number"),
                  Map.of(
                      "sequence-numbers",
                      numbers,
                      "receiver-settle-mode",
                      io.peeklock.conformance.raw.Unsigned.uint(0))));
      if (taken.size() != numbers.length) {
        throw new AssertionError(
            "of " + numbers.length + " deferred messages only " + taken.size() + " could be had");
      }
      taken.forEach(message -> found(message, Place.DEFERRED));
    }
  }

  private List<RawMessage> peek(String address) throws IOException {
    return messages(
        RawLinks.ask(
            connection,
            address + "/$management",
            Map.of("operation", "com.microsoft:peek-message"),
            Map.of("from-sequence-number", 0L, "message-count", PAGE)));
  }

  private static List<RawMessage> messages(RawMessage reply) {
    var status = reply.properties().get("statusCode");
    if (!(status instanceof Integer code) || (code != 200 && code != 204)) {
      throw new AssertionError("the management node said " + reply.properties());
    }
    var messages = new ArrayList<RawMessage>();
    if (reply.value() instanceof Map<?, ?> body && body.get("messages") instanceof List<?> list) {
      for (var entry : list) {
        if (entry instanceof Map<?, ?> map && map.get("message") instanceof byte[] bytes) {
          messages.add(RawMessage.parse(bytes));
        }
      }
    }
    return messages;
  }

  private void found(RawMessage message, Place place) {
    var mark = Consumer.mark(message);
    var reason = message.properties().get("DeadLetterReason");
    var honest = place != Place.DEAD_LETTERS || Consumer.reason(mark).equals(reason);
    history.add(
        new Found(
            history.now(),
            message.messageId(),
            queue,
            place,
            message.sequenceNumber(),
            message.deliveryCount(),
            honest ? mark : -1));
  }
}
