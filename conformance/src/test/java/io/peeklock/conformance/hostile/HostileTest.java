package io.peeklock.conformance.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.conformance.raw.AmqpWriter;
import io.peeklock.conformance.raw.Described;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.conformance.raw.Symbol;
import io.peeklock.conformance.raw.Unsigned;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bytes that no client of good will sends: each costs its own connection and nothing else. */
class HostileTest {
  @RegisterExtension static final AttackedBroker BROKER = new AttackedBroker();

  private static final int NESTING = 20_000;

  @Test
  void garbageIsHungUpOn() throws IOException {
    try (var client = RawConnection.silent(BROKER.port())) {
      var garbage = new byte[4_096];
      new Random(1).nextBytes(garbage);
      garbage[0] = (byte) 0xee;

      client.write(garbage);
      client.flush();

      assertThatThrownBy(client::awaitHangUp).isInstanceOf(IOException.class);
    } catch (AssertionError hungUpPolitely) {
      assertThat(hungUpPolitely).hasMessageContaining("Expecting code to raise");
    }
    BROKER.stands(1);
  }

  @Test
  void aWrongVersionIsAnsweredWithOurs() throws IOException {
    try (var client = RawConnection.silent(BROKER.port())) {
      client.write(new byte[] {'A', 'M', 'Q', 'P', 0, 9, 9, 9});
      client.flush();

      assertThat(Arrays.copyOf(client.readHeader(), 4))
          .isEqualTo("AMQP".getBytes(StandardCharsets.US_ASCII));
      assertThat(client.awaitHangUp()).isNull();
    }
    BROKER.stands(1);
  }

  @Test
  void aFrameLargerThanWeSaidIsRefused() throws IOException {
    try (var client = RawConnection.ready(BROKER.port())) {
      client.write(ByteBuffer.allocate(8).putInt(1 << 30).putInt(0x02000000).array());
      client.flush();

      assertThat(condition(client.awaitHangUp())).isEqualTo("amqp:connection:framing-error");
    }
    BROKER.stands(1);
  }

  @Test
  void aFrameThatLiesAboutItsHeaderIsRefused() throws IOException {
    try (var client = RawConnection.ready(BROKER.port())) {
      client.write(ByteBuffer.allocate(8).putInt(8).putInt(0xff000000).array());
      client.flush();

      assertThat(condition(client.awaitHangUp())).isEqualTo("amqp:connection:framing-error");
    }
    BROKER.stands(1);
  }

  @Test
  void halfAFrameAndThenSilenceCostsNobodyElseAnything() throws IOException {
    try (var client = RawConnection.ready(BROKER.port())) {
      client.write(ByteBuffer.allocate(10).putInt(60_000).putInt(0x02000000).array());
      client.flush();

      BROKER.stands(0);
    }
  }

  /** Values that are small on the wire and large, deep or endless in memory. */
  enum Bomb {
    DEEP_LISTS,
    DEEP_DESCRIBED,
    ENDLESS_ARRAY_OF_NULLS,
    ENDLESS_ARRAY_OF_EMPTY_LISTS,
    LIST_THAT_LIES_ABOUT_ITS_COUNT,
    BINARY_THAT_LIES_ABOUT_ITS_SIZE,
    UNKNOWN_CONSTRUCTOR;

    byte[] bytes() {
      return switch (this) {
        case DEEP_LISTS -> lists();
        case DEEP_DESCRIBED -> described();
        case ENDLESS_ARRAY_OF_NULLS -> array(0x40);
        case ENDLESS_ARRAY_OF_EMPTY_LISTS -> array(0x45);
        case LIST_THAT_LIES_ABOUT_ITS_COUNT ->
            ByteBuffer.allocate(9).put((byte) 0xd0).putInt(4).putInt(Integer.MAX_VALUE).array();
        case BINARY_THAT_LIES_ABOUT_ITS_SIZE ->
            ByteBuffer.allocate(5).put((byte) 0xb0).putInt(Integer.MAX_VALUE).array();
        case UNKNOWN_CONSTRUCTOR -> new byte[] {0x3f, 1, 2, 3};
      };
    }

