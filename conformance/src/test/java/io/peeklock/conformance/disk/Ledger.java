package io.peeklock.conformance.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.raw.Described;
import io.peeklock.conformance.raw.Frame;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.conformance.raw.RawMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Sends and completes one message after the other until the broker goes, and writes down what it
 * was told; then looks whether that is so.
 */
final class Ledger {
  private static final Described ACCEPTED = Described.list(0x24);
  private static final int SENDS_PER_ROUND = 3;

  private final String queue;
  private final int bodyBytes;
  private final Set<String> tried = new LinkedHashSet<>();
  private final Set<String> accepted = new LinkedHashSet<>();
  private final Set<String> settled = new LinkedHashSet<>();
  private final Set<String> completed = new LinkedHashSet<>();
  private String lastId = "";

  Ledger(String queue, int bodyBytes) {
    this.queue = queue;
    this.bodyBytes = bodyBytes;
  }

  int accepted() {
    return accepted.size();
  }

  int completed() {
    return completed.size();
  }

  private byte[] bodyOf(String id) {
    var body = new byte[bodyBytes];
    new Random(id.hashCode()).nextBytes(body);
    return body;
  }

  /** Works until the broker hangs up, or this many rounds are done. */
  void work(int port, int rounds) {
    try (var connection = RawConnection.ready(port)) {
      RawLinks.attached(connection, RawLinks.sender(0, queue));
      RawLinks.attached(connection, RawLinks.receiver(1, queue));
      for (var round = 0; round < rounds; round++) {
        for (var i = 0; i < SENDS_PER_ROUND; i++) {
          send(connection);
        }
        complete(connection, round);
      }
    } catch (IOException gone) {
      // That is what is waited for; the exit code says why.
    }
  }

  private void send(RawConnection connection) throws IOException {
    var id = "m" + tried.size();
    tried.add(id);
    RawLinks.transfer(connection, 0, false, RawMessage.bytes(id, Map.of(), bodyOf(id)));
    connection.flush();
    if (ACCEPTED.equals(connection.await(RawConnection.DISPOSITION).field(4))) {
      accepted.add(id);
    }
  }

  private void complete(RawConnection connection, int before) throws IOException {
    connection.send(0, RawLinks.flow(1, before, 1, false));
    connection.flush();
    var first = nextTransfer(connection);
    var delivery = first.number(1, -1);
    settled.add(lastId);
    connection.send(0, RawLinks.settle(delivery, false, ACCEPTED));
    connection.flush();
    var answer = connection.await(RawConnection.DISPOSITION);
    if (answer.truth(3) && ACCEPTED.equals(answer.field(4))) {
      completed.add(lastId);
    }
  }

  /** A whole delivery, checked; its first performative. */
  private Described nextTransfer(RawConnection connection) throws IOException {
    var payload = new ByteArrayOutputStream();
    Described first = null;
    while (true) {
      Frame frame = connection.readFrame();
      var performative = frame.performative();
      if (performative == null || frame.code() == RawConnection.FLOW) {
        continue;
      }
      if (frame.code() != RawConnection.TRANSFER) {
        throw new IOException("the broker gave up: " + performative);
      }
      first = first == null ? performative : first;
      payload.writeBytes(frame.payload());
      if (!performative.truth(5)) {
        var message = RawMessage.parse(payload.toByteArray());
        lastId = message.messageId();
        assertThat(message.data()).as(lastId).isEqualTo(bodyOf(lastId));
        return first;
      }
    }
  }

  /** Takes out all that is there: everything accepted, nothing completed, nothing else. */
  void check(int port) throws IOException {
    var due = new LinkedHashSet<>(accepted);
    due.removeAll(settled);
    var found = new LinkedHashSet<String>();
    try (var connection = RawConnection.ready(port)) {
      RawLinks.attached(connection, RawLinks.taker(0, queue));
      connection.send(0, RawLinks.flow(0, 0, tried.size() + 1L, false));
      connection.flush();
      while (!found.containsAll(due) || connection.readable()) {
        nextTransfer(connection);
        assertThat(found.add(lastId)).as("%s comes once", lastId).isTrue();
      }
      // Behind the last one that is due there may be one more: it was stored, and not answered.
      connection.send(0, RawLinks.flow(0, found.size(), 1, true));
      connection.flush();
      for (var frame = connection.readFrame();
          frame.code() != RawConnection.FLOW;
          frame = connection.readFrame()) {
        if (frame.code() == RawConnection.TRANSFER) {
          found.add(RawMessage.parse(frame.payload()).messageId());
        }
      }
    }
    assertThat(found).isSubsetOf(tried).noneMatch(completed::contains);
  }
}
