package io.peeklock.conformance.backlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Jcmd;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * {@code -Dbacklog=10000000} for the long form (12 GB of disk, some minutes), {@code
 * -Dbacklog.ready=12000} for the milliseconds that a start after a kill may take; prints its
 * figures.
 *
 * <p>{@code -Dbacklog.flags=…} are flags of the broker's JVM. How long a step of a checkpoint keeps
 * the shard's thread is printed with
 *
 * <pre>
 * -Dbacklog.flags=-XX:StartFlightRecording:settings=none,+io.peeklock.CheckpointStep#enabled=true
 * </pre>
 */
@Isolated
@LongProof
class BacklogTest {
  private static final String QUEUE = "orders";
  private static final int FEW = 10_000;
  private static final long MOST_HEAP_BYTES = 512L << 20;

  private final long total = Long.getLong("backlog", 20_000);
  private final long mostMillisToReady = Long.getLong("backlog.ready", 30_000);
  private final String flags = System.getProperty("backlog.flags", "");
  private long sent;
  private long taken;

  private interface Work {
    void run() throws IOException;
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  @Rule({"I-01", "I-15", "I-43", "I-46"})
  void aBacklogIsHeldFoundAgainAfterAKillAndDrainedInOrder()
      throws IOException, InterruptedException {
    var folder = Folders.fresh("backlog");
    try (var broker =
        BrokerProcess.start(folder, BrokerProcess.queueOptions(List.of(QUEUE)), flags)) {
      few(broker);
      fill(broker, total / 10);
      killed(broker);
      for (var tenth = 2; tenth <= 10; tenth++) {
        fill(broker, total * tenth / 10 - sent + taken);
      }
      var histogram = Jcmd.histogram(broker);
      var heap = Jcmd.liveBytes(histogram);
      say("live heap with " + total + " waiting: " + (heap >> 20) + " MiB");
      System.out.println(histogram.lines().limit(12).collect(Collectors.joining("\n")));
      if (flags.contains("StartFlightRecording")) {
        say(CheckpointPauses.recordedIn(broker));
      }
      killed(broker);
      for (var tenth = 1; tenth <= 10; tenth++) {
        drain(broker, sent - taken - total * (10 - tenth) / 10);
      }

      assertThat(taken).isEqualTo(sent);
      assertThat(heap).isLessThan(MOST_HEAP_BYTES);
    }
  }

  /** The rates with at most ten thousand waiting. */
  private void few(BrokerProcess broker) throws IOException {
    var turns = total > 1_000_000 ? 60 : 2;
    var sendNanos = 0L;
    var drainNanos = 0L;
    try (var filler = new Filler(broker.port(), QUEUE);
        var emptier = new Emptier(broker.port(), QUEUE)) {
      for (var turn = 0; turn < turns; turn++) {
        var sending = nanos(() -> filler.send(sent, FEW));
        sent += FEW;
        var draining = nanos(() -> emptier.take(taken, FEW));
        taken += FEW;
        // The first half is for the compiler.
        sendNanos += turn < turns / 2 ? 0 : sending;
        drainNanos += turn < turns / 2 ? 0 : draining;
      }
    }
    var counted = (long) FEW * (turns - turns / 2);
    say("send with ten thousand waiting: " + perSecond(counted, sendNanos) + "/s");
    say("drain with ten thousand waiting: " + perSecond(counted, drainNanos) + "/s");
  }

  private void fill(BrokerProcess broker, long count) throws IOException {
    try (var filler = new Filler(broker.port(), QUEUE)) {
      var nanos = nanos(() -> filler.send(sent, count));
      sent += count;
      say("send up to " + (sent - taken) + " waiting: " + perSecond(count, nanos) + "/s");
    }
  }

  private void drain(BrokerProcess broker, long count) throws IOException {
    try (var emptier = new Emptier(broker.port(), QUEUE)) {
      var nanos = nanos(() -> emptier.take(taken, count));
      say("drain from " + (sent - taken) + " waiting: " + perSecond(count, nanos) + "/s");
      taken += count;
    }
  }

  private void killed(BrokerProcess broker) throws IOException {
    broker.kill();
    broker.restart();
    var millis = broker.readyAfter().toMillis();
    say("ready " + millis + " ms after a kill with " + (sent - taken) + " waiting");
    assertThat(millis).isLessThan(mostMillisToReady);
  }

  private static long nanos(Work work) throws IOException {
    var began = System.nanoTime();
    work.run();
    return System.nanoTime() - began;
  }

  private static long perSecond(long count, long nanos) {
    return count * 1_000_000_000L / Math.max(1, nanos);
  }

  private static void say(String what) {
    System.out.println(what);
  }
}
