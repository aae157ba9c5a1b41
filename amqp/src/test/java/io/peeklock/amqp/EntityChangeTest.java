package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.ATTACH;
import static io.peeklock.amqp.TestClient.DETACH;
import static io.peeklock.amqp.TestClient.DISPOSITION;
import static io.peeklock.amqp.TestClient.code;
import static io.peeklock.amqp.TestClient.condition;
import static io.peeklock.amqp.TestClient.inside;
import static io.peeklock.amqp.TestClient.ubyte;
import static io.peeklock.amqp.TestClient.uint;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.TestClient.Frame;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.kernel.entity.EntityStatus;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.proof.Rule;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What links are told when their entity is changed or deleted under them. */
class EntityChangeTest {
  private static final int ACCEPTED = 0x24;

  private final BrokerFixture broker = new BrokerFixture().queue(QueueDefinition.named("other"));
  private final TestClient client = broker.client();

  private static QueueDefinition with(EntityStatus status) {
    return QueueDefinition.named("q").with().status(status).build();
  }

  /** The broker's own numbers of the links, in order of their attaches. */
  private static List<Long> handles(List<Frame> frames) {
    return frames.stream().map(frame -> frame.number(0)).toList();
  }

  private void sendsTo(int handle) {
    client.forget().message(handle, TestMessage.text("still there"));
    assertThat(code(client.one(DISPOSITION).field(4))).isEqualTo(ACCEPTED);
    assertThat(client.take(DETACH)).isEmpty();
  }

  private TestClient via(int handle, String entity, String destination) {
    return client.perform(
        0,
        ATTACH,
        "via-" + handle,
        uint(handle),
        false,
        ubyte(0),
        ubyte(0),
        TestClient.source("here"),
        TestClient.target(entity),
        null,
        null,
        uint(0),
        null,
        null,
        null,
        Map.of(new Symbol("com.microsoft:transfer-destination-address"), destination));
  }

  @Test
  @Rule("S-071")
  void theSendersOfADeletedEntityAreDetachedBehindTheirAnswersAndNoOthers() {
    client.sender(0, 0, "q").sender(0, 1, "other").forget();
    client.message(0, TestMessage.text("a"));
    assertThat(code(client.one(DISPOSITION).field(4))).isEqualTo(ACCEPTED);

    broker.delete("q");

    var detach = client.one(DETACH);
    assertThat(detach.number(0)).isZero();
    assertThat(condition(detach.field(2))).isEqualTo("amqp:not-found");
    sendsTo(1);
  }

  @Test
  @Rule({"S-071", "S-012"})
  void whatWasSentBeforeTheDeletionIsAnsweredBeforeTheLinkEnds() {
    client.sender(0, 0, "q").forget();
    broker.journal.holdSyncs();
    client.message(0, TestMessage.text("a"));
    broker.delete("q");
    assertThat(client.take(DETACH)).isEmpty();
    assertThat(client.take(DISPOSITION)).isEmpty();

    broker.journal.sync();
    broker.settle();

    assertThat(code(client.one(DISPOSITION).field(4))).isEqualTo(ACCEPTED);
    assertThat(condition(client.one(DETACH).field(2))).isEqualTo("amqp:not-found");
  }

  @Test
  @Rule("S-071")
  void whoIsLeftOfAnEarlierEntityOfTheNameIsDetachedToo() {
    client.sender(0, 0, "q");
    new RequestClient(client, 0, "q/$management", "answers");
    client.forget();
    broker.journal.holdSyncs();
    broker.delete("q");
    broker.queue(QueueDefinition.named("q"));

    broker.journal.sync();
    broker.settle();

    assertThat(handles(client.take(DETACH))).containsExactlyInAnyOrder(0L, 1L);
  }

  @ParameterizedTest
  @EnumSource(
      value = EntityStatus.class,
      names = {"DISABLED", "SEND_DISABLED"})
  @Rule({"S-427", "S-422", "S-424"})
  void sendersAreDetachedWhenTheirEntityTakesNoMessagesAnyMore(EntityStatus status) {
    client.sender(0, 0, "q").sender(0, 1, "other").forget();

    broker.update(with(status));

    var detach = client.one(DETACH);
    assertThat(detach.number(0)).isZero();
    assertThat(condition(detach.field(2))).isEqualTo("com.microsoft:entity-disabled");
    sendsTo(1);
  }

