package io.peeklock.kernel.forward;

import static io.peeklock.kernel.forward.ForwardFixture.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.EntityStatus;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.grant.Delay;
import io.peeklock.kernel.grant.HeldUp;
import io.peeklock.kernel.grant.HeldUp.Kind;
import io.peeklock.kernel.grant.WaitReason;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.TopicFixture;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.kernel.transaction.TransactionFixture;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whoever cannot move messages on says why, and since when nothing has moved. */
class HeldUpTest {
  private static final Duration RETRY = Duration.ofSeconds(1);

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private final ForwardFixture forwards = new ForwardFixture(shard);

  private @Nullable HeldUp heldUp(QueueFixture queue) {
    return shard.machine.heldUp(queue.id);
  }

  private WaitReason reason(QueueFixture queue) {
    return Objects.requireNonNull(heldUp(queue)).delay().reason();
  }

  private long now() {
    return shard.stamp().monotonicMillis();
  }

  private QueueFixture withDeadLetters(int count, String destination) {
    var orders = forwards.queue(with("orders").forwardDeadLettersTo(destination));
    orders.send(count);
    for (int i = 0; i < count; i++) {
      orders.deadLetter(orders.peekLock());
    }
    return orders;
  }

  @Test
  @Rule("S-200")
  void aWaitForRoomBeginsWhenNothingMovedAndBeginsAnewWhenSomethingDid() {
    var failed = forwards.queue(with("failed").maxSizeBytes(QueueFixture.SIZE));
    long began = now();
    var dead = withDeadLetters(3, "failed").deadLetters();
    assertThat(heldUp(dead))
        .isEqualTo(
            new HeldUp(
                Kind.DEAD_LETTERS,
                "orders",
                "failed",
                new Delay(WaitReason.DESTINATION_FULL, began)));

    shard.advance(RETRY);
    shard.advance(RETRY);
    assertThat(Objects.requireNonNull(heldUp(dead)).delay().sinceMillis()).isEqualTo(began);

    failed.complete(failed.peekLock());
    shard.advance(RETRY);
    assertThat(Objects.requireNonNull(heldUp(dead)).delay().sinceMillis()).isEqualTo(now());

    failed.complete(failed.peekLock());
    shard.advance(RETRY);
    assertThat(heldUp(dead)).as("all have moved").isNull();
  }

  @Test
  @Rule({"I-46", "S-168"})
  void whatExpiresMeanwhileWaitsNoMore() {
    changing();
    var start = forwards.queue("start", "events");
    shard.machine.changedCopiesWait(true);
    start.sendLiving(Duration.ofMillis(1_500));
    assertThat(heldUp(start)).isNotNull();

    shard.advance(Duration.ofSeconds(2));

    assertThat(heldUp(start)).isNull();
  }

  /** A topic each of whose copies has properties of its own. */
  private TopicFixture changing() {
    var topic = TopicFixture.of(shard);
    topic.subscription("red", TopicFixture.rule("r", "1=1", "SET seen = 'yes'"));
    shard.store = forwards;
    return topic;
  }

  @Test
  @Rule({"S-200", "S-303"})
  void aDestinationThatTakesNothingIsDisabledOrGone() {
    var failed = with("failed").build();
    forwards.queue(failed.with());
    update(failed.with().status(EntityStatus.SEND_DISABLED).build());
    var dead = withDeadLetters(1, "failed").deadLetters();
    assertThat(reason(dead)).isEqualTo(WaitReason.DESTINATION_DISABLED);

    delete("failed");
    shard.advance(RETRY);

    assertThat(reason(dead)).isEqualTo(WaitReason.DESTINATION_NOT_FOUND);
    delete("orders");
    assertThat(heldUp(dead)).isNull();
  }

  private void update(QueueDefinition definition) {
    shard.ask(
        new EntityRequest.UpdateQueue(
            new ShardFixture.Asker(), new ShardFixture.Note(), definition));
  }

  private void delete(String path) {
    shard.ask(
        new EntityRequest.DeleteQueue(new ShardFixture.Asker(), new ShardFixture.Note(), path));
  }

  @Test
  @Rule({"I-08", "I-46"})
  void whoHoldsItsShareOfTheMemoryIsToldFromAStoreThatIsFull() {
    shard.checkEveryStep = false;
    var greedy = forwards.queue("greedy");
    var start = forwards.queue("start", "greedy");
    shard.machine.stored().bound(shard.machine.stored().taken() + (1 << 20));
    QueueFixture.Outcome filled = QueueFixture.Outcome.DONE;
    while (filled.equals(QueueFixture.Outcome.DONE)) {
      filled = greedy.sendAtomically(QueueFixture.same(1, 100));
    }
    for (int i = 0; i < 10_000 && heldUp(start) == null; i++) {
      start.sendSized(1);
    }

    var share = Objects.requireNonNull(heldUp(start));

    assertThat(share.kind()).isEqualTo(Kind.FORWARDED);
    assertThat(share.delay().reason()).isEqualTo(WaitReason.MEMORY_SHARE_EXCEEDED);
    assertThat(share.delay().reason().isOfAll()).isFalse();
  }

