package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.DETACH;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.TestMessage.Parsed;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.Timestamp;
import io.peeklock.amqp.engine.codec.Unsigned;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueDefinitionBuilder;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.proof.Rule;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Forwarding on the wire. */
class ForwardLinkTest {
  private final BrokerFixture broker = new BrokerFixture();
  private final TestClient client = broker.client();
  private int handle;

  private static QueueDefinitionBuilder with(String name) {
    return QueueDefinition.named(name).with();
  }

  private static byte[] message(String id, @Nullable String session) {
    return new TestMessage()
        .section(TestMessage.ANNOTATIONS, Map.of(new Symbol("x-opt-mine"), 5))
        .properties(id, null, null, "label", null, null, null, null, null, null, session)
        .section(TestMessage.APPLICATION_PROPERTIES, Map.of("price", 7))
        .section(TestMessage.DATA, "body".getBytes(StandardCharsets.UTF_8))
        .bytes();
  }

  private void send(String queue, byte[] message) {
    client.sender(0, handle, queue);
    client.message(handle++, message);
  }

  private List<Parsed> receive(String path) {
    client.forget();
    client.receiver(0, handle, path, 1).credit(handle++, 9);
    return client.take(TRANSFER).stream().map(frame -> Parsed.of(frame.payload())).toList();
  }

  /** Makes the first message of a queue a dead letter with a reason. */
  private void deadLetter(String queue, String reason) {
    client.forget();
    client.receiver(0, handle, queue, 0).credit(handle, 1);
    var delivery = ((Unsigned.Uint) client.one(TRANSFER).fields().get(1)).value();
    client.dispose(
        delivery,
        delivery,
        false,
        TestClient.deadLetter(Map.of(new Symbol("DeadLetterReason"), reason)));
    client.perform(0, DETACH, TestClient.uint(handle++), true);
  }

  @Test
  @Rule({"S-289", "S-199"})
  void nobodyReceivesWhereMessagesAreForwarded() {
    broker
        .queue(QueueDefinition.named("end"))
        .queue(with("start").forwardTo("end").build())
        .queue(with("dying").forwardDeadLettersTo("end").build());

    for (var path : List.of("start", "dying/$DeadLetterQueue")) {
      client.forget();
      client.receiver(0, handle++, path, 0);
      assertThat(TestClient.condition(client.one(DETACH).fields().get(2)))
          .isEqualTo(Conditions.NOT_ALLOWED);
    }
    client.forget();
    client.receiver(0, handle++, "start/$DeadLetterQueue", 0).receiver(0, handle++, "dying", 0);
    assertThat(client.take(DETACH)).isEmpty();
  }

  @Test
  @Rule({"S-285", "S-072", "S-146"})
  void aForwardedMessageIsTheSameWithTheFirstNumberBeside() {
    broker.queue(QueueDefinition.named("end")).queue(with("start").forwardTo("end").build());
    send("end", message("a", null));
    send("start", message("b", null));

    var got = receive("end").getLast();

    assertThat(got.field(TestMessage.PROPERTIES, 0)).isEqualTo("b");
    assertThat(got.entry(TestMessage.ANNOTATIONS, "x-opt-sequence-number")).isEqualTo(2L);
    assertThat(got.entry(TestMessage.ANNOTATIONS, "x-opt-enqueue-sequence-number")).isEqualTo(1L);
    assertThat(got.entry(TestMessage.ANNOTATIONS, "x-opt-mine")).isEqualTo(5);
    assertThat(got.entry(TestMessage.ANNOTATIONS, "x-opt-deadletter-source")).isNull();
    assertThat(got.body()).isEqualTo("body");
  }

  @Test
  @Rule({"S-197", "S-198", "S-188"})
  void aForwardedDeadLetterSaysWhereAndWhyItDied() {
    broker
        .queue(QueueDefinition.named("failed"))
        .queue(with("Orders").forwardDeadLettersTo("failed").build());
    send("orders", message("a", null));
    deadLetter("orders", "bad");

    var got = receive("failed").getFirst();

    assertThat(got.entry(TestMessage.ANNOTATIONS, "x-opt-deadletter-source")).isEqualTo("orders");
    assertThat(got.entry(TestMessage.ANNOTATIONS, "x-opt-mine")).isEqualTo(5);
    assertThat(got.entry(TestMessage.APPLICATION_PROPERTIES, "DeadLetterReason")).isEqualTo("bad");
    assertThat(got.entry(TestMessage.APPLICATION_PROPERTIES, "price")).isEqualTo(7);
    assertThat(got.body()).isEqualTo("body");
  }

