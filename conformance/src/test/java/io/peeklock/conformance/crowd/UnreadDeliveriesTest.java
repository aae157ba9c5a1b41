package io.peeklock.conformance.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Patience;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.conformance.raw.RawMessage;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Two hundred real sockets that do not read, before a broker with little memory. */
@Isolated
class UnreadDeliveriesTest {
  private static final int LAZY = 200;
  private static final int MESSAGES = 1_200;
  private static final int BODY_BYTES = 120_000;

  /**
   * So many are free at once when all are gone. What was on its way to a socket is locked for some
   * time yet: about 300 KB of each that the system has taken, and the budget. If each connection
   * had a buffer of its own beside these, it would be hundreds more.
   */
  private static final int LEAST_FREE = 500;

  private static final int NARROW_BYTES = 4 << 10;
  private static final Pattern TAKEN =
      Pattern.compile("(?m)^peeklock_budget_used\\S*\\{[^}]*\"deliveries\"[^}]*} ([0-9.E]+)");

  /** Of 512 MiB: heap 230, network 76, bodies 102, and what a JVM takes besides. */
  private static final long MOST_RESIDENT_BYTES = 640L << 20;

  /** Of one queue: three quarters of the budget. */
  private static final long MOST_DELIVERIES = (76L << 20) / 8 / 4 * 3;

  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void theirMessagesTakeNoMoreDirectMemoryThanThereIs() throws Exception {
    var queues = BrokerProcess.queueOptions(List.of("q"));
    var memory = Map.of("PEEKLOCK_MEMORY", "512", "PEEKLOCK_PORT", "0");
    var lazy = new ArrayList<RawConnection>();
    try (var broker = BrokerProcess.startWith(memory, Folders.fresh("unread"), queues)) {
      fill(broker.port());
      for (var i = 0; i < LAZY; i++) {
        lazy.add(receiver(broker.port()));
      }
      Patience.until("all that may be is under way", () -> taken(broker) >= MOST_DELIVERIES);

      assertThat(taken(broker)).isLessThan(MOST_DELIVERIES + 2 * BODY_BYTES);
      assertThat(broker.residentBytes()).isLessThan(MOST_RESIDENT_BYTES);
      assertThat(broker.output().text()).doesNotContain("ERROR", "OutOf");
      for (var each : lazy) {
        each.close();
      }
      lazy.clear();
      Patience.until("their messages are free", () -> taken(broker) == 0);
      assertThat(free(broker.port())).isBetween(LEAST_FREE, MESSAGES);
      assertThat(broker.output().text()).doesNotContain("ERROR", "OutOf");
    } finally {
      for (var each : lazy) {
        each.close();
      }
    }
  }

  private static void fill(int port) throws IOException {
    try (var connection = RawConnection.ready(port)) {
      RawLinks.attached(connection, RawLinks.sender(0, "q"));
      for (var i = 0; i < MESSAGES; i++) {
        var message = RawMessage.bytes("m" + i, Map.of(), new byte[BODY_BYTES]);
        RawLinks.transfer(connection, 0, false, message);
        connection.flush();
        connection.await(RawConnection.DISPOSITION);
      }
    }
  }

  /** Asks for more than it could ever hold, and reads nothing of it. */
  private static RawConnection receiver(int port) throws IOException {
    var connection = RawConnection.narrow(port, NARROW_BYTES);
    RawLinks.attached(connection, RawLinks.receiver(0, "q"));
    connection.send(0, RawLinks.flow(0, 0, 1_000, false));
    connection.flush();
    return connection;
  }

  /** How many messages one gets that reads. */
  private static int free(int port) throws IOException {
    try (var connection = RawConnection.ready(port)) {
      RawLinks.attached(connection, RawLinks.taker(0, "q"));
      connection.send(0, RawLinks.flow(0, 0, MESSAGES, true));
      connection.flush();
      var whole = 0;
      while (true) {
        var frame = connection.readFrame();
        var performative = frame.performative();
        if (performative != null && frame.code() == RawConnection.TRANSFER) {
          whole += performative.truth(5) ? 0 : 1;
        } else if (performative != null && frame.code() == RawConnection.FLOW) {
          return whole; // all credit is used up, or given back
        }
      }
    }
  }

  private long taken(BrokerProcess broker) {
    try {
      var page = URI.create("http://localhost:" + broker.port() + "/metrics");
      var request = HttpRequest.newBuilder(page).build();
      var text = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
      var found = TAKEN.matcher(text);
      assertThat(found.find()).as(text).isTrue();
      return (long) Double.parseDouble(found.group(1));
    } catch (IOException failed) {
      throw new AssertionError(failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while asking", interrupted);
    }
  }
}
