package io.peeklock.conformance.raw;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Messages of many forms are the same bytes after the broker was killed as before. {@code
 * -Dmessages.seed=…} for others than always, {@code -Dmessages.count=…} for more of them.
 */
class LosslessRestartTest {
  private static final int MESSAGES = 100;

  private final Random random = new Random(Long.getLong("messages.seed", 20261127));

  @Test
  @Rule({"S-001", "S-072", "S-076", "I-01", "I-04"})
  void aKillChangesNoByteOfAnyMessage() throws IOException {
    try (var broker = BrokerProcess.withQueues(Folders.fresh("lossless"), "orders")) {
      var count = Integer.getInteger("messages.count", MESSAGES);
      try (var client = RawConnection.ready(broker.port())) {
        RawLinks.attached(client, RawLinks.sender(0, "orders"));
        for (var i = 0; i < count; i++) {
          RawLinks.transfer(client, 0, false, message());
          client.flush();
          assertThat(client.await(RawConnection.DISPOSITION).field(4))
              .isEqualTo(Described.list(0x24));
        }
      }
      var before = peeked(broker);

      broker.kill();
      broker.restart();

      assertThat(before).hasSize(count);
      assertThat(peeked(broker)).containsExactlyElementsOf(before);
    }
  }

  private static List<byte[]> peeked(BrokerProcess broker) {
    var all = new ArrayList<byte[]>();
    try (var client = RawConnection.ready(broker.port())) {
      for (var some = peeked(client, 1); !some.isEmpty(); some = peeked(client, all.size() + 1)) {
        all.addAll(some);
      }
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    return all;
  }

  private static List<byte[]> peeked(RawConnection client, long from) throws IOException {
    Map<String, Object> what = Map.of("operation", "com.microsoft:peek-message");
    var which = Map.of("from-sequence-number", from, "message-count", 50);
    var reply = RawLinks.ask(client, "orders/$management", what, which);
    var bytes = new ArrayList<byte[]>();
    if (reply.value() instanceof Map<?, ?> answer
        && answer.get("messages") instanceof List<?> all) {
      all.forEach(each -> bytes.add((byte[]) ((Map<?, ?>) each).get("message")));
    }
    return bytes;
  }

  // --- any message ---

  private byte[] message() {
    var sections = new ArrayList<@Nullable Object>();
    if (some(2)) {
      sections.add(
          Described.list(0x70, some(2), some(2) ? Unsigned.ubyte(7) : null, null, some(2)));
    }
    if (some(2)) {
      sections.add(Described.of(0x71, annotations()));
    }
    if (some(2)) {
      sections.add(Described.of(0x72, annotations()));
    }
    if (some(2)) {
      sections.add(
          Described.list(
              0x73,
              some(2) ? new UUID(random.nextLong(), random.nextLong()) : null,
              some(2) ? new byte[0] : null,
              some(2) ? "" : null,
              "subject",
              null,
              value(2),
              new Symbol("text/plain")));
    }
    if (some(2)) {
      sections.add(Described.of(0x74, properties()));
    }
    body(sections);
    if (some(2)) {
      sections.add(Described.of(0x78, annotations()));
    }
    return AmqpWriter.bytes(sections.toArray());
  }

  private boolean some(int of) {
    return random.nextInt(of) == 0;
  }

  private void body(List<@Nullable Object> sections) {
    var many = random.nextInt(4);
    switch (random.nextInt(3)) {
      case 0 -> sections.add(Described.of(0x77, value(0)));
      case 1 -> {
        for (var i = 0; i < many; i++) {
          sections.add(Described.of(0x76, List.of("in", i)));
        }
      }
      default -> {
        for (var i = 0; i < many; i++) {
          sections.add(Described.of(0x75, new byte[random.nextInt(400)]));
        }
      }
    }
  }

  private Map<Object, @Nullable Object> annotations() {
    var map = new LinkedHashMap<Object, @Nullable Object>();
    for (var i = random.nextInt(4); i > 0; i--) {
      map.put(some(2) ? new Symbol("x-" + i) : "text " + i, value(0));
    }
    return map;
  }

  private Map<Object, @Nullable Object> properties() {
    var map = new LinkedHashMap<Object, @Nullable Object>();
    for (var i = random.nextInt(6); i > 0; i--) {
      map.put("property " + i, value(2));
    }
    return map;
  }

  /** A value; from depth 2 on a simple one. */
  private @Nullable Object value(int depth) {
    return switch (random.nextInt(depth < 2 ? 16 : 12)) {
      case 0 -> null;
      case 1 -> some(2);
      case 2 -> Unsigned.ubyte(random.nextInt(256));
      case 3 -> Unsigned.ushort(random.nextInt(65_536));
      case 4 -> Unsigned.uint(some(2) ? 0 : 4_294_967_295L);
      case 5 -> Unsigned.ulong(some(2) ? 0 : Long.MAX_VALUE);
      case 6 -> (byte) -1;
      case 7 -> random.nextInt();
      case 8 -> some(2) ? 0L : random.nextLong();
      case 9 -> Instant.ofEpochMilli(random.nextInt());
      case 10 -> new UUID(random.nextLong(), random.nextLong());
      case 11 -> some(2) ? "" : "größer ".repeat(random.nextInt(60));
      case 12 -> new byte[random.nextInt(300)];
      case 13 -> new ArrayList<>(java.util.Arrays.asList(value(depth + 1), value(depth + 1)));
      case 14 -> Map.of("inside", "a map");
      default -> new Described(new Symbol("com.example:described"), "value");
    };
  }
}
