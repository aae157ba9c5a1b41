package io.peeklock.conformance.crowd;

import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.conformance.raw.RawMessage;
import java.io.IOException;
import java.util.Map;

/** Fills a queue quickly: sends as the broker's credit allows, and waits until all is accepted. */
final class Flood {
  private Flood() {}

  /** Messages with the ids {@code 0} to {@code count - 1}. */
  static void fill(int port, String queue, int count, int bodyBytes) throws IOException {
    try (var connection = RawConnection.ready(port)) {
      RawLinks.attached(connection, RawLinks.sender(0, queue));
      var credit = 0L;
      var answered = 0L;
      for (var sent = 0; answered < count; ) {
        while (sent < count && sent < credit) {
          var id = Integer.toString(sent++);
          RawLinks.transfer(
              connection, 0, false, RawMessage.bytes(id, Map.of(), new byte[bodyBytes]));
        }
        connection.flush();
        var frame = connection.readFrame();
        var performative = frame.performative();
        if (performative != null && frame.code() == RawConnection.FLOW) {
          credit = performative.number(5, 0) + performative.number(6, 0);
        } else if (performative != null) {
          var first = performative.number(1, 0);
          answered += performative.number(2, first) - first + 1;
        }
      }
    }
  }
}
