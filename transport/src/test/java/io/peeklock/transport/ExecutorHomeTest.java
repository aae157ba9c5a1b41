package io.peeklock.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A shard beside sockets. */
@Timeout(60)
class ExecutorHomeTest {

  @Test
  void aShardThatAlwaysHasMoreToDoLeavesTheLoopToOthersBetween() throws Exception {
    try (var loops = EventLoops.start(1)) {
      var home = ExecutorHome.on(loops.next());
      var over = new AtomicBoolean();
      var steps = new AtomicInteger();
      home.execute(() -> step(home, over, steps));

      // What is due is done once in a round of the loop, as sockets are.
      var others = new CompletableFuture<Integer>();
      loops.next().execute(() -> everyRound(loops.next(), steps, others, 10));

      assertThat(others.get(30, TimeUnit.SECONDS)).isLessThan(40);
      over.set(true);
    }
  }

  private static void step(ExecutorHome home, AtomicBoolean over, AtomicInteger steps) {
    steps.incrementAndGet();
    if (!over.get()) {
      home.execute(() -> step(home, over, steps));
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
