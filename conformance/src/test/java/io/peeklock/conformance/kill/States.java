package io.peeklock.conformance.kill;

import io.peeklock.conformance.kill.Event.StateRead;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.conformance.raw.RawMessage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** States of the message sessions that a connection holds: numbers. */
final class States {
  private final RawConnection connection;
  private final History history;

  States(RawConnection connection, History history) {
    this.connection = connection;
    this.history = history;
  }

  /** Reads one and writes down what it was. */
  void read(String session) throws IOException {
    var began = history.now();
    var reply = ask("get-session-state", session, null);
    var value =
        reply.value() instanceof Map<?, ?> body && body.get("session-state") instanceof byte[] bytes
            ? ByteBuffer.wrap(bytes).getLong()
            : 0;
    history.add(new StateRead(history.now(), began, session, value));
  }

  /** Sets one; returns when that is sure. */
  void set(String session, long value) throws IOException {
    ask("set-session-state", session, ByteBuffer.allocate(Long.BYTES).putLong(value).array());
  }

  /** Takes one away. */
  void clear(String session) throws IOException {
    ask("set-session-state", session, null);
  }

  private RawMessage ask(String operation, String session, byte @Nullable [] state)
      throws IOException {
    var body = new LinkedHashMap<Object, @Nullable Object>();
    body.put("session-id", session);
    if (operation.startsWith("set")) {
      body.put("session-state", state);
    }
    var reply =
        RawLinks.ask(
            connection,
            Load.CARTS + "/$management",
            Map.of("operation", "com.microsoft:" + operation),
            body);
    if (!Integer.valueOf(200).equals(reply.properties().get("statusCode"))) {
      throw new AssertionError(operation + " of " + session + ": " + reply.properties());
    }
    return reply;
  }
}
