package io.peeklock.amqp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.link.SendingLink;
import io.peeklock.proof.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Deliveries to a client: frames, ids, windows, and payloads above the frame size. */
class OutgoingDeliveryTest {
  @Test
  @Rule("T-04")
  void aTransferHasElevenFields() {
    var fixture = EngineFixture.receiving(10);

    int id = fixture.deliver(77);

    assertThat(id).isZero();
    assertThat(fixture.hexes())
        .containsExactly(
            "00000032"
                + "02000001"
                + "005314"
                + "c0220b"
                + "5200"
                + "7000000000"
                + "a0100102030405060708090a0b0c0d0e0f10"
                + "43"
                + "42"
                + "42"
                + "40"
                + "40"
                + "42"
                + "42"
                + "41"
                + "010203");
  }

  @Test
  void idsGrowByOneOverAllLinksOfTheSession() {
    var fixture = EngineFixture.receiving(10);
    fixture.feed(ClientFrames.attachReceiver(1, 1, "other"), ClientFrames.credit(1, 1, 0, 10));
    fixture.forget();

    fixture.deliver(fixture.edge.sending.getFirst(), 1, false, new byte[1]);
    fixture.deliver(fixture.edge.sending.getLast(), 2, true, new byte[1]);
    fixture.deliver(fixture.edge.sending.getFirst(), 3, false, new byte[1]);

    assertThat(fixture.frames()).extracting(frame -> frame.number(1)).containsExactly(0L, 1L, 2L);
    assertThat(fixture.edge.lastSession().unsettledCount()).isEqualTo(2);
  }

  @Test
  void idsWrapAfterTheLast32BitNumber() {
    var fixture = wrapping();

    for (int i = 0; i < 4; i++) {
      fixture.deliver(i);
    }

    assertThat(fixture.frames())
        .extracting(frame -> frame.number(1))
        .containsExactly(0xffff_fffeL, 0xffff_ffffL, 0L, 1L);
    fixture.feed(ClientFrames.disposition(1, -2, 1, true, ClientFrames.accepted()));
    assertThat(fixture.edge.takeHeard()).hasSize(4);
    fixture.feed(ClientFrames.sessionFlow(1, 2, 3, false));
    assertThat(fixture.edge.lastSession().sendableFrames()).isEqualTo(3);
  }

  @Test
  void cancellingLeavesNoTrace() {
    var fixture = EngineFixture.receiving(10);
    SendingLink link = fixture.edge.lastSending();
    link.beginDelivery(1, 2, 3, false).writeBytes(new byte[500]);

    link.cancelDelivery();

    assertThat(fixture.frames()).isEmpty();
    assertThat(link.credit()).isEqualTo(10);
    assertThat(fixture.deliver(1)).isZero();
  }

  @Test
  void nothingElseMayHappenBetweenBeginAndEnd() {
    var fixture = EngineFixture.receiving(10);
    fixture.edge.lastSending().beginDelivery(1, 2, 3, false);

    assertThatThrownBy(fixture.engine::takeOutput).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> fixture.edge.lastSession().end(null))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  @Rule("T-31")
  void aPayloadAboveTheFrameSizeIsCutAndContinuationsHaveNoIdNoTag() {
    var fixture = smallFrames(5000);
    byte[] payload = counting(1300);

    fixture.deliver(fixture.edge.lastSending(), 1, false, payload);

    List<SentFrame> frames = fixture.frames();
    assertThat(frames).hasSize(3).allMatch(frame -> frame.fields().size() == 11);
    assertThat(frames).extracting(frame -> frame.field(5)).containsExactly(true, true, false);
    assertThat(frames.getFirst().fields().subList(1, 4)).doesNotContainNull();
    assertThat(frames.subList(1, 3))
        .allSatisfy(frame -> assertThat(frame.fields().subList(1, 4)).containsOnlyNulls());
    assertThat(frames).extracting(frame -> frame.hex().length() / 2).startsWith(512, 512);
    assertThat(joined(frames)).isEqualTo(payload);
  }

