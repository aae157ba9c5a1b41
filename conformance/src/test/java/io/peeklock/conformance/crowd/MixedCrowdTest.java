package io.peeklock.conformance.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Patience;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Five hundred connections of four clients at once, ten on each queue. */
@LongProof
class MixedCrowdTest {
  private static final int JAVA = 100;
  private static final int JMS = 100;
  private static final int SCRIPT = 50;
  private static final int ALL = 500;
  private static final List<String> QUEUES =
      IntStream.range(0, ALL / 10).mapToObj(i -> "crowd-" + i).toList();

  /** Said of a connection whose client did not get as far as its open while all were starting. */
  private static final String TOO_LATE = "the handshake took too long";

  /** One in a hundred may come again, where the machine has little time for so many clients. */
  private static final int MOST_TOO_LATE = ALL / 100;

  /** From the first connect until the last has done its round trip, clients' start included. */
  private static final long MOST_SECONDS_TO_COME_UP = 60;

  /** A round trip of all of them side by side. */
  private static final long MOST_SECONDS_A_ROUND = 20;

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  @Rule({"S-001", "S-013", "S-087", "T-13", "T-66"})
  void fiveHundredConnectionsOfMixedClientsAreServedAndStay() throws Exception {
    var options = BrokerProcess.queueOptions(QUEUES);
    try (var broker = BrokerProcess.start(Folders.fresh("crowd"), options)) {
      var mark = broker.output().mark();
      try (var threads = Executors.newFixedThreadPool(64);
          var crowd = new Crowd(broker, threads)) {
        threeRounds(broker, crowd);
      }
      assertThat(broker.output().since(mark))
          .allMatch(line -> line.endsWith(TOO_LATE))
          .hasSizeLessThanOrEqualTo(MOST_TOO_LATE);
      Patience.until("all are gone", () -> sockets(broker) == 0);
    }
  }

  private static void threeRounds(BrokerProcess broker, Crowd crowd) throws Exception {
    var first = seconds(() -> crowd.round(1));
    // A client that found its first connection slow may have left it for another one.
    Patience.until("everybody has one connection", () -> sockets(broker) == ALL);
    var second = seconds(() -> crowd.round(2));
    var third = seconds(() -> crowd.round(3));
    var footprint = Footprint.of(broker);
    System.out.printf(
        Locale.ROOT,
        "crowd of %d (%d of a script): first round %.1f s, then %.1f s and %.1f s; %s%n",
        ALL,
        crowd.inScript(),
        first,
        second,
        third,
        footprint);

    assertThat(footprint.connections()).isEqualTo(ALL);
    // The socket of a connection that a client gave up for a new one is there for a moment more.
    Patience.until("they are all still there, and no others", () -> sockets(broker) == ALL);
    assertThat(first).isLessThan(MOST_SECONDS_TO_COME_UP);
    assertThat(Math.max(second, third)).isLessThan(MOST_SECONDS_A_ROUND);
  }

  private static long sockets(BrokerProcess broker) {
    try {
      return Footprint.sockets(broker);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static double seconds(Callable<List<Receipt>> round) throws Exception {
    var began = System.nanoTime();
    var receipts = round.call();
    var took = (System.nanoTime() - began) / 1e9;
    assertThat(receipts.stream().map(Receipt::id)).hasSize(ALL).doesNotHaveDuplicates();
    assertThat(receipts).allSatisfy(receipt -> assertThat(receipt.deliveryCount()).isZero());
    return took;
  }

  /** All of them; the raw ones also take the places of those that this machine cannot run. */
  private static final class Crowd implements AutoCloseable {
    private final BrokerProcess broker;
    private final ExecutorService threads;
    private final List<Joining> members = new ArrayList<>();
    private final List<ScriptCrowd> scripts = new ArrayList<>();

    Crowd(BrokerProcess broker, ExecutorService threads) throws IOException, InterruptedException {
      this.broker = broker;
      this.threads = threads;
      ScriptCrowd.start(broker, QUEUES, SCRIPT).ifPresent(scripts::add);
      for (var i = 0; i < ALL - inScript(); i++) {
        members.add(new Joining(i));
      }
    }

    int inScript() {
      return SCRIPT * scripts.size();
    }

    List<Receipt> round(int number) throws Exception {
      var running = new ArrayList<Future<List<Receipt>>>();
      for (var script : scripts) {
        running.add(threads.submit(script::roundTrips));
      }
      for (var member : members) {
        running.add(threads.submit(() -> List.of(member.roundTrip(number))));
      }
      var receipts = new ArrayList<Receipt>();
      for (var one : running) {
        try {
          receipts.addAll(one.get());
        } catch (ExecutionException failed) {
          throw new AssertionError("one of the crowd failed", failed.getCause());
        }
      }
      return receipts;
    }

    @Override
    public void close() throws IOException {
      for (var script : scripts) {
        script.close();
      }
      var closing =
          members.stream().map(member -> CompletableFuture.runAsync(member::leave, threads));
      CompletableFuture.allOf(closing.toArray(CompletableFuture[]::new)).join();
    }

    /** A member that connects when it first has to do something. */
    private final class Joining {
      private final int number;
      private final List<Member> joined = new ArrayList<>(1);

      Joining(int number) {
        this.number = number;
      }

      Receipt roundTrip(int round) throws Exception {
        if (joined.isEmpty()) {
          joined.add(join());
        }
        return joined.getFirst().roundTrip("member-" + number + "-" + round);
      }

      private Member join() throws Exception {
        var queue = QUEUES.get(number % QUEUES.size());
        if (number < JAVA) {
          return JavaMember.join(broker.connectionString(), queue);
        }
        return number < JAVA + JMS
            ? JmsMember.join(broker.port(), queue)
            : RawMember.join(broker.port(), queue);
      }

      void leave() {
        try {
          for (var member : joined) {
            member.close();
          }
        } catch (IOException | JMSException failed) {
          throw new IllegalStateException("member " + number + " cannot leave", failed);
        }
      }
    }
  }
}