  @Test
  @Rule({"I-46", "S-319"})
  void copiesForWhichTheStoreHasNoRoomSaySoWhetherForwardedOrScheduled() {
    var topic = changing();
    var start = forwards.queue("start", "events");
    topic.schedule(new long[] {shard.nowMillis + 1_000}, TopicFixture.Message.plain());
    shard.machine.changedCopiesWait(true);

    shard.advance(RETRY);
    start.send(1);
    long began = now();
    shard.advance(RETRY);

    assertThat(WaitReason.STORE_FULL.isOfAll()).isTrue();
    assertThat(heldUp(start))
        .isEqualTo(
            new HeldUp(Kind.FORWARDED, "start", "events", new Delay(WaitReason.STORE_FULL, began)));
    assertThat(heldUp(topic.topic))
        .isEqualTo(
            new HeldUp(Kind.SCHEDULED, "events", null, new Delay(WaitReason.STORE_FULL, began)));
    shard.machine.changedCopiesWait(false);
    shard.advance(RETRY);
    assertThat(heldUp(start)).isNull();
    assertThat(heldUp(topic.topic)).isNull();
  }

  /** What is scheduled there moves nothing of what waits to be forwarded. */
  @Test
  @Rule({"I-46", "S-156"})
  void whatBecomesDueInAQueueDoesNotEndWhatHoldsItUp() {
    changing();
    var start = forwards.queue("start", "events");
    shard.machine.changedCopiesWait(true);
    start.send(1);
    long began = now();
    for (int i = 0; i < 5; i++) {
      start.schedule(shard.nowMillis + 500);
      shard.advance(Duration.ofMillis(700));
      assertThat(Objects.requireNonNull(heldUp(start)).delay().sinceMillis()).isEqualTo(began);
    }
  }

  @Test
  @Rule({"I-46", "S-155"})
  void aTopicWithNothingThatIsDueIsNotHeldUp() {
    var topic = changing();
    long[] numbers = topic.topic.schedule(shard.nowMillis + 1_000, shard.nowMillis + 60_000);
    assertThat(topic.topic.cancel(numbers[0])).isEqualTo(QueueFixture.Outcome.DONE);
    shard.machine.changedCopiesWait(true);

    shard.advance(Duration.ofSeconds(5));

    assertThat(heldUp(topic.topic)).isNull();
  }

  /** One that has no hop left goes to the dead letters, whatever cannot be read behind it. */
  @Test
  @Rule({"S-291", "S-292"})
  void aMessageThatCannotBeReadHoldsUpNoneThatIsOutOfHops() {
    forwards.queue(with("sessions").requiresSession(true));
    var end = forwards.queue("e");
    forwards.queue("d", "e");
    forwards.queue("c", "d");
    forwards.queue("b", "c");
    var begin = forwards.queue("a", "b");
    begin.send(1);
    assertThat(end.counts().active()).isEqualTo(1);
    forwards.lost.add(shard.machine.nextBodyId());
    end.send(1);
    forwards.update(with("e").forwardTo("sessions"));
    long began = now();
    shard.advance(Duration.ofSeconds(25));

    var held = Objects.requireNonNull(heldUp(end)).delay();
    assertThat(held).isEqualTo(new Delay(WaitReason.MESSAGE_UNREADABLE, began));
    assertThat(end.counts().deadLetters()).isEqualTo(1);
  }

  @Test
  @Rule("S-291")
  void aMessageThatCannotBeReadHoldsUpItsQueue() {
    forwards.queue(with("sessions").requiresSession(true));
    var start = forwards.queue("start", "sessions");
    forwards.lost.add(shard.machine.nextBodyId());
    start.send(1);

    assertThat(reason(start)).isEqualTo(WaitReason.MESSAGE_UNREADABLE);
  }

  @Test
  @Rule({"I-46", "S-319"})
  void copiesThatATopicHasStillToMakeAreNamedByTheirTopic() {
    shard.copiesAtOnce(2);
    var topic = changing();
    for (int i = 0; i < 4; i++) {
      topic.subscription("blue" + i);
    }
    shard.holdForwards(true);
    topic.send(TopicFixture.Message.plain());
    shard.machine.changedCopiesWait(true);
    shard.holdForwards(false);

    assertThat(ofTransfers("events", "events"))
        .isEqualTo(
            new HeldUp(Kind.COPIES, "events", null, new Delay(WaitReason.STORE_FULL, now())));
  }

  @Test
  @Rule("S-305")
  void whatWasSentViaAnotherEntityIsNamedByThat() {
    var orders = forwards.queue("orders");
    var bills = forwards.queue(with("bills").maxSizeBytes(QueueFixture.SIZE));
    bills.send(1);
    int[] one = {QueueFixture.SIZE};
    var burst = new SendBurst(1, one, new int[1], TransactionFixture.forever(one));
    shard.ask(
        new Request.Send(
            new ShardFixture.Asker(),
            new ShardFixture.Note(),
            bills.id,
            burst,
            false,
            false,
            orders.id));

    assertThat(ofTransfers("orders", "bills"))
        .isEqualTo(
            new HeldUp(
                Kind.TRANSFERS, "orders", "bills", new Delay(WaitReason.DESTINATION_FULL, now())));
  }

  /** Of what waits via an entity. */
  private @Nullable HeldUp ofTransfers(String via, String destination) {
    var queue = shard.machine.state().queue(QueueRole.Transfers.path(via, destination));
    return shard.machine.heldUp(Objects.requireNonNull(queue).id());
  }

  @Test
  void nothingIsHeldUpWhereThereIsNoQueue() {
    assertThat(shard.machine.heldUp(new QueueId(4_711))).isNull();
  }
}
