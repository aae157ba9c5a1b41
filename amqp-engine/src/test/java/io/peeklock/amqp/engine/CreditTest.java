package io.peeklock.amqp.engine;

import static io.peeklock.amqp.engine.ClientFrames.uint;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.link.ReceivingLink;
import io.peeklock.amqp.engine.link.SendingLink;
import io.peeklock.proof.Rule;
import org.junit.jupiter.api.Test;

/** Link credit is absolute; drain and echo are always answered. */
class CreditTest {
  @Test
  @Rule("T-26")
  void nothingIsSentBeforeCreditOrBeyondIt() {
    var fixture = EngineFixture.receiving(0);
    SendingLink link = fixture.edge.lastSending();
    assertThat(link.canSend()).isFalse();
    assertThatThrownBy(() -> fixture.deliver(1)).isInstanceOf(IllegalStateException.class);

    fixture.feed(ClientFrames.credit(1, 0, 0, 1));
    fixture.deliver(1);

    assertThat(link.canSend()).isFalse();
    assertThat(link.credit()).isZero();
  }

  @Test
  @Rule("T-27")
  void aRestatedFlowChangesNothing() {
    var fixture = EngineFixture.receiving(2);
    fixture.deliver(1);

    fixture.feed(ClientFrames.credit(1, 0, 0, 2), ClientFrames.credit(1, 0, 0, 2));

    assertThat(fixture.edge.takeHeard()).isEmpty();
    assertThat(fixture.edge.lastSending().credit()).isEqualTo(1);
  }

  @Test
  @Rule({"T-26", "T-27"})
  void creditMayBeLoweredBelowWhatWasSent() {
    var fixture = EngineFixture.receiving(10);
    SendingLink link = fixture.edge.lastSending();
    fixture.deliver(1);
    fixture.deliver(2);

    fixture.feed(ClientFrames.credit(1, 0, 0, 0));

    assertThat(fixture.edge.takeHeard()).containsExactly("credit r to 0");
    assertThat(link.credit()).isZero();
    assertThat(link.canSend()).isFalse();
    fixture.feed(ClientFrames.credit(1, 0, 2, 3));
    assertThat(link.credit()).isEqualTo(3);
    assertThat(link.deliveryLimit()).isEqualTo(5);
  }

  @Test
  void theLargestCreditIsNotNegative() {
    var fixture = EngineFixture.receiving(0);

    fixture.feed(ClientFrames.credit(1, 0, 0, 0xffff_ffffL));

    assertThat(fixture.edge.lastSending().credit()).isEqualTo(Integer.MAX_VALUE);
    assertThat(fixture.edge.lastSending().deliveryLimit()).isEqualTo(0xffff_ffffL);
  }

  @Test
  @Rule("T-28")
  void drainGivesBackTheCreditThatIsLeft() {
    var fixture = EngineFixture.receiving(5);
    fixture.edge.onCredit = CreditTest::answerDrain;
    fixture.deliver(1);
    fixture.frames();

    fixture.feed(ClientFrames.flow(1, 1, 5000, 0, 0, 5, true, true));

    SentFrame flow = fixture.onlyFrame();
    assertThat(flow.hex())
        .isEqualTo(
            "00000031"
                + "02000001"
                + "005313"
                + "c0240b"
                + "7000000000"
                + "707fffffff"
                + "7000000001"
                + "707fffffff"
                + "43"
                + "7000000005"
                + "7000000000"
                + "40"
                + "41"
                + "42"
                + "40");
    assertThat(fixture.edge.lastSending().credit()).isZero();
    fixture.feed(ClientFrames.credit(1, 0, 5, 1));
    assertThat(fixture.edge.lastSending().credit()).isEqualTo(1);
  }

  @Test
  @Rule("T-28")
  void drainIsAnsweredAlsoWithoutCredit() {
    var fixture = EngineFixture.receiving(0);
    fixture.edge.onCredit = SendingLink::drained;

    fixture.feed(ClientFrames.flow(1, 0, 5000, 0, 0, 0, true, false));
    fixture.feed(ClientFrames.flow(1, 0, 5000, 0, 0, 0, true, false));

    assertThat(fixture.frames()).hasSize(2).allMatch(flow -> (boolean) flow.field(8));
  }

