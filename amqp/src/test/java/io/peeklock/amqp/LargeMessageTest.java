package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.DETACH;
import static io.peeklock.amqp.TestClient.DISPOSITION;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.code;
import static io.peeklock.amqp.TestClient.condition;
import static io.peeklock.amqp.TestClient.inside;
import static io.peeklock.amqp.TestClient.uint;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.TestMessage.Parsed;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.proof.Rule;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Messages above 1 MiB, in and out, whole and broken. */
class LargeMessageTest {
  private static final int BIG = 3 << 19;
  private static final int FRAME = 60_000;

  private final BrokerFixture broker = new BrokerFixture();
  private final TestClient client = broker.client().sender(0, 0, "q").forget();

  private static byte[] large() {
    return new TestMessage().properties("big").section(TestMessage.DATA, new byte[BIG]).bytes();
  }

  private @Nullable String rejection(byte[] message) {
    client.forget().inFrames(0, message, FRAME);
    var outcome = client.one(DISPOSITION).field(4);
    return code(outcome) == 0x25 ? condition(inside(outcome)) : null;
  }

  /** All frames of a message but the last, and the last one. */
  private ByteBuf lastFrameOf(byte[] message, boolean settled) {
    var cut = message.length - 1_000;
    for (var at = 0; at < cut; at += FRAME) {
      var piece = Arrays.copyOfRange(message, at, Math.min(cut, at + FRAME));
      client.send(
          TestClient.frameBytes(
              0,
              0,
              TRANSFER,
              Arrays.asList(uint(0), uint(0), new byte[1], uint(0), settled, true),
              piece));
    }
    return TestClient.frameBytes(
        0,
        0,
        TRANSFER,
        Arrays.asList(uint(0), null, null, null, settled, false),
        Arrays.copyOfRange(message, cut, message.length));
  }

  private ByteBuf small(int id, String body) {
    return TestClient.frameBytes(
        0,
        0,
        TRANSFER,
        Arrays.asList(uint(0), uint(id), new byte[] {2}, uint(0), false, false),
        TestMessage.text(body));
  }

  @Test
  void whatComesRightBehindALargeMessageStaysBehindIt() {
    var last = lastFrameOf(large(), false);

    client.send(Unpooled.wrappedBuffer(last, small(1, "second"), small(2, "third")));

    assertThat(client.take(DISPOSITION)).hasSize(2);
    client.receiver(0, 1, "q", 1).credit(1, 10);
    var frames = client.take(TRANSFER);
    assertThat(Parsed.of(frames.getLast().payload()).body()).isEqualTo("third");
    assertThat(Parsed.of(frames.get(frames.size() - 2).payload()).body()).isEqualTo("second");
    assertThat(client.channel.config().isAutoRead()).isTrue();
    assertThat(broker.journal.leaks()).isZero();
  }

  @Test
  @Rule("S-018")
  void aPreSettledOneIsStoredWithoutAnAnswer() {
    client.send(lastFrameOf(large(), true));

    assertThat(client.take(DISPOSITION)).isEmpty();
    assertThat(broker.journal.liveBodies()).isEqualTo(1);
  }

  @Test
  void aLinkThatGoesWhileItsMessageIsSyncedLeavesNothing() {
    var last = lastFrameOf(large(), false);
    var detach =
        TestClient.frameBytes(0, 0, DETACH, Arrays.asList(uint(0), true, null), new byte[0]);

    client.send(Unpooled.wrappedBuffer(last, small(1, "held"), detach));

    assertThat(broker.journal.liveBodies()).isZero();
    assertThat(broker.journal.leaks()).isZero();
  }

  @Test
  void anAbortedOneLeavesNothing() {
    lastFrameOf(large(), false).release();

    client.perform(0, TRANSFER, uint(0), null, null, null, null, false, null, null, null, true);
    client.send(small(1, "next"));

    assertThat(client.take(DISPOSITION)).hasSize(1);
    assertThat(broker.journal.liveBodies()).isEqualTo(1);
  }

