package io.peeklock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.filter.FilterLimits;
import io.peeklock.kernel.filter.Parsed;
import io.peeklock.kernel.filter.SqlAction;
import io.peeklock.kernel.grant.WaitReason;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.proof.Rule;
import io.peeklock.testkit.ShardFixture.Note;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * What is held up is told to operators; a probe fails only where it is something that concerns all.
 */
class HeldUpTest {
  private final ShardFixture fixture = new ShardFixture();
  private final ShardFixture.Client client = fixture.client();

  private int heldUp(WaitReason reason) {
    return fixture.shard.waits().queues(reason);
  }

  private int heldUp() {
    return Arrays.stream(WaitReason.values()).mapToInt(this::heldUp).sum();
  }

  /** The server looks at the clock every second. */
  private void looks(int times) {
    for (var i = 0; i < times; i++) {
      fixture.advance(Duration.ofSeconds(1));
      fixture.shard.lookAtClock();
    }
  }

  /** A queue that is full, and another with a dead letter for it. */
  private QueueId fullDestination() {
    var failed = fixture.queue(QueueDefinition.named("failed").with().maxSizeBytes(3).build());
    var orders =
        fixture.queue(
            QueueDefinition.named("orders").with().forwardDeadLettersTo("failed").build());
    client.send(failed, "old");
    deadLetter(orders);
    return failed;
  }

  private void deadLetter(QueueId orders) {
    client.send(orders, "one");
    var receiver = fixture.client();
    receiver.receive(orders, ReceiveMode.PEEK_LOCK, 1);
    receiver.settle(orders, Settlement.DEAD_LETTER, receiver.lockIds());
  }

  @Test
  @Rule("S-200")
  void aFullDestinationIsToldAfterASecondAndTheBrokerIsReady() {
    var failed = fullDestination();
    fixture.advance(Duration.ofMillis(999));
    assertThat(heldUp()).as("before it is tried again").isZero();

    fixture.advance(Duration.ofSeconds(2));

    assertThat(heldUp(WaitReason.DESTINATION_FULL)).isEqualTo(1);
    assertThat(heldUp()).isEqualTo(1);
    assertThat(fixture.shard.standing()).as("it is one client's matter").isEmpty();
    fixture.client().receive(failed, ReceiveMode.RECEIVE_AND_DELETE, 1);
    looks(1);
    assertThat(fixture.messages(failed)).containsExactly("one");
    assertThat(heldUp()).as("the next may have to wait again").isEqualTo(1);
    looks(1);
    assertThat(heldUp()).isZero();
  }

  @Test
  @Rule("S-200")
  void itIsToldAgainAfterARestart() throws IOException {
    fullDestination();
    fixture.advance(Duration.ofSeconds(2));
    assertThat(heldUp()).isEqualTo(1);

    fixture.shard.start();
    assertThat(heldUp()).as("nothing was tried yet").isZero();
    fixture.advance(Duration.ofSeconds(2));

    assertThat(heldUp(WaitReason.DESTINATION_FULL)).isEqualTo(1);
  }

  @Test
  @Rule("S-200")
  void whatIsDeletedIsHeldUpNoMore() {
    fullDestination();
    fixture.advance(Duration.ofSeconds(2));
    assertThat(heldUp()).isEqualTo(1);

    client.ask(new EntityRequest.DeleteQueue(client, new Note("delete"), "orders"));
    looks(2);

    assertThat(heldUp()).isZero();
  }

  @Test
  @Rule("S-200")
  void aFullDestinationThatIsDrainedSlowlyGoesOnBeingTold() {
    var failed = fullDestination();
    var orders = Objects.requireNonNull(fixture.shard.catalogue().queue("orders")).queue();
    for (var i = 0; i < 9; i++) {
      deadLetter(orders);
    }
    looks(2);
    assertThat(heldUp()).isEqualTo(1);

    for (var moved = 1; moved <= 5; moved++) {
      fixture.client().receive(failed, ReceiveMode.RECEIVE_AND_DELETE, 1);
      for (var look = 0; look < 2; look++) {
        looks(1);
        assertThat(heldUp(WaitReason.DESTINATION_FULL)).as("moved %d", moved).isEqualTo(1);
      }
      assertThat(fixture.messages(failed)).hasSize(1);
    }
  }

  @Test
  @Rule("S-200")
  void anotherReasonTakesThePlaceOfTheFirst() {
    fullDestination();
    fixture.advance(Duration.ofSeconds(2));

    client.ask(new EntityRequest.DeleteQueue(client, new Note("delete"), "failed"));
    fixture.advance(Duration.ofSeconds(2));

    assertThat(heldUp(WaitReason.DESTINATION_FULL)).isZero();
    assertThat(heldUp(WaitReason.DESTINATION_NOT_FOUND)).isEqualTo(1);
  }

  @Test
  @Rule({"I-46", "S-319"})
  void copiesForWhichNobodyHasRoomMakeTheBrokerUnready() throws IOException {
    var feed = changingTopic();
    var start = fixture.queue(QueueDefinition.named("start").with().forwardTo("events").build());
    fixture.journal.holdLoads();
    client.send(start, "one");
    fixture.journal.setTakesSends(false); // others' sends fill it while its body is read
    fixture.journal.setOnLastRoom(true);
    fixture.journal.letLoadsGo();
    fixture.advance(Duration.ofSeconds(2));

    assertThat(heldUp(WaitReason.STORE_FULL)).isEqualTo(1);
    assertThat(fixture.shard.standing())
        .hasValue("messages of 1 entity do not move on, as the store has no room");

    fixture.shard.start();
    fixture.advance(Duration.ofSeconds(2));
    assertThat(fixture.shard.standing()).as("after a restart").isPresent();
    fixture.journal.setOnLastRoom(false);
    looks(2);
    assertThat(fixture.shard.standing()).isEmpty();
    assertThat(heldUp()).isZero();
    assertThat(fixture.messages(feed)).as("though no send is taken yet").contains("one");
  }

  /** The subscription of a topic each of whose copies gets properties of its own. */
  private QueueId changingTopic() {
    fixture.queue(QueueDefinition.named("events").as(new QueueRole.Topic(false)));
    var feed =
        fixture.queue(
            QueueDefinition.named("events/Subscriptions/s")
                .as(new QueueRole.Subscription("events", true)));
    client.ask(new Request.RemoveRule(client, new Note("rule"), feed, "$Default"));
    client.ask(
        new Request.AddRule(
            client,
            new Note("rule"),
            feed,
            new io.peeklock.kernel.entity.Rule(
                "r", io.peeklock.kernel.entity.Rule.selectingAll(1).filter(), changing(), 1)));
    fixture.shardExecutor.settle();
    return feed;
  }

  private static SqlAction changing() {
    if (SqlAction.parse("SET seen = 'yes'", FilterLimits.STANDARD)
        instanceof Parsed.Done<SqlAction> done) {
      return done.value();
    }
    throw new AssertionError("the action is right");
  }
}
