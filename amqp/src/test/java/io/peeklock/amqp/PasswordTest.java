package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.DETACH;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.access.AuthorizationRule;
import io.peeklock.runtime.access.Policy;
import io.peeklock.runtime.access.Right;
import io.peeklock.runtime.access.Secret;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Passwords, of the namespace and of entities, and what they open. */
class PasswordTest {
  private static final int OUTCOME = 0x44;
  private static final Object OK = TestClient.ubyte(0);
  private static final Object WRONG = TestClient.ubyte(1);

  private final BrokerFixture broker = new BrokerFixture();

  private @Nullable Object outcome(String policy, String key) {
    return broker.newClient().sasl("PLAIN", BrokerFixture.plain(policy, key)).one(OUTCOME).field(0);
  }

  /** An entity whose policy "shop" has these keys and rights. */
  private static QueueDefinition guarded(
      QueueDefinition entity, String primary, String secondary, Right... rights) {
    var rule = new AuthorizationRule("shop", Set.of(rights), primary, secondary, 1, 1);
    return entity
        .with()
        .attributes(Map.of(AuthorizationRule.ATTRIBUTE, AuthorizationRule.kept(List.of(rule))))
        .build();
  }

  private static boolean isLet(TestClient client) {
    return client.take(DETACH).isEmpty();
  }

  @Test
  @Rule({"S-464", "S-474", "S-475", "S-477"})
  void aPasswordGrantsTheRightsOfItsPolicyAndNoMore() {
    var listener = broker.client("listener", BrokerFixture.LISTEN_KEY);
    var secondKey = broker.client("SENDER", BrokerFixture.SEND_KEY + "-2");

    assertThat(listener.receiver(0, 1, "q", 0).take(DETACH)).isEmpty();
    assertThat(listener.sender(0, 2, "q").take(DETACH)).hasSize(1);
    assertThat(secondKey.sender(0, 2, "q").take(DETACH)).isEmpty();
    assertThat(secondKey.receiver(0, 1, "q", 0).take(DETACH)).hasSize(1);
    var node = new RequestClient(secondKey, 0, "q/$management", "here");
    var peek = node.manage("peek-message", Map.of("from-sequence-number", 0L, "message-count", 1));
    assertThat(peek.status()).isEqualTo(401);
  }

  @Test
  @Rule({"S-473", "S-464"})
  void whatAKeyOpenedStaysAndItOpensNothingNewOnceItsPolicyHasAnother() {
    var client = broker.client("listener", BrokerFixture.LISTEN_KEY);
    assertThat(isLet(client.receiver(0, 1, "q", 0).credit(1, 10))).isTrue();

    broker.access.replace(List.of(Policy.root(Secret.of(BrokerFixture.KEY))));

    assertThat(isLet(client.receiver(0, 2, "q", 0))).isFalse();
    client.forget();
    var sender = broker.client();
    sender.sender(0, 0, "q").message(0, TestMessage.text("one"));
    assertThat(client.take(TestClient.TRANSFER)).hasSize(1);
    assertThat(client.take(DETACH)).isEmpty();
  }

  @Test
  @Rule({"S-473", "S-476"})
  void aKeyThatIsGoneOpensNoManagementNodeEither() {
    var client = broker.client("listener", BrokerFixture.LISTEN_KEY);

    broker.access.replace(List.of(Policy.root(Secret.of(BrokerFixture.KEY))));
    client.sender(0, 3, "q/$management");

    assertThat(isLet(client)).isFalse();
  }

  @Test
  @Rule({"S-473", "S-470"})
  void soItIsWithTheKeysOfAnEntityOfWhichEachCountsForItself() {
    broker.queue(guarded(QueueDefinition.named("orders"), "one", "two", Right.LISTEN));
    var first = broker.client("shop", "one");
    var second = broker.client("shop", "two");

    broker.update(guarded(QueueDefinition.named("orders"), "other", "two", Right.LISTEN));

    assertThat(isLet(first.receiver(0, 1, "orders", 0))).isFalse();
    assertThat(isLet(second.receiver(0, 1, "orders", 0))).isTrue();
  }

  @Test
  void aWrongPasswordIsRefusedAtOnce() {
    var client = broker.newClient();

    client.sasl("PLAIN", BrokerFixture.plain(Policy.ROOT_NAME, "wrong"));

    assertThat(client.one(0x44).field(0)).isEqualTo(TestClient.ubyte(1));
    assertThat(client.channel.isActive()).isFalse();
  }

