package io.peeklock.kernel.forward;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.decide.FetchedBodies;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.TopicFixture;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.proof.Rule;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages move on into a topic, and from subscriptions. */
class ForwardToTopicTest {
  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private final ForwardFixture forwards = new ForwardFixture(shard);

  private TopicFixture topic() {
    var topic = TopicFixture.of(shard);
    shard.store = forwards;
    return topic;
  }

  @Test
  @Rule({"S-285", "S-290", "S-146"})
  void everySubscriptionGetsACopyAndTheBodyIsThereOnce() {
    var topic = topic();
    var audit = topic.subscription("audit");
    var mail = topic.subscription("mail");
    var start = forwards.queue("start", "events");
    start.send(2);

    assertThat(audit.peek()).extracting(Received::enqueuedNumber).containsExactly(1L, 2L);
    assertThat(start.counts().active()).isZero();
    audit.receiveAndDelete(2);
    assertThat(shard.deadBodies).isEmpty();
    mail.receiveAndDelete(2);
    assertThat(shard.deadBodies).containsExactly(1L, 2L);
    assertThat(shard.read).as("nobody looks").isEmpty();
  }

  @Test
  @Rule({"S-285", "S-054"})
  void whatNoSubscriptionSelectsIsGone() {
    topic().subscription("nobody", TopicFixture.rule("never", "1=0"));
    var start = forwards.queue("start", "events");
    start.send(1);

    assertThat(start.counts().active()).isZero();
    assertThat(start.deadLetters().counts().active()).isZero();
    assertThat(shard.deadBodies).containsExactly(1L);
  }

  @Test
  @Rule({"S-055", "S-294"})
  void aTopicThatRefusesWhatNobodySelectsMakesADeadLetter() {
    TopicFixture.refusingUnmatched(shard).subscription("nobody", TopicFixture.rule("r", "1=0"));
    shard.store = forwards;
    var start = forwards.queue("start", "events");
    start.send(1);

    assertThat(start.deadLetters().peek())
        .extracting(Received::cause)
        .containsExactly(DeadLetterCause.FORWARDING_FAILED);
  }

  @Test
  @Rule("S-298")
  void rulesSeeTheMessageAsItIsNow() {
    var topic = topic();
    var changed = topic.subscription("changed", TopicFixture.rule("r", "changed = 'yes'"));
    var all = topic.subscription("all");
    var start = forwards.queue(ForwardFixture.with("start").forwardDeadLettersTo("events"));
    start.send(2);
    start.settleChanging(Settlement.DEAD_LETTER, start.peekLock(), 50);
    start.deadLetter(start.peekLock());

    assertThat(changed.peek()).extracting(Received::enqueuedNumber).containsExactly(1L);
    assertThat(changed.peek().getFirst().deadLetterSource()).isEqualTo("start");
    var copies = all.peek();
    assertThat(copies).hasSize(2);
    assertThat(copies.get(0).overlayId())
        .as("each copy has changes of its own")
        .isPositive()
        .isNotEqualTo(changed.peek().getFirst().overlayId());
    assertThat(copies.get(1).overlayId()).isZero();
    assertThat(shard.deadBodies).as("those of the message that left").containsExactly(3L);
  }

  /** One message makes as many as there are subscriptions, each as large as it is. */
  @Test
  @Rule({"I-46", "S-319"})
  void copiesWithPropertiesOfTheirOwnWaitWhereTheStoreHasNoRoomForThem() {
    var changed = topic().subscription("s", TopicFixture.rule("r", "1=1", "SET seen = 'yes'"));
    var start = forwards.queue("start", "events");
    shard.machine.changedCopiesWait(true);
    start.send(2);

    assertThat(changed.peek()).isEmpty();
    assertThat(start.counts().active()).isEqualTo(2);

    shard.machine.changedCopiesWait(false);
    shard.advance(ofSeconds(1));
    shard.forwardWhileWanted();
    assertThat(changed.peek()).hasSize(2);
  }

