package io.peeklock.amqp.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.Request;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Names of sessions are a client's choice, and so are their hashes. */
class TransactedStatesTest {
  private static final int BITS = 14;
  private static final int COUNT = 1 << BITS;

  private final TransactedStates states = new TransactedStates();

  /** One of many names that all have the same hash. */
  private static String name(int number) {
    var name = new StringBuilder();
    for (var bit = 0; bit < BITS; bit++) {
      name.append((number >> bit & 1) == 0 ? "Aa" : "BB");
    }
    return name.toString();
  }

  private void put(int queue, String session) {
    var set =
        new Request.SetSessionState(
            new Origin() {},
            UnansweredTicket.PART_OF_COMMIT,
            new QueueId(queue),
            session,
            null,
            -1);
    states.put(new TransactedStates.Change(set, null));
  }

  @Test
  void namesThatAreChosenToCollideHoldNobodyUp() {
    assertThat(name(0).hashCode()).isEqualTo(name(COUNT - 1).hashCode());
    var cpu = ManagementFactory.getThreadMXBean();
    var before = cpu.getCurrentThreadCpuTime();

    for (var i = 0; i < COUNT; i++) {
      put(1, name(i));
    }

    var took = TimeUnit.NANOSECONDS.toMillis(cpu.getCurrentThreadCpuTime() - before);
    assertThat(took).as("milliseconds; with a look at all others it is seconds").isLessThan(1_000);
    assertThat(states.requests()).hasSize(COUNT);
  }

  @Test
  void aSessionIsOneOfItsQueueAndItsLastStateCounts() {
    put(1, "a");
    put(2, "a");
    put(2, "b");
    put(1, "a");

    assertThat(states.requests())
        .map(set -> set.queue().number() + set.sessionId())
        .containsExactly("1a", "2a", "2b");
  }
}
