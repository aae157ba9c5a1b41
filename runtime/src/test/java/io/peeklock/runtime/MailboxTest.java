package io.peeklock.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.request.Request;
import io.peeklock.proof.Rule;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Senders take turns, and who lets much wait is the first to stop. */
class MailboxTest {
  private static final int HIGH = 1 << 20;
  private static final long SLOW_NANOS = 1_700_000;

  private final Mailbox mailbox = new Mailbox(HIGH);

  /** One who asks; each request is told apart by its number. */
  private static final class Asker extends Endpoint {
    private final String name;

    Asker(String name) {
      this.name = name;
    }

    Asker(String name, Asker besides) {
      super(besides.sender());
      this.name = name;
    }

    @Override
    public void onEffect(Effect effect, @Nullable Bodies bodies) {}

    @Override
    public void flush() {}

    @Override
    public void resume() {}

    @Override
    public void unreadable(String reason) {}

    @Override
    public void execute(Runnable task) {}

    @Override
    public String toString() {
      return name;
    }
  }

  private boolean ask(Asker asker, int number) {
    return mailbox.offer(Submission.of(new Request.Flow(asker, number, false)), 0);
  }

  /** Weighs so much, about. */
  private boolean askHeavily(Asker asker, int bytes) {
    return mailbox.offer(
        Submission.of(new Request.Undelivered(asker, new long[bytes / 8], 0, 0)), 0);
  }

  private @Nullable String next(long tookNanos) {
    var next = mailbox.poll();
    mailbox.charge(tookNanos);
    return next == null ? null : next.request().origin().toString();
  }

  @Test
  void oneRequestOfAnotherIsNextHoweverManyOneLetsWait() {
    var many = new Asker("many");
    var one = new Asker("one");
    for (var i = 0; i < 1_000; i++) {
      ask(many, i);
    }
    assertThat(next(SLOW_NANOS)).isEqualTo("many");

    ask(one, 0);

    assertThat(next(1_000)).isEqualTo("one");
    ask(one, 1);
    assertThat(next(1_000)).isEqualTo("one");
    assertThat(next(SLOW_NANOS)).isEqualTo("many");
  }

  @Test
  void hundredsWhoseRequestsAreCostlyComeBehindOneWhoseAreCheap() {
    var costly = new ArrayList<Asker>();
    for (var i = 0; i < 300; i++) {
      costly.add(new Asker("costly"));
      ask(costly.getLast(), 0);
      ask(costly.getLast(), 1);
    }
    for (var i = 0; i < 300; i++) {
      assertThat(next(SLOW_NANOS)).isEqualTo("costly");
    }
    var cheap = new Asker("cheap");

    for (var i = 0; i < 100; i++) {
      ask(cheap, i);
      assertThat(next(5_000)).isEqualTo("cheap");
    }
  }

  @Test
  void whoHasWaitedForNothingHasNoMoreThanItsTurn() {
    var always = new Asker("always");
    for (var i = 0; i < 100; i++) {
      ask(always, i);
      next(SLOW_NANOS);
    }
    var late = new Asker("late");
    for (var i = 0; i < 4; i++) {
      ask(always, i);
      ask(late, i);
    }

    var order = new ArrayList<String>();
    for (var i = 0; i < 8; i++) {
      order.add(String.valueOf(next(SLOW_NANOS)));
    }

    assertThat(order.subList(0, 4)).contains("always", "late");
    assertThat(order.subList(4, 8)).contains("always", "late");
  }

  @Test
  void aTurnGoesOnForAMillisecondAndNoLonger() {
    var many = new Asker("many");
    var other = new Asker("other");
    for (var i = 0; i < 30; i++) {
      ask(many, i);
      ask(other, i);
    }

    var order = new ArrayList<String>();
    for (var i = 0; i < 40; i++) {
      order.add(String.valueOf(next(100_000)));
    }

    assertThat(order.subList(0, 10)).as("first turn").containsOnly("many");
    assertThat(order.subList(10, 20)).as("second turn").containsOnly("other");
    assertThat(order.subList(20, 30)).as("third turn").containsOnly("many");
    assertThat(order.subList(30, 40)).as("fourth turn").containsOnly("other");
  }

  @Test
  void whoComesDuringATurnIsNextBehindIt() {
    var many = new Asker("many");
    for (var i = 0; i < 30; i++) {
      ask(many, i);
    }
    assertThat(next(900_000)).isEqualTo("many");

    var late = new Asker("late");
    ask(late, 0);

    assertThat(next(200_000)).as("what is left of the turn").isEqualTo("many");
    assertThat(next(1_000)).isEqualTo("late");
  }

  @Test
  void whoCameFirstIsFirstWhereNobodyUsedAnything() {
    var askers = List.of(new Asker("a"), new Asker("b"), new Asker("c"));
    askers.forEach(asker -> ask(asker, 0));

    assertThat(Arrays.asList(next(0), next(0), next(0), next(0)))
        .containsExactly("a", "b", "c", null);
  }

  @Test
  void theOrderOfOneSenderIsKeptOverAllItsEndpoints() {
    var random = new Random(5);
    var askers = new ArrayList<Asker>();
    for (var i = 0; i < 12; i++) {
      askers.add(i % 3 == 0 ? new Asker("a" + i) : new Asker("a" + i, askers.get(i - i % 3)));
    }
    var asked = 0;
    Map<Sender, Long> seen = new HashMap<>();
    var polled = 0;
    while (polled < 5_000) {
      if (asked < 5_000 && random.nextInt(3) > 0) {
        ask(askers.get(random.nextInt(askers.size())), asked++);
      } else {
        var next = mailbox.poll();
        if (next != null) {
          mailbox.charge(random.nextInt(100_000));
          var flow = (Request.Flow) next.request();
          var before = seen.put(((Endpoint) flow.origin()).sender(), flow.deliveryLimit());
          assertThat(before == null ? -1 : before).isLessThan(flow.deliveryLimit());
          polled++;
        }
      }
    }

    assertThat(mailbox.isEmpty()).isTrue();
    assertThat(mailbox.use().taken()).isZero();
  }

