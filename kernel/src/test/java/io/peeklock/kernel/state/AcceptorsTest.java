package io.peeklock.kernel.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.columns.HeldMemory;
import io.peeklock.kernel.columns.StoredMemory;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.state.SessionTable.Acceptor;
import io.peeklock.proof.Rule;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who waits for any session, and by when. */
class AcceptorsTest {
  private final SessionTable sessions = new SessionTable(new HeldMemory(new StoredMemory()));
  private final Acceptors acceptors = sessions.acceptors();

  private static Acceptor until(long deadlineMillis) {
    return new Acceptor(new Asker(), new Note(), ReceiveMode.PEEK_LOCK, deadlineMillis, null);
  }

  @Test
  @Rule({"S-239", "S-241"})
  void theFirstDeadlineIsThatOfOneWhoStillWaits() {
    Acceptor late = until(90);
    Acceptor early = until(10);
    Acceptor alsoEarly = until(10);
    Acceptor between = until(40);
    assertThat(sessions.firstDeadline()).isEqualTo(Long.MAX_VALUE);
    List.of(late, early, alsoEarly, between).forEach(acceptors::add);

    assertThat(acceptors.all()).containsExactly(late, early, alsoEarly, between);
    assertThat(acceptors.due(9, 5)).isEmpty();
    assertThat(acceptors.due(40, 5)).containsExactly(early, alsoEarly, between);
    assertThat(acceptors.due(40, 2)).containsExactly(early, alsoEarly);
    acceptors.remove(early.origin());
    assertThat(sessions.firstDeadline()).isEqualTo(10);
    acceptors.remove(alsoEarly.origin());
    acceptors.remove(alsoEarly.origin());
    assertThat(sessions.firstDeadline()).isEqualTo(40);
  }

  @Test
  void whoAsksAgainWaitsOnceWithTheNewDeadline() {
    Acceptor first = until(10);
    Acceptor again = new Acceptor(first.origin(), new Note(), ReceiveMode.PEEK_LOCK, 70, null);
    acceptors.add(first);
    acceptors.add(again);

    assertThat(acceptors.all()).containsExactly(again);
    assertThat(sessions.firstDeadline()).isEqualTo(70);
  }

  @Test
  @Rule("S-239")
  void howManyWaitDoesNotSlowDownWhoeverSends() {
    measure(2_000); // until it is compiled
    Duration few = measure(10);
    Duration many = measure(20_000);

    assertThat(many).isLessThan(few.multipliedBy(20).plusMillis(20)); // it grew with them
  }

  /** Time of this thread for what each of many sends asks for while so many wait. */
  private Duration measure(int waiting) {
    List<Acceptor> all = new ArrayList<>();
    for (int i = 0; i < waiting; i++) {
      all.add(until(1_000 + i % 7));
    }
    all.forEach(acceptors::add);
    long sum = 0;
    long from = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    for (int sends = 0; sends < 5_000; sends++) {
      sum += sessions.firstDeadline();
    }
    long took = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - from;
    assertThat(sum).isEqualTo(5_000_000);
    all.forEach(each -> acceptors.remove(each.origin()));
    return Duration.ofNanos(took);
  }
}
