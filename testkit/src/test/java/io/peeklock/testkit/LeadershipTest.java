package io.peeklock.testkit;

import static io.peeklock.kernel.request.ReceiveMode.PEEK_LOCK;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.EntityCounting;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A shard that loses leadership is rebuilt from what is durable; nothing is rolled back by hand.
 */
final class LeadershipTest {
  private final ShardFixture world = new ShardFixture();

  private void loseLeadership(int keptBatches) {
    world.journal.loseLeadership(keptBatches);
    world.shardExecutor.settle();
  }

  @Test
  @Rule({"S-116", "S-042"})
  void locksEndWithTheTermAndCountsStay() {
    var orders = world.queue("orders");
    world.client().send(orders, "one");
    var receiver = world.client();
    receiver.receive(orders, PEEK_LOCK, 1);
    var lock = receiver.lockIds();

    loseLeadership(0);

    var later = world.client();
    later.settle(orders, Settlement.COMPLETE, lock);
    assertThat(later.last(Effect.SettleAnswered.class).refusals()).isNotNull();
    later.receive(orders, PEEK_LOCK, 1);
    assertThat(later.bodies).containsExactly(List.of("one"));
    assertThat(later.last(Effect.Delivered.class).messages().deliveryCounts()).containsExactly(0);
    assertThat(world.news).containsExactly("leadership lost");
  }