  @Test
  void brokenOnesAreRejectedAndTheLinkLives() {
    var ok = large();
    assertThat(rejection(Arrays.copyOf(ok, ok.length - 1))).isEqualTo(Conditions.DECODE_ERROR);
    assertThat(rejection(new byte[BIG])).isEqualTo(Conditions.DECODE_ERROR);

    var texts = new TestMessage().section(TestMessage.DATA, new byte[BIG]).bytes();
    texts[3] = (byte) 0xb1;
    assertThat(rejection(texts)).isEqualTo(Conditions.DECODE_ERROR);

    var trailing =
        new TestMessage()
            .section(TestMessage.DATA, new byte[BIG])
            .section(TestMessage.APPLICATION_PROPERTIES, Map.of("late", 1))
            .bytes();
    assertThat(rejection(trailing)).isEqualTo(Conditions.DECODE_ERROR);

    var longId =
        new TestMessage()
            .properties("x".repeat(200))
            .section(TestMessage.DATA, new byte[BIG])
            .bytes();
    assertThat(rejection(longId)).isEqualTo(Conditions.ARGUMENT_OUT_OF_RANGE);

    var footerFirst =
        new TestMessage()
            .section(TestMessage.FOOTER, Map.of(new Symbol("f"), 1))
            .section(TestMessage.DATA, new byte[BIG])
            .bytes();
    assertThat(rejection(footerFirst)).isEqualTo(Conditions.ARGUMENT_OUT_OF_RANGE);

    var wide =
        new TestMessage()
            .section(TestMessage.DELIVERY_ANNOTATIONS, Map.of(new Symbol("a"), new byte[140_000]))
            .section(TestMessage.DATA, new byte[BIG])
            .bytes();
    assertThat(rejection(wide)).isEqualTo(Conditions.ARGUMENT_OUT_OF_RANGE);
    assertThat(rejection(ok)).isNull();
  }

  @Test
  void aMessageThatWasHalfDeliveredWhenItsClientWentIsFreeAgainWithoutACount() {
    client.inFrames(0, large(), FRAME);
    var reader = broker.newClient().connect("PLAIN", BrokerFixture.plain("listener", "listen-key"));
    reader.open().perform(0, 0x11, null, uint(0), uint(5), uint(5));
    reader.receiver(0, 1, "q", 0);
    reader.perform(
        0, TestClient.FLOW, uint(0), uint(5), uint(0), uint(5), uint(1), uint(0), uint(3));
    assertThat(reader.take(TRANSFER)).hasSize(5);

    var unused = reader.channel.close();
    broker.settle();

    assertThat(broker.journal.leaks()).isZero();
    client.receiver(0, 1, "q", 0).credit(1, 1);
    var whole = Unpooled.buffer();
    client.take(TRANSFER).forEach(frame -> whole.writeBytes(frame.payload()));
    var got = Parsed.of(Arrays.copyOf(whole.array(), whole.readableBytes()));
    assertThat(got.field(TestMessage.HEADER, 4)).isEqualTo(uint(0));
  }

  @Test
  @Rule({"T-31", "T-32"})
  void framesOfALargeDeliveryFollowEachOtherAndLeaveTheIdOut() {
    client.inFrames(0, large(), FRAME).message(0, TestMessage.text("a"));
    client.receiver(0, 1, "one", "q", "x", 0).receiver(0, 2, "two", "q", "x", 0);
    client.forget().credit(1, 1).credit(2, 1);

    var frames = client.take(TRANSFER);

    assertThat(frames.getFirst().field(1)).isEqualTo(uint(0));
    assertThat(frames.getFirst().field(5)).isEqualTo(true);
    for (var frame : frames.subList(1, frames.size() - 1)) {
      assertThat(frame.field(1)).isNull();
      assertThat(frame.field(2)).isNull();
      assertThat(frame.field(0)).isEqualTo(frames.getFirst().field(0));
    }
    assertThat(frames.getLast().field(1)).isEqualTo(uint(1));
    client.dispose(0, 1, false, TestClient.accepted());
    assertThat(client.one(DISPOSITION).number(2)).isEqualTo(1);
    assertThat(broker.journal.liveBodies()).isZero();
  }
}
