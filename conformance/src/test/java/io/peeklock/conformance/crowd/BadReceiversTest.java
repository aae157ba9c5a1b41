package io.peeklock.conformance.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Patience;
import io.peeklock.conformance.raw.Described;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.conformance.raw.Unsigned;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Receivers that do not keep their part, beside others who do, on a broker with little memory. */
@LongProof
class BadReceiversTest {
  private static final String STARVED = "starved";
  private static final String VANISHED = "vanished";
  private static final String HOARDED = "hoarded";
  private static final String HEALTHY = "healthy";
  private static final Duration LOCK = Duration.ofSeconds(2);
  private static final long MOST_RESIDENT_BYTES = 500L << 20;
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(3);

  private static BrokerProcess broker;

  @BeforeAll
  static void start() {
    broker =
        BrokerProcess.start(
            Folders.fresh("bad-receivers"),
            BrokerProcess.queueOptions(
                List.of(
                    STARVED,
                    VANISHED + ",LockDuration=PT2S",
                    HOARDED + ",LockDuration=PT5M",
                    HEALTHY)),
            "-Xmx200m -XX:MaxDirectMemorySize=200m");
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @AfterEach
  void theBrokerServesOthersAndStaysSmall() throws IOException {
    serve(HEALTHY, 20);
    assertThat(broker.residentBytes()).isLessThan(MOST_RESIDENT_BYTES);
    assertThat(broker.output().text()).doesNotContain("WARN", "ERROR");
  }

  /**
   * Round trips of a client of good will, none of which may take long, on a machine with other work
   * too.
   */
  private static void serve(String queue, int turns) throws IOException {
    try (var member = RawMember.join(broker.port(), queue)) {
      for (var turn = 0; turn < turns; turn++) {
        var began = System.nanoTime();
        assertThat(member.roundTrip("turn-" + turn)).isEqualTo(new Receipt("turn-" + turn, 0));
        assertThat(System.nanoTime() - began).isLessThan(LONGEST_NANOS);
      }
    }
  }

  @Test
  @Rule({"S-086", "T-26"})
  void receiversThatNeverGrantCreditGetNothingAndHoldNothingBack() throws IOException {
    var idle = new ArrayList<RawConnection>();
    try {
      for (var i = 0; i < 20; i++) {
        var connection = RawConnection.ready(broker.port());
        idle.add(connection);
        for (var handle = 0; handle < 20; handle++) {
          RawLinks.attached(connection, RawLinks.receiver(handle, STARVED));
        }
      }

      serve(STARVED, 100);

      for (var connection : idle) {
        assertThat(connection.readable()).isFalse();
      }
    } finally {
      for (var connection : idle) {
        connection.close();
      }
    }
  }

  @Test
  @Rule({"S-033", "S-039", "S-095", "S-113"})
  void whatAReceiverHeldThatVanishedComesBackWhenItsLocksLapse() throws IOException {
    Flood.fill(broker.port(), VANISHED, 1_000, 10_000);
    var seen = new HashMap<String, Instant>();
    try (var client = RawConnection.ready(broker.port())) {
      RawLinks.attached(client, RawLinks.receiver(0, VANISHED));
      client.send(0, RawLinks.flow(0, 0, 1_000, false));
      client.flush();
      while (seen.size() < 100) {
        var message = RawMember.nextDelivery(client).message();
        seen.put(message.messageId(), (Instant) message.annotations().get("x-opt-locked-until"));
      }
    }

    var back = take(VANISHED, 1_000, seen);

    assertThat(back).as("messages that came back").hasSize(1_000);
    // What had not left for the socket was not held, and does not count.
    assertThat(back.values()).allSatisfy(count -> assertThat(count).isBetween(0L, 1L));
    assertThat(seen.keySet()).allSatisfy(id -> assertThat(back).containsEntry(id, 1L));
  }

  /** The delivery counts of so many messages, by id; none that was locked comes before its time. */
  private static Map<String, Long> take(String queue, int count, Map<String, Instant> lockedUntil)
      throws IOException {
    var counts = new HashMap<String, Long>();
    try (var client = RawConnection.ready(broker.port())) {
      var began = System.nanoTime();
      RawLinks.attached(client, RawLinks.taker(0, queue));
      client.send(0, RawLinks.flow(0, 0, count, false));
      client.flush();
      for (var i = 0; i < count; i++) {
        var message = RawMember.nextDelivery(client).message();
        var free = lockedUntil.get(message.messageId());
        if (free != null) {
          assertThat(Instant.now()).isAfterOrEqualTo(free.minusMillis(50));
        }
        counts.put(message.messageId(), message.deliveryCount());
      }
      assertThat(System.nanoTime() - began).isLessThan(LOCK.plusSeconds(3).toNanos());
    }
    return counts;
  }

  @Test
  @Rule({"S-102", "S-021"})
  void aReceiverThatNeverSettlesIsBoundedAndTheRestIsForOthers() throws IOException {
    var bound = 50_000;
    Flood.fill(broker.port(), HOARDED, bound + 300, 10);
    try (var hoarder = RawConnection.ready(broker.port())) {
      RawLinks.attached(hoarder, RawLinks.receiver(0, HOARDED));
      hoarder.send(0, RawLinks.flow(0, 0, bound + 10_000, false));
      hoarder.flush();
      for (var held = 0; held < bound; held++) {
        RawMember.nextDelivery(hoarder);
      }
      serve(HEALTHY, 20);

      assertThat(take(HOARDED, 300, Map.of()).keySet())
          .as("what the other one gets")
          .contains(Integer.toString(bound), Integer.toString(bound + 299));

      assertThat(hoarder.readable()).isFalse();
      goesOnOnceItSettles(hoarder);
    }
  }

  private static void goesOnOnceItSettles(RawConnection hoarder) throws IOException {
    hoarder.send(
        0,
        Described.list(
            RawConnection.DISPOSITION,
            true,
            Unsigned.uint(0),
            Unsigned.uint(99),
            false,
            RawMember.ACCEPTED));
    hoarder.flush();
    var settled = 0L;
    while (settled < 100) {
      var answer = hoarder.await(RawConnection.DISPOSITION);
      settled += answer.number(2, answer.number(1, 0)) - answer.number(1, 0) + 1;
    }
    Flood.fill(broker.port(), HOARDED, 50, 10);
    for (var i = 0; i < 50; i++) {
      assertThat(RawMember.nextDelivery(hoarder).message().messageId())
          .isEqualTo(Integer.toString(i));
    }
  }

  @Test
  @Rule("T-27")
  void aClientThatAsksAndNeverReadsTheAnswersIsReadNoMore() throws IOException {
    var before = broker.residentBytes();
    try (var client = RawConnection.ready(broker.port())) {
      RawLinks.attached(client, RawLinks.receiver(0, HEALTHY));
      var questions = new Questions(client);
      Thread.ofPlatform().daemon().start(questions);

      Patience.until("it is read no more, or has asked for ever", questions::areOver);

      assertThat(questions.bytes()).as("bytes of questions").isLessThan(Questions.MOST_BYTES);
      assertThat(broker.residentBytes() - before).isLessThan(64L << 20);
      serve(HEALTHY, 20);
      questions.readOn();
    }
  }
}
