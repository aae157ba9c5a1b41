package io.peeklock.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A shard beside sockets. */
@Timeout(60)
class EventLoopShardExecutorTest {

  /** For so long a step takes, in these tests. */
  private static final long STEP_NANOS = EventLoopShardExecutor.SPELL_NANOS / 4;

  private final AtomicLong now = new AtomicLong();

  @Test
  void aShardThatAlwaysHasMoreToDoLeavesTheLoopToOthersBetween() throws Exception {
    try (var loops = EventLoops.start(1)) {
      var shardExecutor = new EventLoopShardExecutor(loops.next(), false, now::get);
      var over = new AtomicBoolean();
      var steps = new AtomicInteger();
      shardExecutor.execute(() -> step(shardExecutor, over, steps));

      // What is due is done once in a round of the loop, as sockets are.
      var rounds = 10;
      var others = new CompletableFuture<Integer>();
      loops
          .next()
          .execute(
              () -> {
                steps.set(0);
                everyRound(loops.next(), steps, others, rounds);
              });

      // Both ways: it has its spell in each round, and no more than that.
      assertThat(others.get(30, TimeUnit.SECONDS)).isBetween(3 * rounds, 5 * rounds);
      over.set(true);
    }
  }

  private void step(EventLoopShardExecutor shardExecutor, AtomicBoolean over, AtomicInteger steps) {
    steps.incrementAndGet();
    now.addAndGet(STEP_NANOS);
    if (!over.get()) {
      shardExecutor.execute(() -> step(shardExecutor, over, steps));
    }
  }

  private static void everyRound(
      EventLoop loop, AtomicInteger steps, CompletableFuture<Integer> done, int left) {
    if (left == 0) {
      done.complete(steps.get());
    } else {
      var unused =
          loop.schedule(() -> everyRound(loop, steps, done, left - 1), 0, TimeUnit.NANOSECONDS);
    }
  }
}