  @Test
  @Rule({"T-26", "T-32"})
  void whatTheWindowDoesNotTakeWaitsAndNothingGoesBetween() {
    var fixture = smallFrames(2);
    fixture.feed(
        ClientFrames.attachReceiver(1, 1, "other"),
        ClientFrames.flow(1, 0, 2, 1, 0, 5, false, false));
    fixture.forget();
    SendingLink large = fixture.edge.sending.getFirst();
    byte[] payload = counting(2000);

    fixture.deliver(large, 1, false, payload);

    var first = fixture.frames();
    assertThat(first).hasSize(2);
    assertThat(fixture.edge.sending.getLast().canSend()).isFalse();
    assertThat(large.window()).isZero();
    var framesBefore = large.sessionFrames();
    fixture.feed(ClientFrames.sessionFlow(1, 2, 2, false));
    assertThat(large.sessionFrames()).isEqualTo(framesBefore + 2);
    var second = fixture.frames();
    assertThat(second).hasSize(2);
    assertThat(fixture.edge.heard).isEmpty();
    fixture.feed(ClientFrames.sessionFlow(1, 4, 2, false));
    var third = fixture.frames();
    assertThat(fixture.edge.takeHeard()).containsExactly("sendable 1");
    assertThat(fixture.edge.sending.getLast().canSend()).isTrue();
    assertThat(joined(first, second, third)).isEqualTo(payload);
  }

  @Test
  void theWindowCountsFramesAndReopensWithTheClientsFlow() {
    var fixture = EngineFixture.opened().begin(1, 2);
    fixture.feed(ClientFrames.attachReceiver(1, 0, "r"));
    fixture.feed(ClientFrames.flow(1, 0, 2, 0, 0, 100, false, false));
    fixture.forget();
    fixture.deliver(1);
    fixture.deliver(2);
    assertThat(fixture.edge.lastSending().canSend()).isFalse();

    fixture.feed(ClientFrames.sessionFlow(1, 1, 2, false));

    assertThat(fixture.edge.takeHeard()).containsExactly("sendable 1");
    assertThat(fixture.edge.lastSession().sendableFrames()).isEqualTo(1);
    fixture.deliver(3);
    assertThat(fixture.edge.lastSending().canSend()).isFalse();
  }

  @Test
  void aLargeDeliveryGoesInPiecesAsTheWindowAllows() {
    var fixture = smallFrames(2);
    SendingLink link = fixture.edge.lastSending();
    byte[] payload = counting(3000);
    int id = link.beginLargeDelivery(9, 1, 2, false);
    assertThat(fixture.frames()).isEmpty();

    ByteBuf piece = Unpooled.wrappedBuffer(payload, 0, 1500);
    assertThat(link.continueLargeDelivery(piece, false)).isFalse();
    var frames = fixture.frames();
    fixture.feed(ClientFrames.sessionFlow(1, 2, 50, false));
    assertThat(fixture.edge.takeHeard()).containsExactly("sendable 1");
    assertThat(link.continueLargeDelivery(piece, false)).isTrue();
    assertThat(link.canSend()).isFalse();
    assertThat(link.continueLargeDelivery(Unpooled.wrappedBuffer(payload, 1500, 1500), true))
        .isTrue();

    assertThat(joined(frames, fixture.frames())).isEqualTo(payload);
    assertThat(link.canSend()).isTrue();
    fixture.feed(ClientFrames.disposition(1, id, null, true, ClientFrames.accepted()));
    assertThat(fixture.edge.takeHeard())
        .containsExactly("disposition 0 context 9 ACCEPTED settled");
  }

  @Test
  void theLastPieceMayBeEmpty() {
    var fixture = smallFrames(50);
    SendingLink link = fixture.edge.lastSending();
    link.beginLargeDelivery(9, 1, 2, true);
    link.continueLargeDelivery(Unpooled.wrappedBuffer(counting(10)), false);

    assertThat(link.continueLargeDelivery(Unpooled.EMPTY_BUFFER, true)).isTrue();

    assertThat(fixture.frames()).extracting(frame -> frame.field(5)).containsExactly(true, false);
    assertThat(link.canSend()).isTrue();
  }