  @Test
  @Rule({"S-464", "S-469", "S-470", "S-474"})
  void theKeyOfAnEntityOpensItAndWhatIsBelowItAndNothingElse() {
    broker.queue(guarded(QueueDefinition.named("Orders"), "one", "two", Right.LISTEN));

    var client = broker.client("SHOP", "one");

    assertThat(isLet(client.receiver(0, 1, "orders", 0))).isTrue();
    assertThat(isLet(client.receiver(0, 2, "orders/$DeadLetterQueue", 0))).isTrue();
    assertThat(isLet(client.sender(0, 3, "orders"))).isFalse();
    assertThat(isLet(client.receiver(0, 4, "q", 0))).isFalse();
    assertThat(isLet(client.receiver(0, 5, "orders2", 0))).isFalse();
  }

  @Test
  @Rule({"S-464", "S-470"})
  void aSubscriptionUsesThePoliciesOfItsTopicAndHasNone() {
    var topic = QueueDefinition.named("t").as(new QueueRole.Topic(false));
    var subscription =
        QueueDefinition.named("t/Subscriptions/s").as(new QueueRole.Subscription("t", true));
    broker
        .queue(guarded(topic, "of-topic", "of-topic", Right.LISTEN))
        .queue(guarded(subscription, "of-subscription", "of-subscription", Right.LISTEN));

    assertThat(outcome("shop", "of-subscription")).isEqualTo(WRONG);
    var client = broker.client("shop", "of-topic");
    assertThat(isLet(client.receiver(0, 1, "t/Subscriptions/s", 0))).isTrue();
  }

  @Test
  @Rule("S-464")
  void oneKeyThatSeveralEntitiesHaveOpensEachWithItsOwnRights() {
    broker
        .queue(guarded(QueueDefinition.named("in"), "same", "a", Right.SEND))
        .queue(guarded(QueueDefinition.named("out"), "b", "same", Right.LISTEN))
        .queue(guarded(QueueDefinition.named("other"), "c", "d", Right.LISTEN));

    var client = broker.client("shop", "same");

    assertThat(isLet(client.sender(0, 1, "in"))).isTrue();
    assertThat(isLet(client.receiver(0, 2, "out", 0))).isTrue();
    assertThat(isLet(client.sender(0, 3, "out"))).isFalse();
    assertThat(isLet(client.receiver(0, 4, "in", 0))).isFalse();
    assertThat(isLet(client.receiver(0, 5, "other", 0))).isFalse();
  }

  @Test
  @Rule({"S-464", "S-473"})
  void aReplacedKeyLogsNobodyInAndTheLinksOfTheOldOneGoOn() {
    var orders = QueueDefinition.named("orders");
    broker.queue(guarded(orders, "old", "second", Right.SEND));
    var before = broker.client("shop", "old");
    assertThat(isLet(before.sender(0, 1, "orders"))).isTrue();

    broker.update(guarded(orders, "new", "second", Right.SEND));

    assertThat(outcome("shop", "old")).isEqualTo(WRONG);
    assertThat(outcome("shop", "new")).isEqualTo(OK);
    assertThat(outcome("shop", "second")).isEqualTo(OK);
    assertThat(isLet(before.message(1, TestMessage.text("one")))).isTrue();
    broker.delete("orders");
    assertThat(outcome("shop", "new")).isEqualTo(WRONG);
  }

  @Test
  @Rule("S-464")
  void neitherAForeignNameNorAForeignKeyNorWhatLooksLikeBothLogsIn() {
    broker.queue(guarded(QueueDefinition.named("orders"), "key", "key2", Right.SEND));

    for (var wrong :
        List.of(
            BrokerFixture.plain("shop", "kez"),
            BrokerFixture.plain("shopk", "ey"),
            BrokerFixture.plain("sho", "pkey"),
            BrokerFixture.plain("shop", ""),
            BrokerFixture.plain("", "key"),
            BrokerFixture.plain("nobody", "key"),
            BrokerFixture.plain("orders", "key"),
            new byte[0])) {
      assertThat(broker.newClient().sasl("PLAIN", wrong).one(OUTCOME).field(0)).isEqualTo(WRONG);
    }
  }
}
