package io.peeklock.amqp.engine;

import static io.peeklock.amqp.engine.ClientFrames.described;
import static io.peeklock.amqp.engine.ClientFrames.source;
import static io.peeklock.amqp.engine.ClientFrames.target;
import static io.peeklock.amqp.engine.ClientFrames.ubyte;
import static io.peeklock.amqp.engine.ClientFrames.uint;
import static io.peeklock.amqp.engine.SentFrame.listIn;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.engine.codec.Described;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.TypedArray;
import io.peeklock.amqp.engine.codec.Unsigned;
import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.engine.limits.EngineConfig;
import io.peeklock.amqp.engine.link.AmqpLink;
import io.peeklock.amqp.engine.link.AttachReply;
import io.peeklock.amqp.engine.link.SendingLink;
import io.peeklock.proof.Rule;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Begin, attach, detach and end: what is asked, what is echoed, what is tolerated. */
class LinkTest {
  private final EngineFixture fixture = EngineFixture.begun();
  private final RecordingEdge edge = fixture.edge;

  @Test
  @Rule("T-04")
  void beginIsAnsweredWithAllEightFields() {
    fixture.feed(ClientFrames.begin(7, 100));

    SentFrame begin = fixture.onlyFrame();

    assertThat(begin.channel()).isEqualTo(7);
    assertThat(begin.fields())
        .containsExactly(
            new Unsigned.Ushort(7),
            uint(0),
            uint(Integer.MAX_VALUE),
            uint(Integer.MAX_VALUE),
            uint(1999),
            null,
            null,
            Map.of());
  }

  @Test
  @Rule({"T-04", "T-19", "T-25"})
  void theAttachReplyToAReceiverEchoesWhatItAskedFor() {
    var asked =
        described(
            Descriptor.SOURCE,
            "amqps://localhost:5672/My Queue",
            null,
            null,
            null,
            null,
            null,
            null,
            Map.of(new Symbol("f"), new Described(new Unsigned.Ulong(0x137000000CL), "id")));
    fixture.feed(
        ClientFrames.frame(
            1, Descriptor.ATTACH, "link", uint(4), true, ubyte(0), ubyte(1), asked, target("t")));

    SentFrame attach = fixture.onlyFrame();

    assertThat(attach.fields()).hasSize(14);
    assertThat(attach.fields().subList(0, 5))
        .containsExactly("link", uint(0), false, ubyte(0), ubyte(1));
    assertThat(listIn(attach.field(5))).hasSize(11).startsWith("amqps://localhost:5672/My Queue");
    assertThat(listIn(attach.field(5)).get(7)).isEqualTo(listIn(asked).get(7));
    assertThat(listIn(attach.field(6))).hasSize(7).startsWith("t");
    assertThat(attach.fields().subList(7, 14))
        .containsExactly(null, null, uint(0), new Unsigned.Ulong(1024), null, null, Map.of());
    assertThat(Objects.requireNonNull(edge.lastSending().source()).filter())
        .isEqualTo(Map.of("f", new Described(new Unsigned.Ulong(0x137000000CL), "id")));
  }

  @Test
  @Rule({"T-17", "T-25"})
  void theAttachReplyToASenderSaysHowMuchFitsAndKeepsNullModesNull() {
    fixture.feed(ClientFrames.attachSender(1, 0, "s"));

    SentFrame attach = fixture.onlyFrame();

    assertThat(attach.fields().subList(0, 5)).containsExactly("s", uint(0), true, null, null);
    assertThat(attach.fields().get(9)).isNull();
    assertThat(attach.field(10)).isEqualTo(new Unsigned.Ulong(1024));
    assertThat(edge.lastReceiving().senderSettleMode()).isEqualTo(AmqpLink.MODE_NULL);
  }

  @Test
  @Rule("T-15")
  void missingAddressesAreFilledWithTheNameOfTheLink() {
    fixture.feed(
        ClientFrames.frame(
            1,
            Descriptor.ATTACH,
            "cbs-1",
            uint(0),
            true,
            null,
            null,
            source("$cbs"),
            described(Descriptor.TARGET)));

    SentFrame attach = fixture.onlyFrame();

    assertThat(listIn(attach.field(5))).startsWith("$cbs");
    assertThat(listIn(attach.field(6))).hasSize(7).startsWith("cbs-1");
  }

  @Test
  void theEdgeMayReplaceTheFilterAndAddProperties() {
    edge.attachAnswer =
        AttachReply.ofMaxMessageSize(-1)
            .withFilter(Map.of(new Symbol("session"), "chosen"))
            .withProperties(Map.of("locked-until", 5L));
    fixture.feed(ClientFrames.attachReceiver(1, 0, "r"));

    SentFrame attach = fixture.onlyFrame();

    assertThat(listIn(attach.field(5)).get(7)).isEqualTo(Map.of(new Symbol("session"), "chosen"));
    assertThat(attach.field(13)).isEqualTo(Map.of(new Symbol("locked-until"), 5L));
    assertThat(attach.field(10)).isEqualTo(new Unsigned.Ulong(-1));
  }

