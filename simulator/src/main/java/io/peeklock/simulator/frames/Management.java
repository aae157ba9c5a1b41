package io.peeklock.simulator.frames;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.SeenMessage;
import io.peeklock.simulator.history.SentMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What is asked of management nodes. */
final class Management {
  private static final String SESSION_ID = "session-id";

  private final Ledger ledger;
  private final Function<String, RequestNode> nodes;

  /**
   * That of one connection.
   *
   * @param nodes the management node of a path
   */
  Management(Ledger ledger, Function<String, RequestNode> nodes) {
    this.ledger = ledger;
    this.nodes = nodes;
  }

  /** Tells what is answered to a question. */
  private final class Question implements RequestNode.Listener {
    private final long id;
    private final Function<Reply, Answer> answer;

    Question(long id, Function<Reply, Answer> answer) {
      this.id = id;
      this.answer = answer;
    }

    @Override
    public void replied(Reply reply) {
      ledger.answer(id, reply.isGood() ? answer.apply(reply) : new Answer.Refused(reply.why()));
    }

    @Override
    public void refused(String why) {
      ledger.answer(id, new Answer.Refused(why));
    }

    @Override
    public void lost() {
      ledger.doubt(id);
    }
  }

  private void ask(
      Operation operation,
      String path,
      String word,
      Map<String, ?> body,
      @Nullable Object state,
      Function<Reply, Answer> answer) {
    nodes
        .apply(path)
        .ask(
            Map.of("operation", "com.microsoft:" + word),
            body,
            state,
            new Question(ledger.question(operation), answer));
  }

  private static Map<String, @Nullable Object> body() {
    return new LinkedHashMap<>();
  }

  private static Wire.Array longs(List<Long> numbers) {
    return new Wire.Array(numbers);
  }

  private Wire.Array tokens(List<Long> lockIds) {
    return new Wire.Array(lockIds.stream().map(ledger.locks::token).toList());
  }

  // ---- messages

  void schedule(Operation.Send send) {
    var messages = new ArrayList<Object>();
    send.messages().forEach(message -> messages.add(entry(message)));
    var body = body();
    body.put("messages", messages);
    ask(
        send,
        send.path(),
        "schedule-message",
        body,
        null,
        reply -> new Answer.Numbered(numbers(reply)));
  }

  private static Map<String, @Nullable Object> entry(SentMessage message) {
    var entry = body();
    entry.put("message-id", message.messageId());
    entry.put(SESSION_ID, message.sessionId());
    entry.put("message", Messages.bytes(message));
    return entry;
  }

  private static List<Long> numbers(Reply reply) {
    return reply.items("sequence-numbers").stream().map(Wire::number).toList();
  }

  void cancel(Operation.CancelScheduled cancel) {
    var body = body();
    body.put("sequence-numbers", longs(cancel.sequenceNumbers()));
    ask(cancel, cancel.path(), "cancel-scheduled-message", body, null, reply -> new Answer.Done());
  }

  void peek(Operation.Peek peek) {
    var body = body();
    body.put("from-sequence-number", peek.fromSequenceNumber());
    body.put("message-count", peek.most());
    if (peek.sessionId() != null) {
      body.put(SESSION_ID, peek.sessionId());
    }
    ask(peek, peek.path(), "peek-message", body, null, this::messages);
  }

  void receiveDeferred(Operation.ReceiveDeferred receive, @Nullable String sessionId) {
    var body = body();
    body.put("sequence-numbers", longs(receive.sequenceNumbers()));
    body.put(
        "receiver-settle-mode",
        new Wire.Uint(receive.mode() == Operation.Mode.RECEIVE_AND_DELETE ? 0 : 1));
    body.put(SESSION_ID, sessionId);
    ask(receive, receive.path(), "receive-by-sequence-number", body, null, this::messages);
  }

  private Answer messages(Reply reply) {
    var seen = new ArrayList<SeenMessage>();
    for (var message : reply.items("messages")) {
      var token = (UUID) Wire.entry(message, "lock-token");
      var lock = token == null ? 0 : ledger.locks.name(token, null, 0);
      seen.add(Messages.seen((byte[]) Reply.entry(message, "message"), lock));
    }
    return new Answer.Messages(List.copyOf(seen));
  }

  // ---- locks

  void renew(Operation.Renew renew) {
    var body = body();
    body.put("lock-tokens", tokens(renew.lockIds()));
    ask(
        renew,
        renew.path(),
        "renew-lock",
        body,
        null,
        reply -> new Answer.LockedUntil(Wire.number(reply.items("expirations").getFirst())));
  }

  /**
   * Settles by tokens, all or none.
   *
   * @param operation of which it is told
   * @param sessionId that its client holds; null for none
   * @param state of the transfer; null for none
   */
  void settle(
      Operation operation,
      Operation.Settle settle,
      @Nullable String sessionId,
      @Nullable Object state) {
    var body = body();
    body.put("disposition-status", status(settle.settlement()));
    body.put("lock-tokens", tokens(settle.lockIds()));
    if (!settle.changed().isEmpty()) {
      body.put("properties-to-modify", settle.changed());
    }
    if (settle.reason() != null) {
      body.put("deadletter-reason", settle.reason());
    }
    if (sessionId != null) {
      body.put(SESSION_ID, sessionId);
    }
    ask(operation, settle.path(), "update-disposition", body, state, reply -> new Answer.Done());
  }

  private static String status(Operation.Settlement settlement) {
    return switch (settlement) {
      case COMPLETE -> "completed";
      case ABANDON -> "abandoned";
      case DEFER -> "defered"; // one r (T-46)
      case DEAD_LETTER -> "suspended";
      case RELEASE -> "released";
    };
  }

  // ---- sessions

  void renewSession(Operation.RenewSession renew) {
    var body = body();
    body.put(SESSION_ID, renew.sessionId());
    ask(
        renew,
        renew.path(),
        "renew-session-lock",
        body,
        null,
        reply -> new Answer.LockedUntil(Wire.number(reply.get("expiration"))));
  }

  void getState(Operation.GetState get) {
    var body = body();
    body.put(SESSION_ID, get.sessionId());
    ask(get, get.path(), "get-session-state", body, null, Management::state);
  }

  private static Answer state(Reply reply) {
    var bytes = (byte[]) reply.get("session-state");
    return new Answer.State(bytes == null ? null : new String(bytes, StandardCharsets.UTF_8));
  }

  /**
   * Sets or clears a state.
   *
   * @param operation of which it is told
   * @param state of the transfer; null for none
   */
  void setState(Operation operation, Operation.SetState set, @Nullable Object state) {
    var text = set.state();
    var body = body();
    body.put(SESSION_ID, set.sessionId());
    body.put("session-state", text == null ? null : text.getBytes(StandardCharsets.UTF_8));
    ask(operation, set.path(), "set-session-state", body, state, reply -> new Answer.Done());
  }
}
