package io.peeklock.amqp.engine;

import static io.peeklock.amqp.engine.ClientFrames.accepted;
import static io.peeklock.amqp.engine.ClientFrames.described;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.link.SendingLink;
import io.peeklock.amqp.engine.messaging.Outcome;
import io.peeklock.proof.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client settles: single ids, ranges, repeats, unknown ids. */
class DispositionTest {
  @Test
  @Rule("T-69")
  void aRangeWhoseEndIsSettledHitsExactlyTheOthersInsideOfIt() {
    var fixture = delivered(10, 0);
    settleByClient(fixture, 7);

    fixture.feed(ClientFrames.disposition(1, 5, 7, true, accepted()));

    assertThat(hits(fixture)).containsExactly(5, 6);
    assertThat(fixture.edge.lastSession().unsettledCount()).isEqualTo(7);
  }

  @Test
  @Rule("T-69")
  void aRangeWhoseStartIsSettledHitsExactlyTheOthersInsideOfIt() {
    var fixture = delivered(10, 0);
    settleByClient(fixture, 5);

    fixture.feed(ClientFrames.disposition(1, 5, 7, true, accepted()));

    assertThat(hits(fixture)).containsExactly(6, 7);
  }

  @Test
  @Rule("T-69")
  void theStoryThatCompletedMessagesNobodyCompletedEndsWell() {
    var fixture = delivered(6, 0);
    settleByClient(fixture, 2);

    fixture.feed(ClientFrames.disposition(1, 0, 2, true, accepted()));

    assertThat(hits(fixture)).containsExactly(0, 1);
    assertThat(fixture.edge.lastSession().unsettledCount()).isEqualTo(3);
  }

  @Test
  @Rule("T-69")
  void aRangeIsClippedToWhatWasSent() {
    var fixture = delivered(3, 0);

    fixture.feed(ClientFrames.disposition(1, 2, 2_000_000_000, true, accepted()));
    fixture.feed(ClientFrames.disposition(1, 3, 9, true, accepted()));
    fixture.feed(ClientFrames.disposition(1, 1, 0, true, accepted()));
    fixture.feed(ClientFrames.disposition(1, 0, -1, true, accepted()));

    assertThat(hits(fixture)).containsExactly(2);
    assertThat(fixture.edge.lastSession().unsettledCount()).isEqualTo(2);
  }

  @Test
  void aVeryWideRangeIsWalkedInOrderEvenAcrossTheWrap() {
    var fixture = delivered(100, -50);

    fixture.feed(ClientFrames.disposition(1, -1_000_000, 1_000_000, true, accepted()));

    assertThat(hits(fixture)).containsExactlyElementsOf(IntStream.range(-50, 50).boxed().toList());
  }