    private static byte[] array(int constructor) {
      return ByteBuffer.allocate(10)
          .put((byte) 0xf0)
          .putInt(5)
          .putInt(Integer.MAX_VALUE)
          .put((byte) constructor)
          .array();
    }

    private static byte[] lists() {
      var size = 4;
      var buffer = ByteBuffer.allocate(4_000 * 9 + 1);
      for (var depth = 0; depth < 4_000; depth++) {
        buffer.put((byte) 0xd0).putInt(size + (3_999 - depth) * 9 + 1).putInt(1);
      }
      return buffer.put((byte) 0x40).array();
    }

    private static byte[] described() {
      var bytes = new byte[NESTING];
      bytes[NESTING - 1] = 0x40;
      return bytes;
    }
  }

  @ParameterizedTest
  @EnumSource(Bomb.class)
  void aBombInsideOpenEndsThatConnection(Bomb bomb) throws IOException {
    try (var client = RawConnection.silent(BROKER.port())) {
      client.saslPlain("RootManageSharedAccessKey", "SAS_KEY_VALUE");
      var began = System.nanoTime();
      client.write(RawConnection.frame(0, 0, listOf((byte) RawConnection.OPEN, bomb.bytes())));
      client.flush();

      assertThat(condition(client.awaitHangUp())).isEqualTo("amqp:decode-error");
      assertThat(System.nanoTime() - began).isLessThan(2_000_000_000L);
    }
    BROKER.stands(1);
  }

  @ParameterizedTest
  @EnumSource(Bomb.class)
  void aBombInsideATokenIsRefused(Bomb bomb) throws IOException {
    try (var client = RawConnection.anonymous(BROKER.port())) {
      RawLinks.attached(client, RawLinks.sender(0, "$cbs"));
      RawLinks.attached(client, RawLinks.receiver(1, "$cbs"));
      client.send(0, RawLinks.flow(1, 0, 10, false));
      var head =
          AmqpWriter.bytes(
              Described.list(0x73, Unsigned.ulong(1), null, null, null, "here"),
              Described.of(0x74, Map.of("operation", "put-token")));
      var message = concat(head, new byte[] {0, 0x53, 0x77}, bomb.bytes());

      RawLinks.transfer(client, 0, false, message);
      client.flush();
      client.readTimeout(30_000);

      // A refusal as a reply, or the end of the link or of the connection: all are fine.
      var answer = client.readFrame();
      while (answer.code() == 0 || answer.code() == RawConnection.FLOW) {
        answer = client.readFrame();
      }
      assertThat(answer.code()).isGreaterThanOrEqualTo(RawConnection.TRANSFER);
    }
    BROKER.stands(1);
  }

  @ParameterizedTest
  @EnumSource(Bomb.class)
  void aBombInsideAMessageIsRefusedOrKeptAsItIs(Bomb bomb) throws IOException {
    try (var client = RawConnection.ready(BROKER.port())) {
      RawLinks.attached(client, RawLinks.sender(0, AttackedBroker.TARGET));
      var message = concat(new byte[] {0, 0x53, 0x74}, bomb.bytes());

      RawLinks.transfer(client, 0, false, message);
      client.flush();

      var frame = client.readFrame();
      while (frame.code() == 0 || frame.code() == RawConnection.FLOW) {
        frame = client.readFrame();
      }
      assertThat(frame.code()).isGreaterThanOrEqualTo(RawConnection.DISPOSITION);
    }
    BROKER.stands(0, 1);
  }

  @Test
  @Rule({"T-26"})
  void aFloodOfAttachesIsBounded() throws IOException {
    try (var client = RawConnection.ready(BROKER.port())) {
      try {
        for (var handle = 0; handle < 50_000; handle++) {
          client.send(0, RawLinks.receiver(handle, AttackedBroker.TARGET));
          if (handle % 500 == 0) {
            client.flush();
            while (client.readable()) {
              client.readFrame();
            }
          }
        }
        client.flush();
        client.awaitHangUp();
      } catch (IOException gone) {
        assertThat(gone).isNotNull();
      }
    }
    BROKER.stands(1, 3);
  }

