package io.peeklock.kernel.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.columns.DueOrder;
import io.peeklock.kernel.decide.TickContext;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.TopicFixture;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** For which of many queues the time has come. */
class DueOrderTest {

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private static Grant.Ticked ticked(Decision decision) {
    return decision.grants().stream()
        .filter(Grant.Ticked.class::isInstance)
        .map(Grant.Ticked.class::cast)
        .findAny()
        .orElseThrow();
  }

  @Test
  @Rule({"S-033", "S-168"})
  void aLookAtTheTimeLooksAtThoseAloneForWhichItHasCome() {
    shard.checkEveryStep = false;
    for (int i = 0; i < 1_000; i++) {
      QueueFixture.of(shard, QueueDefinition.named("q" + i)).sendLiving(Duration.ofHours(1));
    }
    QueueFixture expires = QueueFixture.of(shard, QueueDefinition.named("expires"));
    expires.sendLiving(Duration.ofSeconds(1));
    QueueFixture lapses =
        QueueFixture.of(shard, QueueDefinition.named("l").with().lockDurationMillis(5_000).build());
    lapses.send(1);
    lapses.peekLock();
    shard.passes(Duration.ofSeconds(6));

    Decision decision = shard.machine.tick(shard.stamp(), null);

    assertThat(ticked(decision).queues()).containsExactly(lapses.id, expires.id);
    shard.take(decision);
    assertThat(shard.machine.nextTickMillis(shard.stamp())).isPositive();
  }

  @Test
  @Rule("S-168")
  void veryManyQueuesWhoseTimeHasComeTakeTheirTurns() {
    shard.checkEveryStep = false;
    int many = 2 * TickContext.MAX_QUEUES + 3;
    for (int i = 0; i < many; i++) {
      QueueFixture.of(shard, QueueDefinition.named("q" + i)).sendLiving(Duration.ofSeconds(1));
    }
    shard.passes(Duration.ofSeconds(2));
    int most = 0;
    while (shard.machine.nextTickMillis(shard.stamp()) <= 0) {
      Decision decision = shard.machine.tick(shard.stamp(), null);
      most = Math.max(most, ticked(decision).queues().size());
      shard.take(decision);
    }

    assertThat(most).isEqualTo(TickContext.MAX_QUEUES);
    assertThat(shard.log.stream().filter(one -> one.fact() instanceof Fact.Expired)).hasSize(many);
  }

  @Test
  @Rule("S-156")
  void whatIsLeftOverGoesOnWhileBodiesOfWhatIsDueAreRead() {
    TopicFixture topic = TopicFixture.of(shard);
    topic.subscription("red", TopicFixture.rule("red", "colour = 'red'"));
    topic.schedule(new long[] {shard.nowMillis + 1_000}, TopicFixture.Message.plain());
    QueueFixture.of(shard, QueueDefinition.named("gone")).send(3);
    shard.ask(
        new EntityRequest.DeleteQueue(new ShardFixture.Asker(), new ShardFixture.Note(), "gone"));
    shard.passes(Duration.ofSeconds(2));

    Decision decision = shard.machine.tick(shard.stamp(), null);

    assertThat(decision.facts()).as("of the deleted queue").isNotEmpty();
    shard.take(decision);
    assertThat(shard.machine.nextTickMillis(shard.stamp())).as("it is still due").isZero();
  }

  @Test
  @Rule("I-47")
  void thoseWhoseTimeHasComeHaveTheirTurnsRoundAndRoundWhateverIsNotedAndSet() {
    DueOrder order = new DueOrder();
    TreeMap<Integer, Long> model = new TreeMap<>();
    Random chance = new Random(3);
    assertThat(order.due(Long.MAX_VALUE - 1, 5)).isEmpty();
    for (int step = 0; step < 20_000; step++) {
      int queue = chance.nextInt(1 + step / 100);
      long time = chance.nextInt(4) == 0 ? Long.MAX_VALUE : chance.nextInt(100);
      if (chance.nextBoolean()) {
        order.set(queue, time);
        model.put(queue, time);
      } else {
        order.note(queue, time);
        model.merge(queue, time, Math::min);
      }
      long now = chance.nextInt(110) - 5L;
      int most = 1 + chance.nextInt(80);
      int next = chance.nextInt(250);
      order.resumeFrom(next);

      long first = model.values().stream().mapToLong(Long::longValue).min().getAsLong();
      assertThat(order.first()).isEqualTo(first);
      assertThat(order.due(now, most))
          .containsExactly(
              Stream.concat(
                      model.tailMap(next).entrySet().stream(),
                      model.headMap(next).entrySet().stream())
                  .filter(each -> each.getValue() <= now)
                  .limit(most)
                  .mapToInt(each -> each.getKey())
                  .toArray());
    }
  }
}