  @Test
  @Rule("T-28")
  void aMessageThatArrivesWhileDrainingGoesBeforeTheAnswer() {
    var fixture = EngineFixture.receiving(0);
    fixture.feed(ClientFrames.flow(1, 0, 5000, 0, 0, 2, true, false));
    assertThat(fixture.edge.takeHeard()).containsExactly("credit r to 2 drain");
    assertThat(fixture.edge.lastSending().isDraining()).isTrue();

    fixture.deliver(1);
    fixture.edge.lastSending().drained();

    assertThat(fixture.frames()).extracting(SentFrame::code).containsExactly(0x14L, 0x13L);
    assertThat(fixture.edge.lastSending().isDraining()).isFalse();
  }

  @Test
  @Rule("T-29")
  void echoIsAnsweredOnTheLinkAndOnTheSessionWithAllFields() {
    var fixture = EngineFixture.receiving(5);

    fixture.feed(ClientFrames.flow(1, 0, 5000, 0, 0, 5, false, true));
    fixture.feed(ClientFrames.sessionFlow(1, 0, 5000, true));

    var frames = fixture.frames();
    assertThat(frames).hasSize(2).allMatch(flow -> flow.fields().size() == 11);
    assertThat(frames.getFirst().fields().subList(4, 7)).containsExactly(uint(0), uint(0), uint(5));
    assertThat(frames.getLast().fields().subList(4, 8)).containsOnlyNulls();
    assertThat(frames).allMatch(flow -> flow.number(1) == Integer.MAX_VALUE);
  }

  @Test
  @Rule("T-27")
  void aFlowFromASenderIsTakenWithoutItsCredit() {
    var fixture = EngineFixture.sending();
    fixture.edge.lastReceiving().grantCredit(10);
    fixture.frames();

    fixture.feed(ClientFrames.flow(1, 0, 5000, 0, 0, 10_000, false, false));
    assertThat(fixture.frames()).isEmpty();
    fixture.feed(ClientFrames.flow(1, 0, 5000, 0, 0, 10_000, false, true));

    assertThat(fixture.onlyFrame().number(6)).isEqualTo(10);
    assertThat(fixture.edge.lastReceiving().credit()).isEqualTo(10);
  }

  @Test
  void creditForSendersIsSetNotAddedAndToppedUpAtHalf() {
    var fixture = EngineFixture.sending();
    ReceivingLink link = fixture.edge.lastReceiving();
    link.autoCredit(4);
    assertThat(fixture.onlyFrame().fields().subList(4, 7))
        .containsExactly(uint(0), uint(0), uint(4));

    fixture.feed(ClientFrames.transfer(1, 0, 0, false, new byte[1]));
    assertThat(fixture.frames()).isEmpty();
    assertThat(link.credit()).isEqualTo(3);
    fixture.feed(ClientFrames.transfer(1, 0, 1, false, new byte[1]));

    assertThat(fixture.onlyFrame().fields().subList(0, 7))
        .containsExactly(
            uint(2),
            uint(Integer.MAX_VALUE),
            uint(0),
            uint(Integer.MAX_VALUE),
            uint(0),
            uint(2),
            uint(4));
    assertThat(link.credit()).isEqualTo(4);
  }

  @Test
  @Rule("T-27")
  void aSenderThatOverrunsItsCreditIsTolerated() {
    var fixture = EngineFixture.sending();

    for (int i = 0; i < 5; i++) {
      fixture.feed(ClientFrames.transfer(1, 0, i, false, new byte[1]));
    }

    assertThat(fixture.edge.takeHeard()).hasSize(5);
    assertThat(fixture.edge.lastReceiving().credit()).isZero();
    assertThat(fixture.engine.isFinished()).isFalse();
  }

  @Test
  void aFlowWithoutWindowIsInvalid() {
    var fixture = EngineFixture.receiving(5);

    fixture.feed(ClientFrames.frame(1, Descriptor.FLOW, uint(0)));

    assertThat(fixture.edge.heard).endsWith("fatal amqp:invalid-field");
  }

  private static void answerDrain(SendingLink link) {
    if (link.isDraining()) {
      link.drained();
    }
  }
}