  @Test
  @Rule({"S-062", "T-24", "T-59"})
  void anUnknownQueueIsNotFoundAndTheConnectionLives() throws IOException {
    try (var client = RawConnection.ready(BROKER.port())) {
      client.send(0, RawLinks.sender(0, "no-such-queue"));
      client.flush();
      var attach = client.await(RawConnection.ATTACH);
      var detach = client.await(RawConnection.DETACH);

      assertThat(attach.field(5)).isNull();
      assertThat(attach.field(6)).isNull();
      assertThat(condition(detach, 2)).isEqualTo("amqp:not-found");
      RawLinks.attached(client, RawLinks.sender(1, AttackedBroker.TARGET));
    }
    BROKER.stands(0, 1);
  }

  @Test
  @Rule({"T-69", "T-42"})
  void settlingWhatWasNeverDeliveredIsIgnored() throws IOException {
    try (var client = RawConnection.ready(BROKER.port())) {
      RawLinks.attached(client, RawLinks.receiver(0, AttackedBroker.TARGET));
      client.send(
          0,
          Described.list(
              RawConnection.DISPOSITION,
              true,
              Unsigned.uint(0),
              Unsigned.uint(0xfffffffeL),
              true,
              Described.list(0x24)));
      client.send(0, RawLinks.settle(77, true, Described.list(0x24)));
      client.flush();

      RawLinks.attached(client, RawLinks.sender(1, AttackedBroker.TARGET));
    }
    BROKER.stands(0, 1);
  }

  @Test
  @Rule("T-62")
  void aTransferWithoutALinkIsIgnored() throws IOException {
    try (var client = RawConnection.ready(BROKER.port())) {
      RawLinks.transfer(client, 42, false, new byte[] {0, 0x53, 0x77, 0x40});

      RawLinks.attached(client, RawLinks.sender(1, AttackedBroker.TARGET));
    }
    BROKER.stands(0, 1);
  }

  @Test
  @Rule({"S-511", "T-67"})
  void aMessageOverTheLimitIsRefusedWhileItArrives() throws IOException {
    try (var client = RawConnection.ready(BROKER.port())) {
      RawLinks.attached(client, RawLinks.sender(0, AttackedBroker.SMALL));
      var secret = AttackedBroker.CANARY.repeat(200_000).getBytes(StandardCharsets.US_ASCII);
      var body = Described.of(0x75, secret);

      RawLinks.transfer(client, 0, false, AmqpWriter.bytes(body));
      client.flush();
      var frame = client.readFrame();
      while (frame.code() == 0 || frame.code() == RawConnection.FLOW) {
        frame = client.readFrame();
      }

      assertThat(String.valueOf(frame.performative())).contains("message-size-exceeded");
    }
    BROKER.stands(0, 1);
  }

  private static String condition(@org.jspecify.annotations.Nullable Described performative) {
    return condition(performative, 0);
  }

  private static String condition(
      @org.jspecify.annotations.Nullable Described performative, int field) {
    return performative != null
            && performative.field(field) instanceof Described error
            && error.field(0) instanceof Symbol symbol
        ? symbol.text()
        : "no condition in " + performative;
  }

  /** A performative whose first field is any bytes. */
  private static byte[] listOf(byte code, byte[] field) {
    return concat(
        new byte[] {0, 0x53, code, (byte) 0xd0},
        ByteBuffer.allocate(8).putInt(field.length + 4).putInt(1).array(),
        field);
  }

  private static byte[] concat(byte[]... parts) {
    var all = ByteBuffer.allocate(Arrays.stream(parts).mapToInt(part -> part.length).sum());
    for (var part : parts) {
      all.put(part);
    }
    return all.array();
  }
}
