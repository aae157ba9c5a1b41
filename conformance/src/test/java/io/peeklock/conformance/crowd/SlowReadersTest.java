package io.peeklock.conformance.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Patience;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.conformance.raw.RawMessage;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** {@code -Dslow.seconds=…} measures longer. */
@Isolated
@LongProof
class SlowReadersTest {
  private static final String LARGE = "large";
  private static final String SMALL = "small";
  private static final int BODY_BYTES = 20_000_000;
  private static final int SLOW = 10;
  private static final int FAST = 4;

  /** Other work on the machine may spoil one round, not all of them. */
  private static final int MOST_ROUNDS = 6;

  /** Large bodies go ways of their own, here and in the broker, and these want to be compiled. */
  private static final int WARM_UP_SECONDS = 3;

  private static final long MOST_DISK_BYTES = 2L << 30;

  /** What a busy machine may do to any round trip, in every phase. */
  private static final double FLOOR_MILLIS = 5;

  /**
   * What a slow reader has read at least after a few seconds, even on a machine that stands still.
   */
  private static final long LEAST_BYTES = 50_000;

  /** Heap 200 MB, direct memory 200 MB, and what a JVM takes besides. */
  private static final long MOST_RESIDENT_BYTES = 600L << 20;

  @Test
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  @Rule({"S-072", "S-086", "T-32"})
  void slowReadersOfLargeBodiesDoNotSlowDownOthers() throws Exception {
    var seconds = Integer.getInteger("slow.seconds", 5);
    var queues = BrokerProcess.queueOptions(List.of(LARGE, SMALL));
    try (var broker =
        BrokerProcess.start(folder(), queues, "-Xmx200m -XX:MaxDirectMemorySize=200m")) {
      var fast = members(broker.port());
      Stopwatch.measure(fast, TimeUnit.SECONDS.toNanos(2));
      System.out.println(
          "slow readers, while the code gets warm: "
              + round(broker, fast, TimeUnit.SECONDS.toNanos(WARM_UP_SECONDS)));
      var rounds = new ArrayList<Round>();
      do {
        rounds.add(round(broker, fast, TimeUnit.SECONDS.toNanos(seconds)));
        System.out.println("slow readers: " + rounds.getLast());
      } while (!rounds.getLast().holds() && rounds.size() < MOST_ROUNDS);

      assertThat(rounds).as("one round that holds").anyMatch(Round::holds);
      assertThat(broker.output().text()).doesNotContain("WARN", "ERROR");
      close(fast);
    }
  }

  /** The fast ones beside slow ones, and alone before and after. */
  private record Round(Stopwatch alone, Stopwatch beside, long residentBytes) {
    boolean holds() {
      return beside.percentileMillis(99) < 2 * alone.percentileMillis(99) + FLOOR_MILLIS;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT, "alone %s; beside %s; %d MB resident", alone, beside, residentBytes >> 20);
    }
  }

  private static Round round(BrokerProcess broker, List<RawMember> fast, long nanos)
      throws Exception {
    fill(broker.port());
    var before = Stopwatch.measure(fast, nanos / 2);
    var starting = new FutureTask<>(() -> slowReaders(broker.port()));
    Thread.ofPlatform().start(starting);
    var beside = Stopwatch.measure(fast, nanos);
    var slow = starting.get();
    judgeSlow(slow, broker);
    var resident = broker.residentBytes();
    close(slow.subList(1, SLOW));
    finish(slow.getFirst());
    var after = Stopwatch.measure(fast, nanos / 2);
    return new Round(before.and(after), beside, resident);
  }

  /** In memory where that is possible: a disk that others use too would be what is measured. */
  private static Path folder() throws IOException {
    var memory = Path.of("/dev/shm");
    var fits =
        Files.isWritable(memory) && Files.getFileStore(memory).getUsableSpace() > MOST_DISK_BYTES;
    return fits ? Files.createTempDirectory(memory, "peeklock-slow-") : Folders.fresh("slow");
  }

  private static void fill(int port) throws IOException {
    try (var connection = RawConnection.ready(port)) {
      RawLinks.attached(connection, RawLinks.sender(0, LARGE));
      for (var i = 0; i < SLOW; i++) {
        var message = RawMessage.bytes("large-" + i, Map.of(), new byte[BODY_BYTES]);
        RawLinks.transfer(connection, 0, false, message);
        connection.flush();
        assertThat(connection.await(RawConnection.DISPOSITION).field(4))
            .isEqualTo(RawMember.ACCEPTED);
      }
    }
  }

  private static List<RawMember> members(int port) throws IOException {
    var members = new ArrayList<RawMember>();
    for (var i = 0; i < FAST; i++) {
      members.add(RawMember.join(port, SMALL, 1_000));
    }
    return members;
  }

  private static List<SlowReader> slowReaders(int port) throws IOException {
    var readers = new ArrayList<SlowReader>();
    for (var i = 0; i < SLOW; i++) {
      readers.add(new SlowReader(port, LARGE, 5));
    }
    Patience.until("each has begun", () -> readers.stream().allMatch(reader -> reader.bytes() > 0));
    return readers;
  }

  /** They were there all the time, and the broker did not read their bodies into its memory. */
  private static void judgeSlow(List<SlowReader> slow, BrokerProcess broker) {
    for (var reader : slow) {
      assertThat(reader.failure()).isEmpty();
      assertThat(reader.isComplete()).isFalse();
      assertThat(reader.bytes()).isBetween(LEAST_BYTES, BODY_BYTES / 2L);
    }
    assertThat(broker.residentBytes()).isLessThan(MOST_RESIDENT_BYTES);
  }

  private static void close(List<? extends AutoCloseable> clients) throws Exception {
    for (var client : clients) {
      client.close();
    }
  }

  /** One of them reads on, gets all of its body, and can complete it: its lock is a minute. */
  private static void finish(SlowReader reader) throws IOException {
    reader.hurry();
    Patience.until(
        "a slow reader that hurries has its body",
        Duration.ofSeconds(20),
        () -> reader.isComplete() || !reader.failure().isEmpty());
    assertThat(reader.failure()).isEmpty();
    assertThat(reader.bytes()).isGreaterThan(BODY_BYTES);
    reader.close();
  }
}
