package io.peeklock.kernel.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.EntityStatus;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Consumer;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.state.Receiver;
import io.peeklock.kernel.state.ReceiverList;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Very many receivers that are sent away at once: no decision ends more than a slice of them. */
class ReceiverEndingTest {
  private static final int MANY = 2 * ReceiverEnding.SLICE + 7;

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private Decision delete(String path) {
    return shard.ask(new EntityRequest.DeleteQueue(new Asker(), new Note(), path));
  }

  private Decision update(QueueDefinition definition) {
    return shard.ask(new EntityRequest.UpdateQueue(new Asker(), new Note(), definition));
  }

  private static QueueDefinition carts() {
    return QueueDefinition.named("carts").withSession(true);
  }

  /** What each tick does until nothing is left; the most receivers that one decision ended. */
  private long endsAtMost(Decision first) {
    long most = ends(first);
    while (shard.machine.nextTickMillis(shard.stamp()) <= 0) {
      Decision decision = shard.machine.tick(shard.stamp(), null);
      most = Math.max(most, ends(decision));
      shard.take(decision);
    }
    return most;
  }

  private static long ends(Decision decision) {
    return decision.effects().stream()
        .filter(e -> e instanceof Effect.ReceiverEnded || e instanceof Effect.Refused)
        .count();
  }

  private static Refusal endOf(Consumer consumer) {
    return ((Effect.ReceiverEnded) consumer.effects().getLast()).refusal();
  }

  @Test
  @Rule("S-071")
  void receiversOfADeletedQueueGoSliceBySlice() {
    shard.checkEveryStep = false;
    QueueFixture orders = QueueFixture.of(shard, QueueDefinition.named("orders"));
    List<Consumer> all = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      all.add(orders.consumer().wants(5));
    }

    Decision decision = delete("orders");
    Consumer wantsMore = all.get(MANY - 2).wants(3);
    all.getLast().closes();
    Consumer anew = QueueFixture.of(shard, QueueDefinition.named("orders")).consumer().wants(1);