  @Test
  @Rule("T-30")
  void anAbortedDeliveryLeavesNoGapInTheIds() {
    var fixture = smallFrames(50);
    SendingLink link = fixture.edge.lastSending();
    link.beginLargeDelivery(1, 1, 2, false);
    link.abortLargeDelivery();
    link.beginLargeDelivery(2, 1, 2, false);
    link.continueLargeDelivery(Unpooled.wrappedBuffer(counting(10)), false);
    link.abortLargeDelivery();
    fixture.deliver(3);

    List<SentFrame> frames = fixture.frames();

    assertThat(frames)
        .extracting(SentFrame::fields)
        .extracting(fields -> fields.get(1))
        .containsExactly(ClientFrames.uint(0), null, ClientFrames.uint(1));
    assertThat(frames.get(1).fields().subList(5, 10))
        .containsExactly(false, null, null, false, true);
    assertThat(fixture.edge.lastSession().unsettledCount()).isEqualTo(1);
  }

  @Test
  void aDetachInTheMiddleOfALargeDeliveryFreesTheSession() {
    var fixture = smallFrames(50);
    SendingLink gone = fixture.edge.lastSending();
    fixture.feed(ClientFrames.attachReceiver(1, 1, "other"));
    fixture.feed(ClientFrames.flow(1, 0, 50, 1, 0, 5, false, false));
    gone.beginLargeDelivery(1, 1, 2, false);
    gone.continueLargeDelivery(Unpooled.wrappedBuffer(counting(10)), false);
    SendingLink other = fixture.edge.lastSending();
    assertThat(other.canSend()).isFalse();
    fixture.forget();

    fixture.feed(ClientFrames.detach(1, 0));

    assertThat(fixture.edge.takeHeard()).containsExactly("detach r", "sendable 1");
    assertThat(other.canSend()).isTrue();
    ByteBuf piece = Unpooled.wrappedBuffer(counting(10));
    assertThat(gone.continueLargeDelivery(piece, true)).isTrue();
    assertThat(piece.isReadable()).isFalse();
    assertThat(fixture.edge.lastSession().unsettledCount()).isZero();
  }

  @Test
  void aHandleAbove255NeedsAWiderHeadAndNothingElse() {
    var fixture = EngineFixture.begun();
    for (int handle = 0; handle <= 300; handle++) {
      fixture.feed(ClientFrames.attachReceiver(1, handle, "r" + handle));
    }
    fixture.feed(ClientFrames.credit(1, 300, 0, 1));
    fixture.forget();

    fixture.deliver(1);

    SentFrame transfer = fixture.onlyFrame();
    assertThat(transfer.number(0)).isEqualTo(300);
    assertThat(transfer.payload()).isEqualTo("010203");
  }

  private static EngineFixture wrapping() {
    var fixture = EngineFixture.opened(EngineFixture.CONFIG, -2, ClientFrames.open());
    fixture.begin(1, 5000);
    fixture.feed(ClientFrames.attachReceiver(1, 0, "r"));
    fixture.feed(ClientFrames.flow(1, -2, 5000, 0, 0, 10, false, false));
    return fixture.forget();
  }

  /** Frames of at most 512 bytes, a session window, and a client receiver with credit 5. */
  private static EngineFixture smallFrames(int window) {
    byte[] open = ClientFrames.frame(0, Descriptor.OPEN, "c", null, ClientFrames.uint(512));
    var fixture = EngineFixture.opened(EngineFixture.CONFIG, 0, open).begin(1, window);
    fixture.feed(ClientFrames.attachReceiver(1, 0, "r"));
    fixture.feed(ClientFrames.flow(1, 0, window, 0, 0, 5, false, false));
    return fixture.forget();
  }

  private static byte[] counting(int length) {
    var bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }

  @SafeVarargs
  private static byte[] joined(List<SentFrame>... bursts) {
    var hex = new StringBuilder();
    for (List<SentFrame> burst : bursts) {
      burst.forEach(frame -> hex.append(frame.payload()));
    }
    return ClientFrames.hex(hex.toString());
  }
}
