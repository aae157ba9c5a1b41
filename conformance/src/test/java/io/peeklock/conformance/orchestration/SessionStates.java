package io.peeklock.conformance.orchestration;

import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.conformance.raw.RawMessage;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** States of the sessions that a connection holds, over one pair of links. */
final class SessionStates {
  private static final long REQUESTS = 80;
  private static final long REPLIES = 81;
  private static final String REPLY_TO = "replies";

  private final Conversation conversation;
  private final Conversation.Incoming replies;
  private long asked;

  SessionStates(Conversation conversation, String queue) throws IOException {
    var node = queue + "/$management";
    this.conversation = conversation;
    conversation.sender(REQUESTS, node);
    replies = conversation.receiver(REPLIES, RawLinks.replies(REPLIES, node, REPLY_TO));
  }

  State read(String session) throws IOException {
    var reply = ask("get-session-state", Map.of("session-id", session), null);
    var state = reply.value() instanceof Map<?, ?> body ? body.get("session-state") : null;
    return State.of(state instanceof byte[] bytes ? bytes : null);
  }

  /**
   * Sets one.
   *
   * @param transaction in which it is set; at once when null
   */
  void set(String session, State state, byte @Nullable [] transaction) throws IOException {
    var body = new LinkedHashMap<Object, Object>();
    body.put("session-id", session);
    body.put("session-state", state.bytes());
    ask("set-session-state", body, transaction);
  }

  private RawMessage ask(String operation, Map<?, ?> body, byte @Nullable [] transaction)
      throws IOException {
    var request =
        RawMessage.request(
            ++asked, REPLY_TO, Map.of("operation", "com.microsoft:" + operation), body);
    conversation.send(REQUESTS, true, request, transaction);
    var reply = conversation.reply(replies);
    if (!Integer.valueOf(200).equals(reply.properties().get("statusCode"))) {
      throw new IOException(operation + ": " + reply.properties());
    }
    return reply;
  }
}
