package io.peeklock.conformance.kill;

import io.peeklock.conformance.kill.Event.Found;
import io.peeklock.conformance.kill.Event.Place;
import io.peeklock.conformance.raw.Described;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.conformance.raw.RawMessage;
import io.peeklock.conformance.raw.Unsigned;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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

  /** Of a queue without message sessions. */
  void everything() throws IOException {
    takeAll(RawLinks.taker(handle, queue), Place.QUEUE);
    takeDeferred(peek(queue));
    takeTheDead();
  }

  /** Whether nothing is to be seen here, as in a queue that has forwarded all it had. */
  boolean isEmpty() {
    try {
      return peek(queue).isEmpty();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Of a queue with these message sessions; their states are read and taken away. */
  void everything(Collection<String> sessions) throws IOException {
    var states = new States(connection, history);
    for (var session : sessions) {
      var name = "drain-" + session;
      takeAll(RawLinks.sessionReceiver(name, handle, queue, session, 1_000, true), Place.QUEUE);
      takeDeferred(peek(queue, session));
      states.read(session);
      states.clear(session);
      connection.send(0, RawLinks.detach(handle - 1));
      connection.flush();
      connection.await(RawConnection.DETACH);
    }
    takeTheDead();
  }

  private void takeTheDead() throws IOException {
    takeAll(RawLinks.taker(handle, queue + "/$DeadLetterQueue"), Place.DEAD_LETTERS);
    for (var address : List.of(queue, queue + "/$DeadLetterQueue")) {
      if (!peek(address).isEmpty()) {
        throw new AssertionError("after the drain there is still something in " + address);
      }
    }
  }

  private void takeAll(Described attach, Place place) throws IOException {
    var link = new Deliveries(connection, handle, attach);
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

  /** A page, and what lies behind it in the same session. */
  private void takeDeferred(List<RawMessage> first) throws IOException {
    for (var page = first; !page.isEmpty(); page = peek(queue, page.getFirst().session())) {
      var numbers = page.stream().mapToLong(RawMessage::sequenceNumber).toArray();
      var body = new LinkedHashMap<String, Object>();
      body.put("sequence-numbers", numbers);
      body.put("receiver-settle-mode", Unsigned.uint(0));
      var session = page.getFirst().session();
      if (session != null) {
        body.put("session-id", session);
      }
      var operation =
          Map.<String, Object>of("operation", "com.microsoft:receive-by-sequence-number");
      var taken = messages(RawLinks.ask(connection, queue + "/$management", operation, body));
      if (taken.size() != numbers.length) {
        throw new AssertionError(
            "of " + numbers.length + " deferred messages only " + taken.size() + " could be had");
      }
      taken.forEach(message -> found(message, Place.DEFERRED));
    }
  }

  private List<RawMessage> peek(String address) throws IOException {
    return peek(address, null);
  }

  private List<RawMessage> peek(String address, @Nullable String session) throws IOException {
    var body = new LinkedHashMap<String, Object>();
    body.put("from-sequence-number", 0L);
    body.put("message-count", PAGE);
    if (session != null) {
      body.put("session-id", session);
    }
    var operation = Map.<String, Object>of("operation", "com.microsoft:peek-message");
    return messages(RawLinks.ask(connection, address + "/$management", operation, body));
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
    var mark = Settlements.mark(message);
    var reason = message.properties().get("DeadLetterReason");
    var honest = place != Place.DEAD_LETTERS || Settlements.reason(mark).equals(reason);
    history.add(
        new Found(
            history.now(),
            Load.known(queue, message.messageId()),
            queue,
            place,
            message.sequenceNumber(),
            message.deliveryCount(),
            honest ? mark : -1));
  }
}
