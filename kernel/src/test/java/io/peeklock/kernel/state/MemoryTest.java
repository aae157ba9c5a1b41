package io.peeklock.kernel.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.Machine;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a waiting message costs in memory. */
@Tag("slow")
class MemoryTest {

  private static final int MESSAGES = 1_000_000;

  @Test
  void aMillionWaitingMessagesTakeLessThanFortyBytesEach() {
    Machine machine = new Machine();
    machine.apply(
        1, new Fact.QueueCreated(new QueueId(1), new QueueId(2), QueueDefinition.named("deep"), 0));
    int[] sizes = new int[1_000];
    Arrays.fill(sizes, 1_024);
    long[] expiries = new long[1_000];
    long before = usedBytes();

    for (int i = 0; i < MESSAGES; i += sizes.length) {
      Arrays.fill(expiries, 1_767_225_600_000L + i);
      machine.apply(
          2,
          new Fact.Enqueued(
              new QueueId(1), i + 1L, i + 1L, 1_767_225_600_000L, sizes, sizes, expiries));
    }

    long each = (usedBytes() - before) / MESSAGES;
    assertThat(machine.counts(new QueueId(1)).active()).isEqualTo(MESSAGES);
    assertThat(each).isLessThan(40);
  }

  private static long usedBytes() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