  @Test
  @Rule({"S-197", "S-322", "S-298"})
  void filtersSeeWhyADeadLetterDiedAndItsCopiesSayIt() {
    broker
        .queue(QueueDefinition.named("t").as(new QueueRole.Topic(false)))
        .queue(
            QueueDefinition.named("t/Subscriptions/worn").as(new QueueRole.Subscription("t", true)))
        .queue(with("orders").forwardDeadLettersTo("t").maxDeliveryCount(1).build());
    var rules = new RequestClient(client, 0, "t/Subscriptions/worn/$management", "me");
    rules.manage("remove-rule", Map.of("rule-name", "$Default"));
    rules.manage(
        "add-rule",
        Map.of(
            "rule-name",
            "worn",
            "rule-description",
            Map.of(
                "sql-filter",
                Map.of(
                    "expression",
                    "DeadLetterReason IN ('MaxDeliveryCountExceeded', 'bad') AND price = 7"))));
    handle = 10;
    send("orders", message("a", null));
    send("orders", message("b", null));
    send("orders", message("c", null));
    client.forget();
    client.receiver(0, handle, "orders", 0).credit(handle, 1);
    var delivery = ((Unsigned.Uint) client.one(TRANSFER).fields().get(1)).value();
    client.dispose(delivery, delivery, false, TestClient.modified(false, Map.of()));
    client.perform(0, DETACH, TestClient.uint(handle++), true);
    deadLetter("orders", "bad");
    deadLetter("orders", "worse");

    var copies = receive("t/Subscriptions/worn");

    assertThat(copies)
        .extracting(copy -> copy.field(TestMessage.PROPERTIES, 0))
        .containsExactly("a", "b");
    assertThat(copies)
        .extracting(copy -> copy.entry(TestMessage.APPLICATION_PROPERTIES, "DeadLetterReason"))
        .containsExactly("MaxDeliveryCountExceeded", "bad");
    assertThat(copies)
        .extracting(copy -> copy.entry(TestMessage.ANNOTATIONS, "x-opt-deadletter-source"))
        .containsOnly("orders");
    assertThat(copies).extracting(Parsed::body).containsOnly("body");
  }

  @Test
  @Rule({"S-298", "S-288", "S-193"})
  void theSessionIsReadFromTheMessage() {
    broker
        .queue(with("end").requiresSession(true).build())
        .queue(with("start").forwardTo("end").build());
    send("start", message("a", "cart"));
    send("start", message("b", null));

    assertThat(receive("start/$DeadLetterQueue"))
        .extracting(dead -> dead.entry(TestMessage.APPLICATION_PROPERTIES, "DeadLetterReason"))
        .containsExactly("Session id is null.");
    assertThat(broker.shard.catalogue().queue("end")).isNotNull();
    var peeked =
        new RequestClient(client, 0, "end/$management", "me")
            .manage("peek-message", Map.of("from-sequence-number", 1L, "message-count", 9));
    assertThat(peeked.status()).isEqualTo(200);
  }

  @Test
  @Rule({"S-298", "S-266"})
  void anIdIsTheSameWhetherItIsSentThereOrForwarded() {
    broker
        .queue(with("end").duplicateWindowMillis(60_000).build())
        .queue(with("start").forwardTo("end").build());
    send("end", message("a", null));
    send("start", message("a", null));
    send("start", message("b", null));
    send("end", message("b", null));

    assertThat(receive("end"))
        .extracting(got -> got.field(TestMessage.PROPERTIES, 0))
        .containsExactly("a", "b");
  }

  @Test
  @Rule({"S-290", "S-156"})
  void aBodyThatCannotBeReadHoldsUpItsQueueOrTopicAlone() {
    broker
        .queue(with("end").requiresSession(true).build())
        .queue(QueueDefinition.named("plain"))
        .queue(with("start").forwardTo("end").build())
        .queue(with("other").forwardTo("plain").build())
        .queue(with("unique").duplicateWindowMillis(600_000).build())
        .queue(with("wise").forwardTo("unique").build())
        .queue(QueueDefinition.named("t").as(new QueueRole.Topic(false)))
        .queue(
            QueueDefinition.named("t/Subscriptions/s")
                .with()
                .requiresSession(true)
                .role(new QueueRole.Subscription("t", true))
                .build())
        .queue(
            QueueDefinition.named("t/Subscriptions/all").as(new QueueRole.Subscription("t", true)));
    broker.journal.damage(1);
    broker.journal.damage(2);
    send("start", message("lost", "cart"));
    send("t", scheduled("lost", Duration.ofMinutes(1)));
    send("start", message("behind it", "cart"));
    send("other", message("a", null));
    send("wise", message("b", "cart"));
    send("q", scheduled("c", Duration.ofMinutes(1)));
    broker.advance(Duration.ofMinutes(2));

    assertThat(broker.ended).isNull();
    assertThat(receive("plain")).hasSize(1);
    assertThat(receive("q")).as("another queue's schedule").hasSize(1);
    assertThat(receive("unique")).as("another one that must be read").hasSize(1);
    assertThat(receive("t/Subscriptions/all")).as("it cannot be filtered").isEmpty();
  }

  private byte[] scheduled(String id, Duration in) {
    var due = new Timestamp(broker.clock.wallMillis() + in.toMillis());
    return new TestMessage()
        .section(TestMessage.ANNOTATIONS, Map.of(new Symbol("x-opt-scheduled-enqueue-time"), due))
        .properties(id, null, null, "label", null, null, null, null, null, null, "cart")
        .section(TestMessage.DATA, "body".getBytes(StandardCharsets.UTF_8))
        .bytes();
  }
}
