package io.peeklock.kernel.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.machine.QueueFixture.Outcome;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.kernel.transaction.TransactionFixture;
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
 * Many transactions at a time in no sensible order, on a queue whose messages move to another one
 * step by step; a book says what there must be. The checkers run after each decision.
 */
class TransactionWalkTest {

  private static final int STEPS = 500;

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private final List<Open> open = new ArrayList<>();
  private final List<Received> locked = new ArrayList<>();
  private final TreeSet<Long> orders = new TreeSet<>();
  private int bills;

  /** One open transaction, and what it will have done. */
  private static final class Open {
    private final TransactionFixture transaction;
    private final TreeSet<Long> settled = new TreeSet<>();
    private int sent;

    Open(ShardFixture shard) {
      transaction = new TransactionFixture(shard);
    }
  }

  static List<Long> seeds() {
    return LongStream.rangeClosed(1, 12).boxed().toList();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  @Rule({"I-27", "I-28", "S-379", "S-380", "S-381", "S-382", "S-383"})
  void eachTransactionHappensWhollyOrNotAtAll(long seed) {
    Chance chance = new Chance(seed);
    QueueDefinition definition =
        new QueueDefinition(
            "orders",
            5_000,
            STEPS, // so that none dies of too many attempts
            QueueDefinition.FOREVER,
            false,
            1 << 20,
            QueueDefinition.FOREVER);
    QueueFixture from = QueueFixture.of(shard, definition);
    QueueFixture to = QueueFixture.of(shard, QueueDefinition.named("bills"));
    for (int step = 0; step < STEPS; step++) {
      step(chance, from, to);
      shard.tickWhileDue();
      assertThat(from.counts().active()).isEqualTo(orders.size());
      assertThat(to.counts().active()).isEqualTo(bills);
    }
  }

  private void step(Chance chance, QueueFixture from, QueueFixture to) {
    switch (chance.below(12)) {
      case 0, 1 -> {
        orders.add(next(from));
        from.send(1);
      }
      case 2, 3 -> locked.addAll(from.peekLock(3));
      case 4, 5, 6 -> enlist(chance, from, to);
      case 7 -> settle(chance, from);
      case 8 -> end(chance, true);
      case 9 -> end(chance, false);
      default -> shard.passes(Duration.ofMillis(chance.below(1_500)));
    }
  }

  private long next(QueueFixture from) {
    return shard.machine.state().known(from.id).nextSequenceNumber();
  }

  private void enlist(Chance chance, QueueFixture from, QueueFixture to) {
    if (open.size() < 4) {
      open.add(new Open(shard));
    }
    Open one = open.get(chance.below(open.size()));
    if (!locked.isEmpty() && chance.below(4) > 0) {
      Received message = locked.get(chance.below(locked.size()));
      if (one.transaction.completes(from, message).equals(Outcome.DONE)) {
        assertThat(one.settled.add(message.number())).isTrue();
      }
    } else if (one.sent == 0) {
      one.sent = 1 + chance.below(3);
      one.transaction.sends(to, one.sent);
    }
  }

  /** Outside of any transaction: only where no transaction has the lock. */
  private void settle(Chance chance, QueueFixture from) {
    if (!locked.isEmpty()) {
      Received message = locked.remove(chance.below(locked.size()));
      boolean kept = open.stream().anyMatch(one -> one.settled.contains(message.number()));
      Outcome outcome = from.settle(Settlement.COMPLETE, message);
      if (outcome.equals(Outcome.DONE)) {
        assertThat(kept).isFalse();
        orders.remove(message.number());
      }
    }
  }

  private void end(Chance chance, boolean commit) {
    if (open.isEmpty()) {
      return;
    }
    Open one = open.remove(chance.below(open.size()));
    if (commit) {
      assertThat(one.transaction.commits()).isEqualTo(Outcome.DONE);
      assertThat(orders).containsAll(one.settled);
      orders.removeAll(one.settled);
      bills += one.sent;
    } else {
      assertThat(one.transaction.rollsBack()).isEqualTo(Outcome.DONE);
    }
  }
}