  @Test
  void aCoordinatorIsSeenAsSuchAndEchoed() {
    fixture.feed(
        ClientFrames.frame(
            1,
            Descriptor.ATTACH,
            "coordinator",
            uint(0),
            false,
            null,
            null,
            source("x"),
            described(
                Descriptor.COORDINATOR, TypedArray.ofSymbols(List.of("amqp:local-transactions"))),
            null,
            null,
            uint(0)));

    SentFrame attach = fixture.onlyFrame();

    assertThat(edge.lastReceiving().isCoordinator()).isTrue();
    assertThat(((Described) attach.field(6)).descriptor()).isEqualTo(new Unsigned.Ulong(0x30));
    assertThat(listIn(attach.field(6))).hasSize(1);
  }

  @Test
  @Rule({"T-06", "T-24"})
  void aRefusalIsAnAttachWithoutTerminiAndADetachInOneFlush() {
    edge.attachAnswer = null;
    fixture.feed(ClientFrames.attachReceiver(1, 0, "r"));
    assertThat(fixture.frames()).isEmpty();

    edge.lastSending().refuse(AmqpError.of("amqp:not-found", "gone"));

    List<SentFrame> frames = fixture.frames();
    assertThat(frames).extracting(SentFrame::code).containsExactly(0x12L, 0x16L);
    assertThat(frames.getFirst().fields().subList(5, 7)).containsExactly(null, null);
    assertThat(frames.getLast().fields().subList(0, 2)).containsExactly(uint(0), true);
    assertThat(listIn(frames.getLast().field(2)))
        .containsExactly(new Symbol("amqp:not-found"), "gone", null);
    fixture.feed(ClientFrames.detach(1, 0));
    assertThat(fixture.frames()).isEmpty();
    assertThat(edge.takeHeard()).containsExactly("attach sending r");
  }

  @Test
  void anAttachMayBeAnsweredMuchLaterAndCreditThatCameBeforeIsTold() {
    edge.attachAnswer = null;
    fixture.feed(ClientFrames.attachReceiver(1, 0, "r"), ClientFrames.credit(1, 0, 0, 5));
    assertThat(edge.takeHeard()).containsExactly("attach sending r");

    edge.lastSending().accept(AttachReply.ofMaxMessageSize(1));

    assertThat(edge.takeHeard()).containsExactly("credit r to 5");
    assertThat(edge.lastSending().canSend()).isTrue();
    assertThat(edge.lastSending().accept(AttachReply.ofMaxMessageSize(1))).isFalse();
  }

  @Test
  void aClientThatDetachesBeforeTheAnswerGetsBothAndTheEdgeHearsOfIt() {
    edge.attachAnswer = null;
    fixture.feed(ClientFrames.attachReceiver(1, 0, "r"), ClientFrames.detach(1, 0));

    assertThat(fixture.frames()).extracting(SentFrame::code).containsExactly(0x12L, 0x16L);
    assertThat(edge.takeHeard()).containsExactly("attach sending r", "detach r");
    assertThat(edge.lastSending().accept(AttachReply.ofMaxMessageSize(1))).isFalse();
    assertThat(fixture.frames()).isEmpty();
  }

  @Test
  @Rule({"T-04", "T-05", "T-06"})
  void detachEndAndCloseHaveTheirFieldsWithAndWithoutAnError() {
    fixture.feed(ClientFrames.attachReceiver(1, 0, "r"));
    fixture.forget();

    fixture.feed(ClientFrames.frame(1, Descriptor.DETACH, uint(0), false));
    fixture.feed(ClientFrames.frame(1, Descriptor.END));
    fixture.feed(ClientFrames.frame(0, Descriptor.CLOSE));

    assertThat(fixture.hexes())
        .containsExactly(
            "00000017" + "02000001" + "005316" + "d00000000700000003" + "43" + "41" + "40",
            "0000000f" + "02000001" + "005317" + "c0020140",
            "0000000f" + "02000000" + "005318" + "c0020140");

    var closing = EngineFixture.opened();
    closing.engine.close(AmqpError.of("amqp:connection:forced", null));
    assertThat(listIn(closing.onlyFrame().field(0)))
        .containsExactly(new Symbol("amqp:connection:forced"), null, null);
  }

