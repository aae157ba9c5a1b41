package io.peeklock.kernel.session;

import static io.peeklock.kernel.machine.QueueFixture.numbers;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.deliver.DispatchHandler;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.Definitions;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Consumer;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.kernel.state.Receiver;
import io.peeklock.proof.Rule;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How the messages of many sessions are dealt out: a bounded slice at a time, in turns. */
class SessionSliceTest {

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private QueueFixture queue() {
    return QueueFixture.of(shard, Definitions.lockDuration(ofSeconds(30)).withSession(true));
  }

  @Test
  @Rule({"S-246", "I-24"})
  void manySessionsShareASlice() {
    QueueFixture queue = queue();
    String[] ids = IntStream.range(0, 600).mapToObj(i -> "s" + i).toArray(String[]::new);
    List<Consumer> holders =
        Arrays.stream(ids).map(id -> queue.accepts(id, ZERO).wants(2)).toList();
    int before = shard.dispatches();

    queue.sendTo(ids);

    assertThat(shard.dispatches() - before).isEqualTo(2); // of 512 and of the rest
    for (int i = 0; i < ids.length; i++) {
      assertThat(numbers(holders.get(i).gets())).containsExactly(i + 1L);
    }
  }

  @Test
  @Rule({"S-246", "S-262"})
  void sessionsOfOneSliceAreServedEachInItsWay() {
    QueueFixture queue = queue();
    Consumer none = queue.accepts("none", ZERO).wants(1);
    Consumer taker = queue.accepts("taken", ZERO, ReceiveMode.RECEIVE_AND_DELETE).wants(1);
    Consumer locker = queue.accepts("locked", ZERO).wants(1);
    int before = shard.dispatches();

    queue.sendTo("taken", "locked", "locked", "locked");

    assertThat(shard.dispatches() - before).isEqualTo(1);
    assertThat(none.gets()).isEmpty();
    assertThat(numbers(taker.gets())).containsExactly(1L);
    assertThat(numbers(locker.gets())).containsExactly(2L);
    assertThat(queue.counts().active()).isEqualTo(3);
    assertThat(queue.counts().locked()).isEqualTo(1);
  }

  @Test
  @Rule("S-246")
  void aSessionWithMoreThanASliceLetsOthersGoFirstWhenItHadItsTurn() {
    shard.checkEveryStep = false;
    QueueFixture queue = queue();
    Consumer many = queue.accepts("many", ZERO).wants(5_000);
    Consumer one = queue.accepts("one", ZERO).wants(1);
    String[] ids = new String[1_200];
    Arrays.fill(ids, "many");
    ids[1_199] = "one";

    queue.sendTo(ids);

    List<Origin> order =
        shard.effects.stream().filter(Effect.Delivered.class::isInstance).map(Effect::to).toList();
    assertThat(order).containsExactly(many.asker, one.asker, many.asker, many.asker);
  }

  @Test
  @Rule({"S-102", "S-246"})
  void aSlowHolderGetsNoMoreThanItsBudgetAndKeepsNobodyWaiting() {
    QueueFixture queue = queue();
    int half = (int) Receiver.BUDGET_BYTES / 2;
    Consumer slow = queue.accepts("slow", ZERO).wants(9);
    Consumer other = queue.accepts("other", ZERO).wants(9);
    String[] ids = {"slow", "slow", "slow", "other"};
    int[] sizes = {half, half, half, half};
    long[] forever = new long[ids.length];
    Arrays.fill(forever, QueueDefinition.FOREVER);

    shard.ask(
        new Request.Send(
            new Asker(),
            new Note(),
            queue.id,
            new SendBurst(ids.length, sizes, new int[ids.length], forever, null, null, ids),
            false));

    assertThat(numbers(slow.gets())).containsExactly(1L, 2L);
    assertThat(numbers(other.gets())).containsExactly(4L);
    slow.transferred(half);
    assertThat(numbers(slow.gets())).containsExactly(3L);
  }

  @Test
  @Rule({"S-167", "S-246"})
  void noMoreThanASliceOfExpiredMessagesIsTakenAwayAtOnce() {
    shard.checkEveryStep = false;
    QueueFixture queue =
        QueueFixture.of(shard, Definitions.timeToLive(ofSeconds(9), false).withSession(true));
    String[] ids = new String[DispatchHandler.SLICE + 88];
    Arrays.fill(ids, "a");
    queue.sendTo(ids);
    shard.passes(ofSeconds(10)); // and nobody has looked

    Consumer holder = queue.accepts("a", ZERO).wants(ids.length);

    assertThat(holder.gets()).isEmpty();
    assertThat(shard.log.stream().map(ShardFixture.Logged::fact))
        .filteredOn(Fact.Expired.class::isInstance)
        .extracting(fact -> ((Fact.Expired) fact).sequenceNumbers().length)
        .containsExactly(DispatchHandler.SLICE, 88);
  }
}
