package io.peeklock.conformance.raw;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.QueueKind;
import io.peeklock.conformance.SharedBroker;
import io.peeklock.conformance.WithBroker;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What only a client sees that looks at the bytes. */
@ExtendWith(WithBroker.class)
class RawDeliveryTest {
  private static final int MANY = 5_000;

  @Test
  @Rule({"S-021", "S-009", "S-013", "I-15"})
  void manyMessagesAreSentAtOnceAndTakenAtOnce(SharedBroker broker) throws IOException {
    var queue = broker.queue(QueueKind.PLAIN);
    try (var client = RawConnection.ready(broker.process().port())) {
      sendMany(client, queue);
      RawLinks.attached(client, RawLinks.taker(1, queue));
      client.send(0, RawLinks.flow(1, 0, MANY, false));
      client.flush();

      var ids = new ArrayList<String>();
      while (ids.size() < MANY) {
        var frame = client.readFrame();
        if (frame.code() == RawConnection.TRANSFER) {
          ids.add(RawMessage.parse(frame.payload()).messageId());
        }
      }

      assertThat(ids).isEqualTo(IntStream.range(0, MANY).mapToObj(Integer::toString).toList());
    }
  }

  @Test
  @Rule({"S-072", "S-076", "S-077", "I-04", "T-52"})
  void sectionsThatMeanNothingToTheBrokerComeBackByteForByte(SharedBroker broker)
      throws IOException {
    var annotations = new LinkedHashMap<Object, Object>();
    annotations.put(new Symbol("x-opt-mine"), "kept");
    annotations.put(new Symbol("x-opt-sequence-number"), 4_711L);
    var tail =
        AmqpWriter.bytes(
            Described.list(0x73, "id", null, null, "subject"),
            Described.of(0x74, Map.of("list-like", List.of(1, 2).toString())),
            Described.of(0x75, new byte[] {1, 2, 3}),
            Described.of(0x75, new byte[] {4}),
            Described.of(0x78, Map.of(new Symbol("foot"), "note")));
    var message =
        concat(AmqpWriter.bytes(Described.list(0x70), Described.of(0x72, annotations)), tail);

    var back = thereAndBack(broker, message);

    assertThat(Arrays.copyOfRange(back, back.length - tail.length, back.length)).isEqualTo(tail);
    assertThat(RawMessage.parse(back).annotations())
        .containsEntry("x-opt-mine", "kept")
        .containsEntry("x-opt-sequence-number", 1L);
  }

  @Test
  @Rule({"S-119", "S-140", "S-146", "T-35", "T-36"})
  void whatTheBrokerAddsHasTheTypesThatClientsCastTo(SharedBroker broker) throws IOException {
    var message = AmqpWriter.bytes(Described.of(0x77, "no header, no id"));

    var back = RawMessage.parse(thereAndBack(broker, message));

    assertThat(back.header().field(4)).isEqualTo(Unsigned.uint(0));
    assertThat(back.annotations().get("x-opt-sequence-number")).isEqualTo(1L);
    assertThat(back.annotations().get("x-opt-enqueue-sequence-number")).isEqualTo(0L);
    assertThat(back.annotations().get("x-opt-enqueued-time")).isInstanceOf(Instant.class);
    assertThat(back.annotations().get("x-opt-locked-until")).isInstanceOf(Instant.class);
    assertThat(back.standard().field(0)).isInstanceOf(String.class);
    assertThat(back.value()).isEqualTo("no header, no id");
  }

  @Test
  @Rule("T-66")
  void eightLinksOnEachOfSixConnectionsOpenAtOnce(SharedBroker broker) throws Exception {
    var queue = broker.queue(QueueKind.PLAIN);
    try (var clients = Executors.newFixedThreadPool(6)) {
      var opened = new ArrayList<Future<Integer>>();
      for (var i = 0; i < 6; i++) {
        opened.add(clients.submit(() -> linksThatOpen(broker.process().port(), queue)));
      }
      for (var each : opened) {
        assertThat(each.get()).isEqualTo(8);
      }
    }
  }

  private static int linksThatOpen(int port, String queue) throws IOException {
    try (var client = RawConnection.ready(port)) {
      client.readTimeout(30_000);
      for (var handle = 0; handle < 8; handle++) {
        client.send(0, RawLinks.receiver(handle, queue));
      }
      client.flush();
      var attached = 0;
      while (attached < 8) {
        client.await(RawConnection.ATTACH);
        attached++;
      }
      return attached;
    }
  }

  private static byte[] thereAndBack(SharedBroker broker, byte[] message) throws IOException {
    var queue = broker.queue(QueueKind.PLAIN);
    try (var client = RawConnection.ready(broker.process().port())) {
      RawLinks.attached(client, RawLinks.sender(0, queue));
      RawLinks.transfer(client, 0, false, message);
      client.flush();
      assertThat(client.await(RawConnection.DISPOSITION).field(4)).isEqualTo(Described.list(0x24));
      RawLinks.attached(client, RawLinks.receiver(1, queue));
      client.send(0, RawLinks.flow(1, 0, 1, false));
      client.flush();
      var frame = client.readFrame();
      while (frame.code() != RawConnection.TRANSFER) {
        frame = client.readFrame();
      }
      return frame.payload();
    }
  }

  private static void sendMany(RawConnection client, String queue) throws IOException {
    RawLinks.attached(client, RawLinks.sender(0, queue));
    var credit = 0L;
    var answered = 0L;
    for (var sent = 0; sent < MANY || answered < MANY; ) {
      while (sent < MANY && sent < credit) {
        var id = Integer.toString(sent++);
        RawLinks.transfer(client, 0, false, RawMessage.bytes(id, Map.of(), new byte[100]));
      }
      client.flush();
      var frame = client.readFrame();
      var performative = frame.performative();
      if (performative == null) {
        continue;
      }
      if (frame.code() == RawConnection.FLOW) {
        credit = performative.number(5, 0) + performative.number(6, 0);
      } else {
        var first = performative.number(1, 0);
        answered += performative.number(2, first) - first + 1;
      }
    }
  }

  private static byte[] concat(byte[] first, byte[] second) {
    var both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }
}
