package io.peeklock.amqp.engine;

import static io.peeklock.amqp.engine.ClientFrames.AMQP_HEADER;
import static io.peeklock.amqp.engine.ClientFrames.SASL_HEADER;
import static io.peeklock.amqp.engine.ClientFrames.hex;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.sasl.SaslCode;
import io.peeklock.proof.Rule;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Protocol headers, SASL, and open. */
class HandshakeTest {
  private final EngineFixture fixture = new EngineFixture();

  @Test
  @Rule({"T-01", "T-03"})
  void theMechanismsAreAnArrayInTheGivenOrderAlsoWhenThereIsOnlyOne() {
    var single =
        new EngineFixture(EngineFixture.CONFIG.withSaslMechanisms(List.of("ANONYMOUS")), 0);

    fixture.feed(hex(SASL_HEADER));
    single.feed(hex(SASL_HEADER));

    assertThat(fixture.hexes().getLast())
        .contains("f0")
        .contains(ascii("MSSBCBS") + "05" + ascii("PLAIN") + "09" + ascii("ANONYMOUS"));
    assertThat(single.hexes())
        .containsExactly(
            SASL_HEADER,
            "00000028"
                + "02010000"
                + "005340"
                + "d00000001800000001"
                + "f00000000f00000001a3"
                + "09"
                + ascii("ANONYMOUS"));
  }

  @Test
  @Rule("T-02")
  void ourAmqpHeaderIsWrittenOnlyAfterTheirsWasRead() {
    fixture.feed(hex(SASL_HEADER), ClientFrames.saslInit("ANONYMOUS"));

    assertThat(fixture.frames())
        .extracting(SentFrame::code)
        .containsExactly(SentFrame.HEADER, Descriptor.SASL_MECHANISMS, Descriptor.SASL_OUTCOME);

    fixture.feed(hex(AMQP_HEADER));

    assertThat(fixture.hexes()).containsExactly(AMQP_HEADER);

    fixture.feed(ClientFrames.open());

    assertThat(fixture.onlyFrame().code()).isEqualTo(Descriptor.OPEN);
  }

  @Test
  @Rule("T-04")
  void ourOpenHasAllTenFieldsAndAnEmptyMapOfProperties() {
    fixture.feed(hex(SASL_HEADER), ClientFrames.saslInit("PLAIN"), hex(AMQP_HEADER));
    fixture.forget();

    fixture.feed(ClientFrames.open());

    assertThat(fixture.hexes())
        .containsExactly(
            "00000033"
                + "02000000"
                + "005310"
                + "d0000000230000000a"
                + "a108"
                + ascii("peeklock")
                + "40"
                + "7000010000"
                + "601387"
                + "700003a980"
                + "40404040"
                + "c10100");
    assertThat(fixture.edge.heard).containsExactly("open client");
  }

  @Test
  void everyByteMayArriveAlone() {
    var all = Unpooled.buffer();
    all.writeBytes(hex(SASL_HEADER)).writeBytes(ClientFrames.saslInit("MSSBCBS"));
    all.writeBytes(hex(AMQP_HEADER)).writeBytes(ClientFrames.open());
    all.writeBytes(ClientFrames.begin(0, 100));

    while (all.isReadable()) {
      fixture.feed(new byte[] {all.readByte()});
    }

    assertThat(fixture.edge.heard).containsExactly("sasl MSSBCBS 2 host", "open client", "begin 0");
  }

