package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.there;

import io.peeklock.amqp.TestMessage.Parsed;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.Timestamp;
import io.peeklock.amqp.engine.codec.TypedArray;
import io.peeklock.amqp.message.LockTokens;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A broker with something for every operation: in a queue a message that is locked by the client,
 * one that is deferred, one that is scheduled and one that waits; a session that is held; and a
 * subscription with its rule.
 */
final class TransactedWorld {
  static final int SENDER = 0;
  static final int RECEIVER = 1;
  static final long LOCKED = 1;
  static final long DEFERRED = 2;
  static final long SCHEDULED = 4;

  private static final Symbol SESSION_FILTER = new Symbol("com.microsoft:session-filter");
  private static final String SUBSCRIPTION = "t/Subscriptions/one";

  final BrokerFixture broker =
      new BrokerFixture()
          .queue(QueueDefinition.named("s").withSession(true))
          .queue(QueueDefinition.named("t").as(new QueueRole.Topic(false)))
          .queue(QueueDefinition.named(SUBSCRIPTION).as(new QueueRole.Subscription("t", true)));
  final TestClient client = broker.client();
  final RequestClient queue;
  final RequestClient sessions;
  final RequestClient rules;
  final Coordinator coordinator;
  final UUID token;
  private final RequestClient dead;
  private final RequestClient looking;

  TransactedWorld() {
    client.sender(0, SENDER, "q").receiver(0, RECEIVER, "q", 0).begin(1).begin(2).forget();
    queue = new RequestClient(client, 0, "q/$management", "answers");
    sessions = new RequestClient(client, 1, "s/$management", "answers");
    rules = new RequestClient(client, 2, SUBSCRIPTION + "/$management", "answers");
    var other = broker.client().begin(1);
    looking = new RequestClient(other, 0, "q/$management", "answers");
    dead = new RequestClient(other, 1, "q/$deadletterqueue/$management", "answers");
    coordinator = Coordinator.of(client);
    for (var body : List.of("locked", "deferred", "waiting")) {
      client.message(SENDER, TestMessage.text(body)).forget();
    }
    client.credit(RECEIVER, 2);
    token = LockTokens.uuid((byte[]) there(client.take(TRANSFER).getFirst().field(2)), 0);
    client.dispose(1, 1, false, TestClient.modified(true, Map.of())).forget();
    queue.manage("schedule-message", scheduling());
    holdSession();
    broker.advance(Duration.ofMillis(1));
    client.forget();
  }

  private void holdSession() {
    client.sender(1, 3, "s");
    client.send(client.transfer(1, 3, 0, false, TestMessage.inSession("a")));
    client.perform(
        1,
        TestClient.ATTACH,
        "session",
        TestClient.uint(4),
        true,
        TestClient.ubyte(0),
        TestClient.ubyte(0),
        TestClient.source("s", Map.of(SESSION_FILTER, "a")),
        TestClient.target("there"));
    client.forget();
  }

  Timestamp now() {
    return new Timestamp(broker.clock.wallMillis());
  }

  /** The body of a request that schedules one message. */
  Map<String, Object> scheduling() {
    var due = new Timestamp(broker.clock.wallMillis() + 60_000);
    var message =
        new TestMessage()
            .section(
                TestMessage.ANNOTATIONS, Map.of(new Symbol("x-opt-scheduled-enqueue-time"), due))
            .section(TestMessage.DATA, new byte[] {'s'})
            .bytes();
    return Map.of("messages", List.of(new LinkedHashMap<>(Map.of("message", message))));
  }

  /** The body of a request that settles the locked message by its token. */
  Map<String, Object> settling(String how) {
    return Map.of("disposition-status", how, "lock-tokens", TypedArray.ofUuids(List.of(token)));
  }

  /** The body of a request that receives the deferred message. */
  static Map<String, Object> receiving(int mode) {
    return Map.of("sequence-numbers", TypedArray.ofLongs(DEFERRED), "receiver-settle-mode", mode);
  }

  /** All that others can see: messages with state and count, what is dead, the rules. */
  String seen() {
    client.forget();
    return "queue "
        + peeked(looking)
        + " dead "
        + peeked(dead)
        + " state "
        + state()
        + " rules "
        + ruleNames();
  }

  /** Whether the message is still locked by the token that the client has. */
  boolean isLocked() {
    client.forget();
    var renewing = Map.of("lock-tokens", TypedArray.ofUuids(List.of(token)));
    return Integer.valueOf(200).equals(queue.manage("renew-lock", renewing).status());
  }

  private static List<String> peeked(RequestClient node) {
    node.client.forget();
    var answer =
        node.manage("peek-message", Map.of("from-sequence-number", 0L, "message-count", 99));
    var texts = new ArrayList<String>();
    if (answer.body("messages") instanceof List<?> messages) {
      for (var entry : messages) {
        var message = Parsed.of((byte[]) there(((Map<?, ?>) entry).get("message")));
        texts.add(
            message.body()
                + "/"
                + message.entry(TestMessage.ANNOTATIONS, "x-opt-message-state")
                + "/"
                + message.field(TestMessage.HEADER, 4)
                + "/"
                + message.entry(TestMessage.APPLICATION_PROPERTIES, "why"));
      }
    }
    return texts;
  }

  private @Nullable String state() {
    var state =
        sessions.manage("get-session-state", Map.of("session-id", "a")).body("session-state");
    return state instanceof byte[] bytes ? Arrays.toString(bytes) : null;
  }

  private List<@Nullable Object> ruleNames() {
    var names = new ArrayList<@Nullable Object>();
    if (rules.manage("enumerate-rules", Map.of("skip", 0, "top", 99)).body("rules")
        instanceof List<?> listed) {
      for (var entry : listed) {
        var described =
            TestClient.described(((Map<?, ?>) there((Map<?, ?>) entry)).get("rule-description"));
        names.add(there((List<?>) described.value()).get(2));
      }
    }
    return names;
  }
}
