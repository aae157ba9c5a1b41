package io.peeklock.conformance.orchestration;

import io.peeklock.conformance.raw.RawMessage;
import io.peeklock.conformance.raw.Symbol;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;

/**
 * What one message asks of an orchestration; the id of the message says all of it.
 *
 * @param instance whose step it is; also the id of its session
 * @param number which step, from 0
 * @param part a step of several parts waits for all of them
 * @param dueMillis before this time of the wall clock it must not come; 0 when it may at once
 */
record Step(String instance, int number, int part, long dueMillis) {
  private static final Symbol DUE = new Symbol("x-opt-scheduled-enqueue-time");
  private static final String PADDING = "p".repeat(200);

  static Step parse(RawMessage message) {
    var fields = message.messageId().split("/", -1);
    return new Step(
        fields[0],
        Integer.parseInt(fields[1]),
        Integer.parseInt(fields[2]),
        Long.parseLong(fields[3]));
  }

  String messageId() {
    return name() + "/" + dueMillis;
  }

  /** What tells it from all others. */
  String name() {
    return instance + "/" + number + "/" + part;
  }

  /** The message, of the session of its instance. */
  byte[] message() {
    Map<Symbol, Object> annotations =
        dueMillis == 0 ? Map.of() : Map.of(DUE, Instant.ofEpochMilli(dueMillis));
    return RawMessage.bytes(
        messageId(), instance, annotations, PADDING.getBytes(StandardCharsets.US_ASCII));
  }
}