  @ParameterizedTest(name = "{0} bytes first")
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7})
  @Rule("T-01")
  void aHeaderThatComesInTwoPiecesIsAnsweredWithoutWaitingForMore(int first) {
    var header = hex(SASL_HEADER);

    fixture.feed(Arrays.copyOf(header, first));
    fixture.feed(Arrays.copyOfRange(header, first, header.length));

    assertThat(fixture.frames())
        .extracting(SentFrame::code)
        .containsExactly(SentFrame.HEADER, Descriptor.SASL_MECHANISMS);
  }

  @Test
  void inputThatIsAheadWaitsForTheOutcome() {
    fixture.edge.saslAnswer = null;
    fixture.feed(hex(SASL_HEADER), ClientFrames.saslInit("PLAIN"));
    fixture.feed(hex(AMQP_HEADER), ClientFrames.open(), ClientFrames.begin(3, 100));
    assertThat(fixture.edge.heard).containsExactly("sasl PLAIN 2 host");

    fixture.engine.saslOutcome(SaslCode.OK);

    assertThat(fixture.edge.heard).containsExactly("sasl PLAIN 2 host", "open client", "begin 3");
  }

  @Test
  void inputThatWaitsForTheOutcomeIsBounded() {
    fixture.edge.saslAnswer = null;
    fixture.feed(hex(SASL_HEADER), ClientFrames.saslInit("PLAIN"));

    fixture.feed(new byte[60_000], new byte[6_000]);

    assertThat(fixture.engine.isFinished()).isTrue();
    assertThat(fixture.edge.heard).endsWith("fatal amqp:connection:framing-error");
  }

  @Test
  void badCredentialsEndTheConnectionAfterTheOutcome() {
    fixture.edge.saslAnswer = SaslCode.AUTH;
    fixture.feed(hex(SASL_HEADER), ClientFrames.saslInit("PLAIN"));

    SentFrame outcome = fixture.frames().getLast();

    assertThat(outcome.number(0)).isEqualTo(1);
    assertThat(fixture.engine.isFinished()).isTrue();
  }

  @Test
  void aMechanismThatWasNotOfferedIsAnsweredWithAuth() {
    fixture.feed(hex(SASL_HEADER), ClientFrames.saslInit("SCRAM"));

    assertThat(fixture.frames().getLast().number(0)).isEqualTo(1);
    assertThat(fixture.edge.heard).containsExactly("fatal amqp:unauthorized-access");
  }

  @Test
  void withoutSaslTheConnectionIsRefusedUnlessItMayBeLeftOut() {
    var relaxed = new EngineFixture(EngineFixture.CONFIG.withSaslRequired(false), 0);

    fixture.feed(hex(AMQP_HEADER));
    relaxed.feed(hex(AMQP_HEADER), ClientFrames.open());

    assertThat(fixture.hexes()).containsExactly(SASL_HEADER);
    assertThat(fixture.engine.isFinished()).isTrue();
    assertThat(relaxed.edge.heard).containsExactly("open client");
  }

  @Test
  void otherHeadersAreAnsweredWithOursAndTheEnd() {
    for (String header : List.of("414d515002010000", "474554202f204854", "414d515003010001")) {
      var other = new EngineFixture();

      other.feed(hex(header));

      assertThat(other.hexes()).containsExactly(SASL_HEADER);
      assertThat(other.engine.isFinished()).isTrue();
    }
  }

  @Test
  void untilTheOutcomeAFrameMayHave512Bytes() {
    fixture.feed(hex(SASL_HEADER), hex("00000201"));

    assertThat(fixture.edge.heard).containsExactly("fatal amqp:connection:framing-error");
  }

  @Test
  void theSmallerFrameSizeOfBothIsUsedForSending() {
    var small =
        EngineFixture.opened(
            EngineFixture.CONFIG,
            0,
            ClientFrames.frame(0, Descriptor.OPEN, "c", null, ClientFrames.uint(4096)));
    var none =
        EngineFixture.opened(EngineFixture.CONFIG, 0, ClientFrames.frame(0, Descriptor.OPEN, "c"));

    assertThat(small.engine.sendFrameSize()).isEqualTo(4096);
    assertThat(none.engine.sendFrameSize()).isEqualTo(65536);
  }

  @Test
  void aSecondOpenIsIllegal() {
    var open = EngineFixture.opened();

    open.feed(ClientFrames.open());

    assertThat(open.edge.heard).containsExactly("fatal amqp:illegal-state");
    assertThat(open.onlyFrame().code()).isEqualTo(Descriptor.CLOSE);
  }

  @Test
  void anOpenWithoutContainerIdIsAnsweredWithOpenAndClose() {
    fixture.feed(hex(SASL_HEADER), ClientFrames.saslInit("PLAIN"), hex(AMQP_HEADER));
    fixture.forget();

    fixture.feed(ClientFrames.frame(0, Descriptor.OPEN, (Object) null));

    assertThat(fixture.frames())
        .extracting(SentFrame::code)
        .containsExactly(Descriptor.OPEN, Descriptor.CLOSE);
    assertThat(fixture.edge.heard).containsExactly("fatal amqp:invalid-field");
  }

  private static String ascii(String text) {
    return io.netty.buffer.ByteBufUtil.hexDump(
        text.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
  }
}