  @Test
  @Rule("T-62")
  void framesAfterTheEndAndForUnknownHandlesAreIgnored() {
    fixture.feed(ClientFrames.attachReceiver(1, 0, "r"));
    fixture.feed(ClientFrames.detach(1, 9), ClientFrames.credit(1, 9, 0, 1));
    fixture.feed(ClientFrames.transfer(1, 9, 0, false, new byte[] {1}));
    fixture.feed(ClientFrames.frame(1, Descriptor.END));
    fixture.forget();

    fixture.feed(ClientFrames.detach(1, 0), ClientFrames.frame(1, Descriptor.END));
    fixture.feed(ClientFrames.transfer(1, 0, 0, false, new byte[] {1}));
    fixture.feed(ClientFrames.frame(0, Descriptor.CLOSE));

    assertThat(fixture.frames()).extracting(SentFrame::code).containsExactly(Descriptor.CLOSE);
    assertThat(edge.takeHeard()).containsExactly("close");
  }

  @Test
  @Rule("T-65")
  void channelsAndHandlesMayBeUsedAgainAtOnce() {
    for (int round = 0; round < 3; round++) {
      fixture.feed(ClientFrames.attachReceiver(1, 0, "a" + round));
      fixture.feed(ClientFrames.attachSender(1, 1, "b" + round));
      fixture.feed(ClientFrames.detach(1, 0), ClientFrames.detach(1, 1));
      fixture.feed(ClientFrames.frame(1, Descriptor.END), ClientFrames.begin(1, 100));
    }

    assertThat(fixture.engine.isFinished()).isFalse();
    assertThat(edge.heard).filteredOn(line -> line.startsWith("detach")).hasSize(6);
    assertThat(edge.heard).filteredOn(line -> line.startsWith("begin")).hasSize(3);
  }

  @Test
  void aHandleOfOursIsNotSharedByTwoLinksAfterWeDetachedOne() {
    fixture.feed(ClientFrames.attachReceiver(1, 0, "a"));
    SendingLink first = edge.lastSending();
    first.detach(AmqpError.of("amqp:link:detach-forced", null));
    fixture.feed(ClientFrames.attachReceiver(1, 1, "b"));
    fixture.feed(ClientFrames.detach(1, 0));

    fixture.feed(ClientFrames.attachReceiver(1, 2, "c"));

    assertThat(first.localHandle()).isZero();
    assertThat(edge.sending).extracting(SendingLink::localHandle).containsExactly(0, 0, 1);
  }

  @Test
  void aHandleThatIsInUseEndsTheSession() {
    fixture.feed(ClientFrames.attachReceiver(1, 0, "a"));
    fixture.forget();

    fixture.feed(ClientFrames.attachReceiver(1, 0, "b"));

    SentFrame end = fixture.onlyFrame();
    assertThat(listIn(end.field(0))).startsWith(new Symbol("amqp:session:handle-in-use"));
    assertThat(edge.takeHeard()).containsExactly("detach a", "end 1 amqp:session:handle-in-use");
  }

  @Test
  void theSameNameMayBeAttachedTwice() {
    fixture.feed(ClientFrames.attachSender(1, 0, "qq"), ClientFrames.attachReceiver(1, 1, "qq"));
    fixture.feed(ClientFrames.attachSender(1, 2, "qq"));

    assertThat(edge.takeHeard())
        .containsExactly("attach receiving qq", "attach sending qq", "attach receiving qq");
  }

  @Test
  void oneLinkMoreThanAllowedIsRefusedAndOneSessionMoreIsEnded() {
    var tight =
        EngineFixture.opened(
            EngineFixture.CONFIG.withLimits(new EngineConfig.Limits(65536, 255, 1, 2)),
            0,
            ClientFrames.open());
    tight.begin(0, 100);
    tight.feed(ClientFrames.attachReceiver(0, 0, "a"), ClientFrames.attachReceiver(0, 1, "b"));
    tight.forget();

    tight.feed(ClientFrames.attachReceiver(0, 2, "c"), ClientFrames.begin(1, 100));

    List<SentFrame> frames = tight.frames();
    assertThat(frames).extracting(SentFrame::code).containsExactly(0x12L, 0x16L, 0x11L, 0x17L);
    assertThat(listIn(frames.get(1).field(2)).getFirst())
        .isEqualTo(listIn(frames.get(3).field(0)).getFirst())
        .isEqualTo(new Symbol("amqp:resource-limit-exceeded"));
    assertThat(tight.edge.heard).isEmpty();
    tight.feed(ClientFrames.attachReceiver(0, 4, "d"));
    assertThat(tight.edge.heard).endsWith("fatal amqp:connection:framing-error");
  }

  @Test
  void aChannelAboveTheMaximumOrWithoutSessionIsAnError() {
    fixture.feed(ClientFrames.detach(2, 0));
    var above = EngineFixture.opened();
    above.feed(ClientFrames.begin(5000, 1));

    assertThat(edge.heard).containsExactly("end 1", "fatal amqp:not-allowed");
    assertThat(above.edge.heard).containsExactly("fatal amqp:connection:framing-error");
  }
}
