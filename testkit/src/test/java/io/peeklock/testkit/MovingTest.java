package io.peeklock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages that move by themselves, and must be read before: whatever the order in which they
 * become movable and their reads are answered, they arrive, once, and nothing goes round.
 */
class MovingTest {
  private final ShardFixture fixture = new ShardFixture();
  private final ShardFixture.Client client = fixture.client();

  /** A queue with sessions, and one that forwards there: each message must be looked at. */
  private QueueId source(String name, String destination) {
    return fixture.queue(QueueDefinition.named(name).with().forwardTo(destination).build());
  }

  private QueueId withSessions(String name) {
    return fixture.queue(QueueDefinition.named(name).with().requiresSession(true).build());
  }

  private QueueId withoutDuplicates(String name) {
    return fixture.queue(QueueDefinition.named(name).with().duplicateWindowMillis(600_000).build());
  }

  @Test
  @Rule({"S-291", "S-298"})
  void whatMovesOnInTheStepThatStoresItIsReadAfterItIsAppended() {
    var destination = withSessions("d");
    var source = source("src", "d");

    client.send(source, "one", "two");

    assertThat(fixture.messages(destination)).containsExactly("one", "two");
    assertThat(fixture.messages(source)).isEmpty();
  }

  @Test
  @Rule({"S-291", "S-151"})
  void twoThatBecomeMovableOneAfterTheOtherBothArrive() {
    var destination = withSessions("d");
    var source = source("src", "d");
    client.schedule(source, Duration.ofSeconds(3), "late");
    client.schedule(source, Duration.ofSeconds(2), "early");
    fixture.journal.holdLoads();

    fixture.advance(Duration.ofMillis(2_100));
    fixture.advance(Duration.ofSeconds(1));
    for (var round = 0; round < 4; round++) {
      fixture.journal.answerLoads();
      fixture.shardExecutor.settle();
    }

    assertThat(fixture.journal.fetches()).isEqualTo(2);
    fixture.journal.letLoadsGo();
    assertThat(fixture.messages(destination)).containsExactlyInAnyOrder("early", "late");
  }

  @Test
  @Rule("S-291")
  void aReadThatFailsOnceIsTriedAgainAndTheMessageArrives() {
    var destination = withSessions("d");
    var source = source("src", "d");
    fixture.journal.failLoads(1);

    client.send(source, "one");
    assertThat(fixture.messages(destination)).isEmpty();
    fixture.advance(Duration.ofSeconds(11));

    assertThat(fixture.messages(destination)).containsExactly("one");
  }

  @Test
  @Rule("S-291")
  void aMessageThatCannotBeReadStopsItsQueueAndNoOther() {
    var destination = withSessions("d");
    var stuck = source("stuck", "d");
    var fine = source("fine", "d");
    fixture.journal.damage(fixture.journal.nextBodyId());

    client.send(stuck, "lost");
    client.send(fine, "found");
    var fetches = fixture.journal.fetches();
    fixture.advance(Duration.ofSeconds(60));

    assertThat(fixture.journal.fetches() - fetches).isEqualTo(6);
    assertThat(fixture.messages(destination)).containsExactly("found");
  }

  @Test
  void aStageThatWaitsLongerThanASecondIsTold() {
    withSessions("d");
    var source = source("src", "d");
    fixture.journal.holdLoads();
    client.send(source, "one");
    assertThat(fixture.shard.standing()).isEmpty();

    fixture.advance(Duration.ofSeconds(3));

    assertThat(fixture.shard.standing())
        .hasValueSatisfying(it -> assertThat(it).contains("Forwarding"));
    assertThat(fixture.shard.stoodMillis()).isEqualTo(3_000);
    fixture.journal.letLoadsGo();
    fixture.shardExecutor.settle();
    assertThat(fixture.shard.standing()).isEmpty();
    assertThat(fixture.shard.stoodMillis()).isZero();
  }

  @Test
  void readsForReceiversThatAreNotAnsweredAreTold() {
    var queue = fixture.queue("q");
    client.send(queue, "one", "two");
    fixture.journal.holdLoads();
    client.receive(queue, ReceiveMode.PEEK_LOCK, 2);

    fixture.advance(Duration.ofSeconds(3));

    assertThat(fixture.shard.standing())
        .hasValueSatisfying(it -> assertThat(it).contains("Reading from the disk"));
    fixture.journal.letLoadsGo();
    fixture.shardExecutor.settle();
    assertThat(fixture.shard.standing()).isEmpty();
  }

  static List<Long> seeds() {
    return LongStream.rangeClosed(1, 200).boxed().toList();
  }

  /** Reads come early, late, in another order, fail once; entities are disabled and come back. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  @Rule({"S-291", "S-298", "S-151", "I-36"})
  void everythingArrivesOnceAtEveryOrderOfReads(long seed) {
    var chance = new Random(seed);
    var ends = List.of(withSessions("sessions"), withoutDuplicates("unique"));
    var sources = new ArrayList<QueueId>();
    sources.add(source("a", "sessions"));
    sources.add(source("b", "unique"));
    sources.add(source("c", "a"));
    sources.add(source("d", "b"));
    var sent = new TreeSet<String>();
    for (var i = 0; i < 40; i++) {
      var text = "m" + i;
      var to = sources.get(chance.nextInt(sources.size()));
      switch (chance.nextInt(8)) {
        case 0, 1 -> {
          client.send(to, text);
          sent.add(text);
        }
        case 2, 3 -> {
          client.schedule(to, Duration.ofMillis(chance.nextInt(3_000) + 1), text);
          sent.add(text);
        }
        case 4 -> fixture.journal.holdLoads();
        case 5 -> fixture.journal.letLoadsGo();
        case 6 -> {
          if (chance.nextInt(4) == 0) {
            fixture.journal.failLoads(1);
          }
        }
        default -> fixture.advance(Duration.ofMillis(chance.nextInt(1_500)));
      }
      if (chance.nextBoolean()) {
        fixture.journal.answerLoad();
      }
      fixture.shardExecutor.settle();
    }

    fixture.journal.failLoads(0);
    fixture.journal.letLoadsGo();
    fixture.advance(Duration.ofSeconds(30));

    var arrived = new ArrayList<String>();
    ends.forEach(end -> arrived.addAll(fixture.messages(end)));
    assertThat(arrived).containsExactlyInAnyOrderElementsOf(sent);
    assertThat(fixture.shard.standing()).isEmpty();
    assertThat(fixture.journal.leaks()).isZero();
    assertThat(fixture.journal.fetches()).isLessThan(60 * 4);
    assertThat(fixture.news).isEmpty();
  }
}
