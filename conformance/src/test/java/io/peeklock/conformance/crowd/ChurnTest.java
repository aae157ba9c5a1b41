package io.peeklock.conformance.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Patience;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** {@code -Dchurn.seconds=600} for the long form. */
@Isolated
@LongProof
class ChurnTest {
  private static final int CHURNERS = 4;

  /** What a JVM may still add for its own sake between the early and the late mark. */
  private static final long HEAP_SLACK_BYTES = 2L << 20;

  private static final long RESIDENT_SLACK_BYTES = 64L << 20;
  private static final long DESCRIPTOR_SLACK = 4;
  private static final long THREAD_SLACK = 2;

  @Test
  @Timeout(value = 2, unit = TimeUnit.HOURS)
  @Rule({"S-062", "S-095", "S-103"})
  void connectingAttachingAndDetachingLeavesNothingBehind() throws Exception {
    var seconds = Integer.getInteger("churn.seconds", 20);
    var queues = BrokerProcess.queueOptions(Churner.QUEUES);
    try (var broker = BrokerProcess.start(Folders.fresh("churn"), queues)) {
      var mark = broker.output().mark();
      var warm = churn(broker, TimeUnit.SECONDS.toNanos(seconds) * 2 / 5);
      var early = atRest(broker);
      System.out.printf(Locale.ROOT, "churn, early: %s after %s%n", early, warm);
      var churned = churn(broker, TimeUnit.SECONDS.toNanos(seconds) * 3 / 5);
      var late = atRest(broker);
      System.out.printf(Locale.ROOT, "churn, late: %s after %s more%n", late, churned);

      assertThat(late.heapBytes()).isLessThan(early.heapBytes() + HEAP_SLACK_BYTES);
      assertThat(late.residentBytes()).isLessThan(early.residentBytes() + RESIDENT_SLACK_BYTES);
      assertThat(late.descriptors()).isLessThanOrEqualTo(early.descriptors() + DESCRIPTOR_SLACK);
      assertThat(late.threads()).isLessThanOrEqualTo(early.threads() + THREAD_SLACK);
      assertThat(broker.output().since(mark)).isEmpty();
      // A run that did nothing proves nothing.
      assertThat(warm.attaches() + churned.attaches()).isGreaterThan(500L * seconds);
      assertThat(warm.connects() + churned.connects()).isGreaterThan(10L * seconds);
    }
  }

  private static Churner.Tally churn(BrokerProcess broker, long nanos) throws Exception {
    var deadline = System.nanoTime() + nanos;
    var all = new Churner.Tally(0, 0, 0);
    try (var threads = Executors.newFixedThreadPool(CHURNERS)) {
      var churners = new ArrayList<Future<Churner.Tally>>();
      for (var i = 0; i < CHURNERS; i++) {
        churners.add(threads.submit(new Churner(broker.port(), i, deadline)));
      }
      for (var churner : churners) {
        all = all.plus(result(churner));
      }
    }
    return all;
  }

  private static Churner.Tally result(Future<Churner.Tally> churner) throws Exception {
    try {
      return churner.get();
    } catch (ExecutionException failed) {
      throw new AssertionError("a churner was disturbed", failed.getCause());
    }
  }

  /** When the broker has heard of all the dropped sockets. */
  private static Footprint atRest(BrokerProcess broker) throws IOException, InterruptedException {
    Patience.until("no connection is left", () -> sockets(broker) == 0);
    var footprint = Footprint.of(broker);
    assertThat(footprint.connections()).as("connections that are kept").isZero();
    assertThat(footprint.links()).as("links that are kept").isZero();
    return footprint;
  }

  private static long sockets(BrokerProcess broker) {
    try {
      return Footprint.sockets(broker);
    } catch (IOException failed) {
      throw new java.io.UncheckedIOException(failed);
    }
  }
}