  @Test
  void whoLetsMuchWaitStopsWhileOneWithLittleGoesOn() {
    var hog = new Asker("hog");
    var goesOn = true;
    while (goesOn) {
      goesOn = askHeavily(hog, 10_000);
    }
    assertThat(mailbox.use().taken()).isBetween(HIGH / 2L, HIGH / 2L + 20_000);
    var little = new Asker("little");

    assertThat(ask(little, 0)).isTrue();
    assertThat(askHeavily(hog, 10_000)).isFalse();

    for (var i = 0; i < 60; i++) {
      askHeavily(hog, 10_000);
    }
    assertThat(mailbox.use().taken()).isGreaterThan(HIGH);
    assertThat(ask(little, 1)).as("there is a bound for everybody").isFalse();
    assertThat(mailbox.resumable(0)).as("it is full").isEmpty();
  }

  @Test
  void whoHasLittleLeftGoesOnBeforeTheOthers() {
    var hog = new Asker("hog");
    for (var i = 0; i < 60; i++) {
      askHeavily(hog, 10_000);
    }
    var bulk = new Asker("bulk");
    assertThat(askHeavily(bulk, 80_000)).isFalse();
    assertThat(mailbox.resumable(0)).isEmpty();

    assertThat(next(SLOW_NANOS)).isEqualTo("hog");
    assertThat(next(SLOW_NANOS)).isEqualTo("bulk");

    assertThat(mailbox.resumable(0)).map(Object::toString).containsExactly("bulk");
    assertThat(mailbox.resumable(0)).isEmpty();
    while (mailbox.use().taken() > HIGH / 4) {
      assertThat(mailbox.resumable(0)).isEmpty();
      assertThat(next(SLOW_NANOS)).isEqualTo("hog");
    }
    assertThat(mailbox.resumable(0)).map(Object::toString).contains("hog");
    assertThat(mailbox.resumable(0)).isEmpty();
  }

  @Test
  @Rule("I-46")
  void whoStoppedThroughManyEndpointsIsToldOnceToGoOn() {
    var link = new Asker("link");
    var other = new Asker("other", link);
    for (var i = 0; i < 60; i++) {
      askHeavily(link, 10_000);
      askHeavily(other, 10_000);
    }
    mailbox.release();

    assertThat(mailbox.resumable(0)).hasSize(1);
    assertThat(mailbox.resumable(0)).isEmpty();
  }

  @Test
  void theBacklogOfTheLogCountsToo() {
    var hog = new Asker("hog");

    assertThat(mailbox.offer(Submission.of(new Request.Flow(hog, 1, false)), HIGH)).isFalse();

    assertThat(mailbox.resumable(HIGH)).isEmpty();
    assertThat(mailbox.resumable(HIGH / 2)).as("little waits").containsExactly(hog);
  }

  @Test
  void whatIsAskedWhileOneIsDecidedIsNotForgotten() {
    var asker = new Asker("asker");
    ask(asker, 0);
    mailbox.poll();
    ask(asker, 1);

    assertThat(mailbox.isEmpty()).isFalse();
    assertThat(next(0)).isEqualTo("asker");
    assertThat(mailbox.isEmpty()).isTrue();
  }

  @Test
  void whatHadToWaitComesBackInItsOrderAndOnItsSendersTime() {
    var reader = new Asker("reader");
    var other = new Asker("other");
    for (var i = 0; i < 4; i++) {
      ask(reader, i);
    }
    var waited = new ArrayDeque<Submission>();
    waited.add(Objects.requireNonNull(mailbox.poll()));
    mailbox.charge(SLOW_NANOS);
    waited.add(Objects.requireNonNull(mailbox.poll()));
    mailbox.charge(SLOW_NANOS);
    ask(other, 100);
    ask(other, 101);
    assertThat(next(1_000)).isEqualTo("other");
    var before = mailbox.use().taken();

    mailbox.putBack(waited);

    assertThat(mailbox.use().taken()).isEqualTo(before + waited.getFirst().weight() * 2);
    assertThat(next(1_000)).as("who used less").isEqualTo("other");
    var numbers = new ArrayList<Long>();
    for (var next = mailbox.poll(); next != null; next = mailbox.poll()) {
      numbers.add(((Request.Flow) next.request()).deliveryLimit());
    }
    assertThat(numbers).containsExactly(0L, 1L, 2L, 3L);
    assertThat(mailbox.use().taken()).isZero();
    assertThat(reader.sender().bytes()).isZero();
  }

  @Test
  void whatComesBackToOneThatWaitsForNothingElseIsQueuedOnce() {
    var reader = new Asker("reader");
    ask(reader, 0);
    var waited = new ArrayDeque<Submission>();
    waited.add(Objects.requireNonNull(mailbox.poll()));
    mailbox.putBack(waited);
    assertThat(next(SLOW_NANOS)).isEqualTo("reader");
    assertThat(next(0)).isNull();

    mailbox.putBack(waited);
    mailbox.putBack(new ArrayDeque<>());

    assertThat(mailbox.isEmpty()).isFalse();
    assertThat(next(0)).isEqualTo("reader");
    assertThat(next(0)).isNull();
    assertThat(mailbox.isEmpty()).isTrue();
  }
}
