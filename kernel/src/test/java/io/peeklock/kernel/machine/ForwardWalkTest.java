package io.peeklock.kernel.machine;

import static io.peeklock.kernel.forward.ForwardFixture.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.EntityStatus;
import io.peeklock.kernel.forward.ForwardFixture;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages wander through queues that forward to each other, some of them small or in a circle,
 * while receivers do as they like: at every moment each message is in exactly one place. The
 * checkers run after each decision, and the log is replayed at the end.
 */
class ForwardWalkTest {
  private static final int STEPS = 400;

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private final ForwardFixture forwards = new ForwardFixture(shard);
  private final List<QueueFixture> all = new ArrayList<>();
  private final List<QueueFixture> receivable = new ArrayList<>();
  private final TreeSet<Long> alive = new TreeSet<>();

  static List<Long> seeds() {
    return LongStream.rangeClosed(1, 4).boxed().toList();
  }

  static List<Long> moreSeeds() {
    return LongStream.rangeClosed(5, 12).boxed().toList();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  @Rule({"I-36", "S-290", "S-297", "S-204"})
  void everyMessageIsInOnePlaceAtATime(long seed) {
    var chance = new Chance(seed);
    create();
    for (int step = 0; step < STEPS; step++) {
      step(chance);
      shard.tickWhileDue();
      assertThat(places()).containsExactlyElementsOf(alive);
      if (chance.oneIn(60)) {
        shard.restart();
        shard.forwardWhileWanted();
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @LongProof
  @MethodSource("moreSeeds")
  @Rule({"I-36", "S-290", "S-297", "S-204"})
  void everyMessageIsInOnePlaceAtATimeWithMoreSeeds(long seed) {
    everyMessageIsInOnePlaceAtATime(seed);
  }

  private void create() {
    all.add(forwards.queue(with("disabled").status(EntityStatus.SEND_DISABLED)));
    var small = forwards.queue(with("small").maxSizeBytes(4L * QueueFixture.SIZE));
    all.add(small);
    receivable.add(small);
    all.add(forwards.queue(with("to-small").forwardTo("small").forwardDeadLettersTo("disabled")));
    var circle = forwards.queue(with("circle").forwardDeadLettersTo("circle").maxDeliveryCount(2));
    all.add(circle);
    receivable.add(circle);
    var ends = forwards.queue(with("ends").forwardDeadLettersTo("to-small").maxDeliveryCount(1));
    all.add(ends);
    receivable.add(ends);
    all.add(forwards.queue("c", "ends"));
    all.add(forwards.queue("b", "c"));
    all.add(forwards.queue(with("a").forwardTo("b").forwardDeadLettersTo("circle")));
  }

  private void step(Chance chance) {
    var queue = all.get(chance.below(all.size()));
    var from = receivable.get(chance.below(receivable.size()));
    switch (chance.below(8)) {
      case 0, 1, 2 -> send(queue, 1 + chance.below(3));
      case 3 -> from.receiveAndDelete(1).forEach(got -> alive.remove(got.bodyId()));
      case 4 -> from.peekLock(2).forEach(from::abandon);
      case 5 -> from.peekLock(1).forEach(from::deadLetter);
      case 6 -> from.peekLock(1).forEach(got -> deadLetterChanging(from, got));
      default -> shard.passes(Duration.ofMillis(chance.below(1_500)));
    }
  }

  private void send(QueueFixture queue, int count) {
    var before = shard.machine.nextBodyId();
    queue.sendSized(QueueFixture.same(QueueFixture.SIZE, count));
    for (long body = before; body < shard.machine.nextBodyId(); body++) {
      alive.add(body);
    }
  }

  private void deadLetterChanging(QueueFixture from, Received got) {
    if (got.overlayId() == 0) {
      from.settleChanging(Settlement.DEAD_LETTER, got, 30);
    } else {
      from.complete(got);
      alive.remove(got.bodyId());
    }
  }

  /** The bodies of all messages, in every queue and its dead-letter queue. */
  private List<Long> places() {
    var bodies = new ArrayList<Long>();
    for (var queue : all) {
      queue.peek().forEach(message -> bodies.add(message.bodyId()));
      queue.deadLetters().peek().forEach(message -> bodies.add(message.bodyId()));
    }
    bodies.sort(null);
    return bodies;
  }
}