  /** Each copy of a message whose properties were changed has them as a body of its own. */
  @Test
  @Rule({"I-46", "S-298"})
  void copiesOfChangedMessagesWaitToo() {
    var all = topic().subscription("all");
    var start = forwards.queue(ForwardFixture.with("start").forwardDeadLettersTo("events"));
    shard.machine.changedCopiesWait(true);
    start.send(1);
    start.settleChanging(Settlement.DEAD_LETTER, start.peekLock(), 50);

    assertThat(all.peek()).isEmpty();

    shard.machine.changedCopiesWait(false);
    shard.advance(ofSeconds(1));
    shard.forwardWhileWanted();
    assertThat(all.peek()).hasSize(1);
  }

  @Test
  @Rule({"I-46", "S-319"})
  void copiesWithoutGoOn() {
    var all = topic().subscription("all");
    var start = forwards.queue("start", "events");
    shard.machine.changedCopiesWait(true);
    start.send(2);

    assertThat(all.peek()).hasSize(2);
  }

  /** A topic that looks at nothing reads what was changed all the same, for its copies. */
  @Test
  @Rule({"S-285", "S-298"})
  void largeMessagesWithChangesMoveAFewAtATime() {
    var all = topic().subscription("all");
    var start = forwards.queue(ForwardFixture.with("start").forwardDeadLettersTo("events"));
    shard.holdForwards(true);
    start.sendSized(QueueFixture.same(1 << 20, 100));
    for (var i = 0; i < 100; i++) {
      start.settleChanging(Settlement.DEAD_LETTER, start.peekLock(), 5_000);
    }

    var round = shard.machine.forward(shard.stamp(), FetchedBodies.NONE);

    assertThat(round.needs().length / 2).isBetween(2, 25);
    shard.holdForwards(false);
    assertThat(all.peek())
        .extracting(Received::enqueuedNumber)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 100).boxed().toList());
    assertThat(all.peek()).allMatch(each -> each.overlayId() != 0);
  }

  @Test
  @Rule({"S-285", "S-291"})
  void aSubscriptionForwardsItsCopiesAndOthersKeepTheirs() {
    var end = forwards.queue("end");
    var topic = topic();
    var keeps = topic.subscription("keeps");
    topic.subscription(QueueDefinition.named("moves").with().forwardTo("end").build());
    topic.topic.send(2);

    assertThat(keeps.counts().active()).isEqualTo(2);
    assertThat(end.peek()).extracting(Received::enqueuedNumber).containsExactly(1L, 2L);
    end.receiveAndDelete(2);
    assertThat(shard.deadBodies).isEmpty();
    keeps.receiveAndDelete(2);
    assertThat(shard.deadBodies).containsExactly(1L, 2L);
  }

  @Test
  @Rule("S-285")
  void aCopyGoesOnIntoAnotherTopicWithTheSameBody() {
    var second =
        QueueFixture.of(shard, QueueDefinition.named("second").as(new QueueRole.Topic(false)));
    assertThat(second.counts().active()).isZero();
    var topic = topic();
    var keeps = topic.subscription("keeps");
    topic.subscription(QueueDefinition.named("moves").with().forwardTo("second").build());
    topic.topic.send(1);

    keeps.receiveAndDelete(1);

    assertThat(shard.deadBodies).as("nobody is left").containsExactly(1L);
  }

  @Test
  @Rule({"S-178", "S-165"})
  void theTimeToLiveOfATopicDoesNotGoOnWithItsCopies() {
    var end = forwards.queue("end");
    var failed = forwards.queue("failed");
    var topic = topic();
    forwards.update(
        QueueDefinition.named("events")
            .as(new QueueRole.Topic(false))
            .with()
            .defaultTimeToLiveMillis(5_000));
    topic.subscription(QueueDefinition.named("moves").with().forwardTo("end").build());
    var keeps =
        topic.subscription(
            QueueDefinition.named("keeps").with().forwardDeadLettersTo("failed").build());
    topic.topic.send(1);
    keeps.deadLetter(keeps.peekLock());

    assertThat(end.peek()).extracting(Received::expiresAt).containsExactly(QueueDefinition.FOREVER);
    assertThat(failed.peek())
        .extracting(Received::expiresAt)
        .containsExactly(QueueDefinition.FOREVER);
  }
}
