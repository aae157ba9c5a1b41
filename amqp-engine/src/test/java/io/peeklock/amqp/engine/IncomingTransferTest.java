package io.peeklock.amqp.engine;

import static io.peeklock.amqp.engine.ClientFrames.accepted;
import static io.peeklock.amqp.engine.ClientFrames.described;
import static io.peeklock.amqp.engine.ClientFrames.uint;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.engine.messaging.Outcome;
import io.peeklock.amqp.engine.messaging.TransactionId;
import io.peeklock.amqp.engine.session.AmqpSession;
import io.peeklock.proof.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Deliveries from a client, and their settlement. */
class IncomingTransferTest {
  private final EngineFixture fixture = EngineFixture.sending();
  private final RecordingEdge edge = fixture.edge;

  @Test
  void eachFrameOfADeliveryIsToldWithOrWithoutARepeatedId() {
    fixture.feed(ClientFrames.transfer(1, 0, uint(9), false, true, false, new byte[] {1}));
    fixture.feed(ClientFrames.transfer(1, 0, null, null, true, false, new byte[] {2}));
    fixture.feed(ClientFrames.transfer(1, 0, uint(9), null, false, false, new byte[] {3}));
    fixture.feed(ClientFrames.transfer(1, 0, uint(10), true, false, false, new byte[] {4}));

    assertThat(edge.takeHeard())
        .containsExactly(
            "transfer 9 first more 01",
            "transfer 9 more 02",
            "transfer 9 03",
            "transfer 10 first settled 04");
  }

  @Test
  void anAbortedDeliveryIsForgottenAndTheNextOneStartsAfresh() {
    fixture.feed(ClientFrames.transfer(1, 0, uint(0), false, true, false, new byte[] {1}));
    fixture.feed(ClientFrames.transfer(1, 0, null, null, false, true, new byte[0]));
    fixture.feed(ClientFrames.transfer(1, 0, 1, false, new byte[] {2}));

    assertThat(edge.takeHeard())
        .containsExactly("transfer 0 first more 01", "transfer 0 aborted ", "transfer 1 first 02");
    assertThat(fixture.frames()).isEmpty();
  }

  @Test
  void tagFormatAndStateAreThere() {
    var seen = new ArrayList<Object>();
    edge.onTransfer =
        transfer -> {
          seen.add(transfer.tag()[0]);
          seen.add(transfer.messageFormat());
          seen.add(transfer.state().isTransactional());
          seen.add(Objects.requireNonNull(transfer.state().transaction()));
        };
    var state = described(Descriptor.TRANSACTIONAL_STATE, new byte[] {5, 6}, null);
    fixture.feed(
        ClientFrames.frame(
            1,
            Descriptor.TRANSFER,
            uint(0),
            uint(0),
            new byte[] {42},
            uint(0x80013700L),
            false,
            false,
            null,
            state));

    assertThat(seen)
        .containsExactly((byte) 42, 0x80013700, true, TransactionId.of(new byte[] {5, 6}));
  }

  @Test
  void aDeliveryWithoutIdIsInvalidAndOneInsideAnotherNotAllowed() {
    var other = EngineFixture.sending();
    fixture.feed(ClientFrames.transfer(1, 0, null, false, false, false, new byte[] {1}));
    other.feed(ClientFrames.transfer(1, 0, uint(0), false, true, false, new byte[] {1}));
    other.feed(ClientFrames.transfer(1, 0, uint(1), false, true, false, new byte[] {1}));

    assertThat(edge.heard).endsWith("fatal amqp:invalid-field");
    assertThat(other.edge.heard).endsWith("fatal amqp:not-allowed");
  }