  @Test
  @Rule({"S-427", "S-428", "S-423"})
  void sendersAndTheManagementNodeStayWhenOnlyReceivingEnds() {
    client.sender(0, 0, "q");
    var node = new RequestClient(client, 0, "q/$management", "answers");
    client.forget();

    broker.update(with(EntityStatus.RECEIVE_DISABLED));

    assertThat(client.take(DETACH)).isEmpty();
    sendsTo(0);
    client.forget();
    var peek = Map.<String, Object>of("from-sequence-number", 0L, "message-count", 1);
    assertThat(node.manage("peek-message", peek).status()).isEqualTo(200);

    broker.update(with(EntityStatus.DISABLED));
    assertThat(handles(client.take(DETACH))).containsExactly(0L);
  }

  @Test
  @Rule("S-071")
  void theManagementLinksOfADeletedTopicsSubscriptionsGoToo() {
    broker.queue(QueueDefinition.named("t").as(new QueueRole.Topic(false)));
    broker.queue(
        QueueDefinition.named("t/Subscriptions/s").as(new QueueRole.Subscription("t", true)));
    client.sender(0, 0, "t").sender(0, 1, "other");
    new RequestClient(client, 0, "t/Subscriptions/s/$management", "answers");
    client.receiver(0, 2, "t/Subscriptions/s", 0).forget();

    broker.delete("t");

    var detaches = client.take(DETACH);
    assertThat(handles(detaches)).containsExactlyInAnyOrder(0L, 2L, 3L, 4L);
    assertThat(detaches)
        .allSatisfy(detach -> assertThat(condition(detach.field(2))).isEqualTo("amqp:not-found"));
    sendsTo(1);
  }

  @Test
  @Rule({"S-071", "S-427", "S-303", "S-304"})
  void whoSendsViaAnEntityNeedsBothOfThem() {
    broker.queue(QueueDefinition.named("bills")).queue(QueueDefinition.named("more"));
    via(0, "q", "bills");
    via(1, "q", "other");
    via(2, "more", "other").forget();

    broker.update(QueueDefinition.named("bills").with().status(EntityStatus.DISABLED).build());
    assertThat(client.take(DETACH)).as("what is behind may be closed").isEmpty();

    broker.update(QueueDefinition.named("more").with().status(EntityStatus.DISABLED).build());
    var disabled = client.one(DETACH);
    assertThat(disabled.number(0)).isEqualTo(2);
    assertThat(condition(disabled.field(2))).isEqualTo("com.microsoft:entity-disabled");

    client.forget();
    broker.delete("bills");
    assertThat(handles(client.take(DETACH))).containsExactly(0L);
    client.forget();
    broker.delete("other");
    assertThat(condition(client.one(DETACH).field(2))).isEqualTo("amqp:not-found");
  }

  @Test
  @Rule({"S-068", "S-433"})
  void anUpdateEndsNoLinkAndIsMindedByThoseThatAreOpen() {
    client.sender(0, 0, "q").receiver(0, 1, "q", 0).forget();
    client.message(0, new byte[0]).forget();

    broker.update(QueueDefinition.named("q").with().maxMessageBytes(1_000).build());

    assertThat(client.take(DETACH)).isEmpty();
    client.message(0, TestMessage.text("x".repeat(2_000)));
    assertThat(condition(inside(client.one(DISPOSITION).field(4))))
        .isEqualTo("amqp:link:message-size-exceeded");
  }

  @Test
  @Rule({"S-289", "S-199"})
  void receiversAreSentAwayWhenMessagesMoveOnFromNowOn() {
    client.receiver(0, 0, "q", 0).receiver(0, 1, "q/$DeadLetterQueue", 0).forget();

    broker.update(QueueDefinition.named("q").with().forwardTo("other").build());

    var moved = client.one(DETACH);
    assertThat(moved.number(0)).isZero();
    assertThat(condition(moved.field(2))).isEqualTo("amqp:not-allowed");
    assertThat(String.valueOf(moved.field(2))).contains("forwarded to 'other'");
    client.forget();
    broker.update(
        QueueDefinition.named("q").with().forwardTo("other").forwardDeadLettersTo("other").build());
    assertThat(handles(client.take(DETACH))).containsExactly(1L);
  }
}