    assertThat(endsAtMost(decision)).isEqualTo(ReceiverEnding.SLICE);
    assertThat(all.subList(0, MANY - 1))
        .allSatisfy(one -> assertThat(endOf(one)).isEqualTo(new Refusal.EntityNotFound()));
    assertThat(wantsMore.effects()).hasSize(1);
    assertThat(all.getLast().effects()).isEmpty();
    assertThat(anew.effects()).isEmpty();
    assertThat(shard.machine.state().deleted()).isEmpty();
  }

  @Test
  @Rule("S-071")
  void whoWaitsForASessionOfADeletedQueueIsToldSliceBySlice() {
    shard.checkEveryStep = false;
    QueueFixture carts = QueueFixture.of(shard, carts());
    carts.sendTo("late");
    Consumer first = carts.accepts("early", Duration.ZERO);
    List<Consumer> all = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      all.add(carts.accepts("held-" + i, Duration.ZERO));
      all.add(carts.accepts(null, Duration.ofMinutes(1)));
    }
    Consumer given = all.get(1); // the session that had a message

    Decision decision = delete("carts");
    given.wants(1);
    given.closes();

    assertThat(endsAtMost(decision)).isEqualTo(ReceiverEnding.SLICE);
    assertThat(endOf(first)).isEqualTo(new Refusal.EntityNotFound());
    all.remove(given);
    assertThat(all)
        .allSatisfy(
            one ->
                assertThat(one.effects().getLast())
                    .matches(
                        e -> e instanceof Effect.ReceiverEnded || e instanceof Effect.Refused));
    assertThat(shard.machine.state().deleted()).isEmpty();
  }

  @Test
  void receiversAreInTheOrderInWhichTheyCameWhoeverLeaves() {
    QueueFixture orders = QueueFixture.of(shard, QueueDefinition.named("orders"));
    Consumer a = orders.consumer();
    Consumer b = orders.consumer();
    Consumer c = orders.consumer();
    Consumer d = orders.consumer();
    b.closes();
    a.closes();
    d.closes();
    Consumer e = orders.consumer();

    delete("orders");

    assertThat(shard.effects)
        .filteredOn(Effect.ReceiverEnded.class::isInstance)
        .extracting(Effect::to)
        .containsExactly(c.asker, e.asker);
    Iterator<Receiver> none = new ReceiverList().iterator();
    assertThat(none.hasNext()).isFalse();
    assertThatThrownBy(none::next).isInstanceOf(NoSuchElementException.class);
  }

  @Test
  @Rule({"S-427", "S-248"})
  void whoIsStillToBeSentAwayFromADisabledQueueIsGivenNothing() {
    shard.checkEveryStep = false;
    QueueFixture carts = QueueFixture.of(shard, carts());
    List<Consumer> holders = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      carts.sendTo("s" + i);
      holders.add(carts.accepts("s" + i, Duration.ZERO).wants(1));
    }
    Consumer waits = carts.accepts(null, Duration.ofMinutes(1));
    int delivered = shard.effects.size();

    Decision decision = update(carts().with().status(EntityStatus.RECEIVE_DISABLED).build());
    carts.sendTo("s" + (MANY - 1), "new");
    holders.getLast().wants(1);

    assertThat(shard.effects.subList(delivered, shard.effects.size()))
        .noneMatch(e -> e instanceof Effect.Delivered || e instanceof Effect.SessionAccepted);
    assertThat(endsAtMost(decision)).isEqualTo(ReceiverEnding.SLICE);
    assertThat(holders)
        .allSatisfy(one -> assertThat(endOf(one)).isEqualTo(new Refusal.EntityDisabled()));
    assertThat(waits.refusal()).isEqualTo(new Refusal.EntityDisabled());

    update(carts());
    Consumer again = carts.accepts("s" + (MANY - 1), Duration.ZERO).wants(5);
    assertThat(again.gets()).as("its messages are free again").hasSize(2);
  }

  @Test
  @Rule("S-427")
  void whoIsThereWhenTheQueueIsOpenAgainIsNotSentAway() {
    shard.checkEveryStep = false;
    QueueFixture orders = QueueFixture.of(shard, QueueDefinition.named("orders"));
    List<Consumer> all = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      all.add(orders.consumer().wants(1));
    }
    Consumer comesBack = all.getLast();

    update(QueueDefinition.named("orders").with().status(EntityStatus.RECEIVE_DISABLED).build());
    comesBack.closes();
    update(QueueDefinition.named("orders"));
    shard.ask(new Request.OpenReceiver(comesBack.asker, orders.id, ReceiveMode.PEEK_LOCK));
    Consumer anew = orders.consumer().wants(1);
    shard.tickWhileDue();

    assertThat(comesBack.effects()).isEmpty();
    assertThat(anew.effects()).isEmpty();
    assertThat(shard.effects).filteredOn(Effect.ReceiverEnded.class::isInstance).hasSize(512);
    orders.send(MANY - ReceiverEnding.SLICE);
    assertThat(anew.gets()).as("after those who were there before").hasSize(1);
    assertThat(all.get(ReceiverEnding.SLICE).gets()).hasSize(1);
  }

  @Test
  @Rule("S-427")
  void whoIsGivenASessionOfAQueueThatIsOpenAgainKeepsIt() {
    shard.checkEveryStep = false;
    QueueFixture carts = QueueFixture.of(shard, carts());
    List<Consumer> all = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      all.add(carts.accepts(null, Duration.ofMinutes(1)));
    }

    update(carts().with().status(EntityStatus.DISABLED).build());
    update(carts());
    carts.sendTo("a");
    shard.tickWhileDue();

    Consumer given = all.get(ReceiverEnding.SLICE);
    assertThat(given.sessionId()).isEqualTo("a");
    assertThat(given.wants(1).gets()).hasSize(1);
    assertThat(all.getLast().effects()).isEmpty();
  }
}