  @Test
  void aRetainedPayloadOutlivesTheInput() {
    var kept = new ArrayList<ByteBuf>();
    edge.onTransfer = transfer -> kept.add(transfer.retainedPayload());
    byte[] frame = ClientFrames.transfer(1, 0, 0, false, new byte[] {7, 8, 9});
    ByteBuf whole = Unpooled.directBuffer().writeBytes(frame);
    fixture.engine.ingest(whole, 0);
    ByteBuf head = Unpooled.directBuffer().writeBytes(frame, 0, 20);
    ByteBuf tail = Unpooled.directBuffer().writeBytes(frame, 20, frame.length - 20);
    fixture.engine.ingest(head, 0);
    fixture.engine.ingest(tail, 0);

    whole.release();
    head.release();
    tail.release();

    assertThat(kept).hasSize(2).allMatch(slice -> slice.getByte(2) == 9);
    assertThat(kept).allMatch(ByteBuf::release);
  }

  @Test
  void neighbouringEqualAnswersLeaveAsOneRange() {
    AmqpSession session = edge.lastSession();
    session.settleIncoming(0, 9, Outcome.ACCEPTED);
    session.settleIncoming(10, 10, Outcome.ACCEPTED);
    session.settleIncoming(11, 11, Outcome.ACCEPTED);
    session.settleIncoming(12, 12, Outcome.REJECTED);
    session.settleIncoming(14, 14, Outcome.REJECTED);
    session.settleIncoming(13, 13, Outcome.REJECTED);

    List<SentFrame> frames = fixture.frames();

    assertThat(frames.getFirst().hex())
        .isEqualTo(
            "0000001f"
                + "02000001"
                + "005315"
                + "c01206"
                + "41"
                + "7000000000"
                + "700000000b"
                + "41"
                + "00532445"
                + "42");
    assertThat(frames)
        .extracting(frame -> frame.number(1) + ".." + frame.number(2))
        .containsExactly("0..11", "12..12", "13..14");
  }

  @Test
  @Rule({"T-06", "T-63"})
  void everyOutcomeHasItsFields() {
    AmqpSession session = edge.lastSession();
    var transaction = TransactionId.of(new byte[] {1, 2, 3, 4});
    var error = new AmqpError("com.microsoft:server-busy", null, Map.of("n", 1));
    session.settleIncoming(0, 0, Outcome.RELEASED);
    session.settleIncoming(1, 1, Outcome.REJECTED);
    session.settleIncoming(2, 2, new Outcome.Rejected(error));
    session.settleIncoming(3, 3, new Outcome.Modified(true, null));
    session.settleIncoming(4, 4, new Outcome.Declared(transaction));
    session.settleIncoming(5, 5, new Outcome.Transactional(transaction, Outcome.ACCEPTED));

    List<SentFrame> frames = fixture.frames();

    assertThat(frames).hasSize(6).allMatch(frame -> frame.fields().size() == 6);
    assertThat(frames.get(0).hex()).contains("00532645");
    assertThat(frames.get(1).hex()).contains("005325c0020140");
    assertThat(fieldsOf(frames.get(2)))
        .containsExactly(
            described(
                Descriptor.ERROR,
                new Symbol("com.microsoft:server-busy"),
                null,
                Map.of(new Symbol("n"), 1)));
    assertThat(frames.get(3).hex()).contains("005327c00403414040");
    assertThat(frames.get(4).hex()).contains("005333" + "d00000000a00000001" + "a00401020304");
    assertThat(fieldsOf(frames.get(5)).getLast()).isEqualTo(accepted());
  }

  @Test
  void settlementsGoOutBeforeTheEndOfTheirSessionAndNotAfter() {
    AmqpSession session = edge.lastSession();
    session.settleIncoming(0, 0, Outcome.ACCEPTED);
    fixture.feed(ClientFrames.frame(1, Descriptor.END));
    session.settleIncoming(1, 1, Outcome.ACCEPTED);

    assertThat(fixture.frames()).extracting(SentFrame::code).containsExactly(0x15L, 0x17L);
  }

  @Test
  void dispositionsOfASenderAreOfNoInterest() {
    fixture.feed(ClientFrames.frame(1, Descriptor.DISPOSITION, false, uint(0), uint(5), true));

    assertThat(fixture.engine.isFinished()).isFalse();
    assertThat(edge.heard).isEmpty();
  }

  private static List<@Nullable Object> fieldsOf(SentFrame disposition) {
    return SentFrame.listIn(disposition.field(4));
  }
}