  @Test
  @Rule("T-69")
  void aRangeThatIsSaidAgainHitsOnlyWhatWasNotToldBefore() {
    var fixture = delivered(1_000, 0);

    fixture.feed(ClientFrames.disposition(1, 0, 899, false, accepted()));
    assertThat(hits(fixture)).hasSize(900);
    fixture.feed(ClientFrames.disposition(1, 0, 2_000_000_000, false, accepted()));
    assertThat(hits(fixture))
        .containsExactlyElementsOf(IntStream.range(900, 1_000).boxed().toList());
    fixture.feed(ClientFrames.disposition(1, 0, 2_000_000_000, false, accepted()));
    assertThat(hits(fixture)).isEmpty();
    fixture.feed(ClientFrames.disposition(1, 0, 2_000_000_000, true, accepted()));

    assertThat(fixture.edge.lastSession().unsettledCount()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Rule("T-70")
  void oneFrameThatCovers2048DeliveriesHitsAllAndIsAnsweredWithOneRange(boolean atOnce) {
    var fixture = delivered(2050, 0);
    var wanted = new ArrayList<Integer>();
    fixture.edge.onDisposition =
        (link, id, state, settled) -> {
          if (atOnce) {
            assertThat(link.settle(id, state.echo())).isTrue();
          } else {
            wanted.add(id);
          }
        };

    fixture.feed(ClientFrames.disposition(1, 1, 2048, false, accepted()));
    wanted.forEach(id -> fixture.edge.lastSending().settle(id, Outcome.ACCEPTED));

    assertThat(hits(fixture)).hasSize(2048);
    assertThat(fixture.hexes())
        .containsExactly(
            "0000001f"
                + "02000001"
                + "005315"
                + "c01206"
                + "42"
                + "7000000001"
                + "7000000800"
                + "41"
                + "00532445"
                + "42");
    assertThat(fixture.edge.lastSession().unsettledCount()).isEqualTo(2);
  }

  @Test
  @Rule("T-43")
  void everyAnswerSaysSettled() {
    var fixture = delivered(2, 0);
    fixture.edge.onDisposition = (link, id, state, settled) -> link.settle(id, state.echo());

    fixture.feed(ClientFrames.disposition(1, 0, null, false, accepted()));
    fixture.feed(
        ClientFrames.disposition(1, 1, null, false, described(Descriptor.MODIFIED, true, true)));

    assertThat(fixture.frames())
        .hasSize(2)
        .allMatch(frame -> frame.field(0).equals(false) && frame.field(3).equals(true));
  }

  @Test
  @Rule("T-40")
  void aBareRejectedIsReportedAndAnsweredBare() {
    var fixture = delivered(2, 0);
    var seen = new ArrayList<Boolean>();
    fixture.edge.onDisposition =
        (link, id, state, settled) -> {
          seen.add(state.hasError());
          link.settle(id, state.echo());
        };

    fixture.feed(
        ClientFrames.disposition(1, 0, null, false, described(Descriptor.REJECTED, (Object) null)));
    fixture.feed(ClientFrames.disposition(1, 1, null, false, described(Descriptor.REJECTED)));

    assertThat(seen).containsExactly(false, false);
    assertThat(fixture.onlyFrame().hex()).contains("7000000000" + "7000000001");
  }

  @Test
  @Rule({"T-41", "T-42"})
  void aSettledDispositionIsToldOnceAndNeverAnswered() {
    var fixture = delivered(3, 0);
    fixture.edge.onDisposition = (link, id, state, settled) -> link.settle(id, state.echo());

    fixture.feed(ClientFrames.disposition(1, 1, null, true, described(Descriptor.RELEASED)));
    fixture.feed(ClientFrames.disposition(1, 1, null, true, described(Descriptor.RELEASED)));
    fixture.feed(ClientFrames.disposition(1, 2, null, true, null));

    assertThat(fixture.edge.takeHeard())
        .containsExactly(
            "disposition 1 context 1001 RELEASED settled",
            "disposition 2 context 1002 NONE settled");
    assertThat(fixture.frames()).isEmpty();
  }

  @Test
  void aDispositionIsToldOnceHoweverOftenItIsRepeatedUntilItIsAnswered() {
    var fixture = delivered(1, 0);

    fixture.feed(ClientFrames.disposition(1, 0, null, false, accepted()));
    fixture.feed(ClientFrames.disposition(1, 0, null, false, accepted()));
    fixture.feed(ClientFrames.disposition(1, 0, null, true, accepted()));

    assertThat(hits(fixture)).containsExactly(0);
    assertThat(fixture.edge.lastSending().settle(0, Outcome.ACCEPTED)).isFalse();
  }

  @Test
  void noStateOrReceivedWithoutSettledChangesNothing() {
    var fixture = delivered(1, 0);

    fixture.feed(ClientFrames.disposition(1, 0, null, false, null));
    fixture.feed(
        ClientFrames.disposition(
            1, 0, null, false, described(Descriptor.RECEIVED, ClientFrames.uint(0), null)));

    assertThat(fixture.edge.takeHeard()).isEmpty();
    assertThat(fixture.edge.lastSession().unsettledCount()).isEqualTo(1);
  }

  @Test
  @Rule("T-44")
  void dispositionsForDeliveriesThatWentOutSettledAreIgnored() {
    var fixture = EngineFixture.receiving(5);
    fixture.deliver(fixture.edge.lastSending(), 1, true, new byte[1]);
    fixture.frames();

    fixture.feed(ClientFrames.disposition(1, 0, null, true, accepted()));
    fixture.feed(ClientFrames.disposition(1, 0, null, false, accepted()));

    assertThat(fixture.edge.takeHeard()).isEmpty();
    assertThat(fixture.frames()).isEmpty();
  }

  @Test
  void afterTheDetachNothingIsToldAndNothingCanBeAnswered() {
    var fixture = delivered(3, 0);
    SendingLink link = fixture.edge.lastSending();
    fixture.feed(ClientFrames.disposition(1, 0, null, false, accepted()));
    fixture.feed(ClientFrames.detach(1, 0));
    fixture.forget();

    fixture.feed(ClientFrames.disposition(1, 0, 2, false, accepted()));

    assertThat(fixture.edge.takeHeard()).isEmpty();
    assertThat(link.settle(0, Outcome.ACCEPTED)).isFalse();
    assertThat(fixture.edge.lastSession().unsettledCount()).isZero();
    assertThat(fixture.frames()).isEmpty();
  }

  @Test
  void propertiesToModifyAreThereDecodedAndRawWithKeysOfEitherKind() {
    var fixture = delivered(2, 0);
    var seen = new ArrayList<Object>();
    fixture.edge.onDisposition =
        (link, id, state, settled) -> {
          seen.add(state.undeliverableHere());
          seen.add(state.messageAnnotations());
          seen.add(state.errorInfo());
          seen.add(state.mapLength() > 0);
          seen.add(Objects.requireNonNullElse(state.errorCondition(), "none"));
        };
    var error =
        described(
            Descriptor.ERROR,
            new Symbol("com.microsoft:dead-letter"),
            null,
            Map.of("DeadLetterReason", "bad"));

    fixture.feed(
        ClientFrames.disposition(
            1,
            0,
            null,
            false,
            described(Descriptor.MODIFIED, null, true, Map.of(new Symbol("k"), 1))));
    fixture.feed(
        ClientFrames.disposition(1, 1, null, false, described(Descriptor.REJECTED, error)));

    assertThat(seen)
        .containsExactly(
            true,
            Map.of("k", 1),
            Map.of(),
            true,
            "none",
            false,
            Map.of(),
            Map.of("DeadLetterReason", "bad"),
            true,
            "com.microsoft:dead-letter");
  }

  @Test
  @Rule({"I-46", "T-69"})
  void itIsKnownBeforeForHowManyDeliveriesAMapIsToBe() {
    var fixture = delivered(10, 0);
    settleByClient(fixture, 7);
    fixture.feed(ClientFrames.disposition(1, 2, null, false, accepted()));
    var seen = new ArrayList<Object>();
    fixture.edge.onDisposition =
        (link, id, state, settled) -> {
          seen.add(state.deliveries());
          seen.add(Objects.requireNonNullElse(state.attachment(), "first"));
          state.attach("again");
        };
    var changing = described(Descriptor.MODIFIED, null, null, Map.of(new Symbol("k"), 1));

    fixture.feed(ClientFrames.disposition(1, 6, 8, false, changing));
    fixture.feed(ClientFrames.disposition(1, 0, 1_000_000, false, changing));
    fixture.feed(ClientFrames.disposition(1, 6, 6, true, changing));

    assertThat(seen.subList(0, 4)).containsExactly(2, "first", 2, "again");
    assertThat(seen.subList(4, 16))
        .containsExactly(6, "first", 6, "again", 6, "again", 6, "again", 6, "again", 6, "again");
    assertThat(seen.subList(16, seen.size())).isEmpty();
  }

  @Test
  @Rule("T-63")
  void workInATransactionIsAnsweredInsideOfIt() {
    var fixture = delivered(3, 0);
    fixture.edge.onDisposition = (link, id, state, settled) -> link.settle(id, state.echo());
    var state =
        described(Descriptor.TRANSACTIONAL_STATE, new byte[] {9}, described(Descriptor.REJECTED));

    fixture.feed(ClientFrames.disposition(1, 0, 2, false, state));

    SentFrame answer = fixture.onlyFrame();
    assertThat(answer.number(1)).isZero();
    assertThat(answer.number(2)).isEqualTo(2);
    List<?> inner = SentFrame.listIn(answer.field(4));
    assertThat(inner.getFirst()).isEqualTo(new byte[] {9});
    assertThat(SentFrame.listIn(Objects.requireNonNull(inner.getLast())))
        .hasSize(1)
        .containsOnlyNulls();
  }

  @Test
  void answersOfALinkGoOutBeforeItsDetach() {
    var fixture = delivered(1, 0);
    fixture.edge.lastSending().settle(0, Outcome.RELEASED);
    fixture.edge.lastSending().detach(null);

    assertThat(fixture.frames()).extracting(SentFrame::code).containsExactly(0x15L, 0x16L);
  }

  private static EngineFixture delivered(int count, int firstId) {
    var fixture = EngineFixture.opened(EngineFixture.CONFIG, firstId, ClientFrames.open());
    fixture.begin(1, 100_000);
    fixture.feed(ClientFrames.attachReceiver(1, 0, "r"));
    fixture.feed(ClientFrames.flow(1, firstId, 100_000, 0, 0, count, false, false));
    for (int i = 0; i < count; i++) {
      fixture.deliver(1000 + i);
    }
    return fixture.forget();
  }

  private static void settleByClient(EngineFixture fixture, int id) {
    fixture.feed(ClientFrames.disposition(1, id, null, true, accepted()));
    fixture.forget();
  }

  private static List<Integer> hits(EngineFixture fixture) {
    return fixture.edge.takeHeard().stream()
        .map(line -> Integer.parseUnsignedInt(line.split(" ", -1)[1]))
        .toList();
  }
}