  @Test
  @Rule({"S-116", "S-097"})
  void aLockOfAnEarlierTermIsNeverAnotherOnesLater() {
    var orders = world.queue("orders");
    world.client().send(orders, "one", "two");
    var receiver = world.client();
    receiver.receive(orders, PEEK_LOCK, 1);
    var earlier = receiver.lockIds();
    loseLeadership(0);
    var later = world.client();
    later.receive(orders, PEEK_LOCK, 2);

    later.settle(orders, Settlement.COMPLETE, earlier);

    assertThat(later.lockIds()).doesNotContain(earlier);
    assertThat(later.last(Effect.SettleAnswered.class).refusals()).isNotNull();
    assertThat(world.messages(orders)).containsExactly("one", "two");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  @Rule({"I-01", "I-03"})
  void proposalsThatWereDroppedNeverHappenedAndThoseKeptDid(int kept) {
    var orders = world.queue("orders");
    world.client().send(orders, "durable");
    world.journal.holdSyncs();
    var sender = world.client();
    sender.send(orders, "first");
    sender.send(orders, "second");

    loseLeadership(kept);
    world.journal.sync();
    world.shardExecutor.settle();

    assertThat(sender.told).isEmpty();
    var receiver = world.client();
    receiver.receive(orders, PEEK_LOCK, 10);
    assertThat(receiver.bodies)
        .containsExactly(List.of("durable", "first", "second").subList(0, kept + 1));
  }

  @Test
  @Rule("I-05")
  void anUnconfirmedCompleteMayBeUndoneAndAConfirmedOneIsNot() {
    var orders = world.queue("orders");
    world.client().send(orders, "confirmed");
    world.client().send(orders, "unconfirmed");
    var receiver = world.client();
    receiver.receive(orders, PEEK_LOCK, 2);
    var locks = receiver.lockIds();
    receiver.settle(orders, Settlement.COMPLETE, locks[0]);
    world.journal.holdSyncs();
    receiver.settle(orders, Settlement.COMPLETE, locks[1]);

    loseLeadership(0);

    var later = world.client();
    later.receive(orders, PEEK_LOCK, 10);
    assertThat(later.bodies).containsExactly(List.of("unconfirmed"));
  }

  @Test
  @Rule("I-12")
  void numbersGoOnAboveWhatIsDurable() {
    var orders = world.queue("orders");
    world.client().send(orders, "one");
    world.journal.holdSyncs();
    world.client().send(orders, "lost");

    loseLeadership(0);
    world.client().send(orders, "two");
    world.journal.sync();
    world.shardExecutor.settle();

    var receiver = world.client();
    receiver.receive(orders, PEEK_LOCK, 10);
    assertThat(receiver.bodies).containsExactly(List.of("one", "two"));
    assertThat(receiver.last(Effect.Delivered.class).messages().sequenceNumbers())
        .containsExactly(1, 2);
  }

  @Test
  void whatWaitedAtTheGateIsForgottenWithTheTerm() {
    var orders = world.queue("orders");
    world.client().send(orders, "one");
    world.journal.holdLoads();
    var receiver = world.client();
    receiver.receive(orders, PEEK_LOCK, 1);

    loseLeadership(0);
    world.journal.answerLoads();
    world.shardExecutor.settle();

    assertThat(receiver.told).isEmpty();
    assertThat(world.journal.leaks()).isZero();
  }

  @Test
  @Rule({"I-01", "I-03"})
  void whatIsAppendedAfterLeadershipWentNeverHappenedAndItsBodiesAreGivenBack() {
    var orders = world.queue("orders");
    var receiver = world.client();
    receiver.receive(orders, PEEK_LOCK, 10);
    var sender = world.client();
    sender.submit(orders, false, "too late");

    loseLeadership(0); // the step that appends is behind, and ahead of the news

    assertThat(sender.told).isEmpty();
    assertThat(receiver.bodies).isEmpty();
    assertThat(receiver.troubles).isEmpty();
    assertThat(world.messages(orders)).isEmpty();
    assertThat(world.journal.leaks()).isZero();
  }

  /** Steps down, and another one leads. */
  private void stepDown(int keptBatches) {
    world.journal.follow();
    loseLeadership(keptBatches);
  }

  private void lead() {
    world.journal.lead();
    world.shardExecutor.settle();
  }

  @Test
  @Rule("S-507")
  void whoAsksAShardThatFollowsIsRefusedAndMayTryAgainWhenItLeads() {
    var orders = world.queue("orders");
    world.client().send(orders, "one");
    stepDown(0);

    var early = world.client();
    early.send(orders, "two");
    early.settle(orders, Settlement.COMPLETE, 1);
    early.ask(new Request.Peek(early, new ShardFixture.Note("peek"), orders, 0, 10, 1_000, null));
    world.shardExecutor.settle();

    assertThat(early.last(Effect.Refused.class).refusal()).isEqualTo(new Refusal.NotLeading());
    assertThat(early.told)
        .filteredOn(Effect.SendAnswered.class::isInstance)
        .extracting(told -> ((Effect.SendAnswered) told).refusals())
        .containsExactly(new Refusal[] {new Refusal.NotLeading()});
    assertThat(early.last(Effect.SettleAnswered.class).refusals())
        .containsExactly(new Refusal.NotLeading());
    assertThat(world.journal.leaks()).isZero();

    lead();
    world.client().send(orders, "two");
    assertThat(world.messages(orders)).containsExactly("one", "two");
  }

  @Test
  @Rule("S-507")
  void whoWantsToReceiveFromAShardThatFollowsIsToldSo() {
    var orders = world.queue("orders");
    stepDown(0);

    var early = world.client();
    early.receive(orders, PEEK_LOCK, 1);

    assertThat(early.last(Effect.ReceiverEnded.class).refusal())
        .isEqualTo(new Refusal.NotLeading());
  }

  @Test
  @Rule("S-507")
  void whoCountsOrWantsAProofOfAShardThatFollowsIsToldThatItFails() {
    var orders = world.queue("orders");
    stepDown(0);

    var counted = EntityCounting.of(world.shard, List.of(orders));
    var proof = world.shard.prove();
    world.shardExecutor.settle(); // comes to rest, too

    assertThat(counted).isCompletedExceptionally();
    assertThat(proof).isCompletedExceptionally();
    lead();
    var later = EntityCounting.of(world.shard, List.of(orders));
    world.shardExecutor.settle();
    assertThat(later).isCompletedWithValueMatching(counts -> counts.size() == 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  @Rule({"I-01", "I-03"})
  void theOutcomeOfWhatWasInFlightIsToldToNobodyAndIsWhatTheLogHas(int kept) {
    var orders = world.queue("orders");
    world.journal.holdSyncs();
    var sender = world.client();
    sender.send(orders, "in flight");

    stepDown(kept);
    assertThat(sender.told).isEmpty();
    lead();

    assertThat(sender.told).isEmpty();
    assertThat(world.messages(orders)).hasSize(kept);
  }

  @Test
  @Rule("S-507")
  void whatAFollowerDoesNotKnowMayBeThere() {
    world.queue("orders");
    assertThat(world.shard.catalogue().missing()).isEqualTo(new Refusal.EntityNotFound());

    stepDown(0);
    assertThat(world.shard.catalogue().queue("orders")).isNotNull();
    assertThat(world.shard.catalogue().missing()).isEqualTo(new Refusal.NotLeading());

    lead();
    assertThat(world.shard.catalogue().queue("orders")).isNotNull();
    assertThat(world.shard.catalogue().missing()).isEqualTo(new Refusal.EntityNotFound());
  }

  @Test
  @Rule("I-03")
  void aFollowerHasWhatItsLeaderMadeDurable() {
    var leader = new ShardFixture();
    leader.queue("orders");
    stepDown(0);

    leader.journal.durableBatches().forEach(world.journal::replicate);
    lead();

    assertThat(world.shard.catalogue().queue("orders")).isNotNull();
    world.client().send(world.queue("orders"), "one");
    assertThat(world.messages(world.queue("orders"))).containsExactly("one");
  }

  @Test
  @Rule("I-03")
  void soItHasMessagesAndWhatBecameOfThemAndStatesOfSessions() {
    var leader = new ShardFixture();
    var orders = leader.queue("orders");
    var games = leader.queue(QueueDefinition.named("games").withSession(true));
    leader.client().send(orders, "settled", "kept", "dead-lettered");
    var receiver = leader.client();
    receiver.receive(orders, PEEK_LOCK, 3);
    var locks = receiver.lockIds();
    receiver.settle(orders, Settlement.COMPLETE, locks[0]);
    receiver.settle(orders, Settlement.DEAD_LETTER, locks[2]);
    leader.client().setState(games, "chess", "e4");
    stepDown(0);

    leader.journal.durableBatches().forEach(world.journal::replicate);
    lead();

    var here = Objects.requireNonNull(world.shard.catalogue().queue("orders"));
    assertThat(world.messages(here.queue())).containsExactly("kept");
    assertThat(world.messages(here.deadLetterQueue())).containsExactly("dead-lettered");
    assertThat(world.client().state(games, "chess")).isEqualTo("e4");
  }

  @Test
  @Rule("I-03")
  void anInstalledSnapshotTakesThePlaceOfAllThatWasThere() {
    var leader = new ShardFixture();
    leader.queue("orders");
    world.queue("invoices");
    stepDown(0);

    world.journal.install(leader.journal.durableBatches());
    lead();

    assertThat(world.shard.catalogue().queue("orders")).isNotNull();
    assertThat(world.shard.catalogue().queue("invoices")).isNull();
  }
}
