package io.peeklock.amqp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.limits.Allowance;
import io.peeklock.amqp.engine.limits.Budget;
import io.peeklock.proof.Rule;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What a connection may have is weighed before it is decoded, and given back when it goes. */
class AllowanceTest {
  private static final String TOO_MUCH = "fatal amqp:resource-limit-exceeded";

  private final EngineFixture fixture = EngineFixture.begun();
  private final Budget budget = new Budget(1_000_000);
  private final Budget input = new Budget(20_000);

  private void allow(int sessions, int links, long bytes) {
    assertThat(fixture.engine.allow(new Allowance(sessions, links, bytes, budget, input))).isTrue();
  }

  private static Allowance allowance(Budget links, Budget input) {
    return new Allowance(1, 9, 1_000_000, links, input);
  }

  /** So many bytes of a frame that has more. */
  private static byte[] half(int bytes) {
    return Arrays.copyOf(new byte[] {0, 0, (byte) 0xf0, 0, 2}, bytes);
  }

  @Test
  @Rule("S-465")
  void asManyLinksAsAllowedAreTakenOverAllSessionsAndOneMoreClosesTheConnection() {
    allow(2, 2, 1_000_000);
    fixture.feed(ClientFrames.begin(2, 100));
    fixture.feed(ClientFrames.attachReceiver(1, 0, "a"), ClientFrames.attachSender(2, 0, "b"));
    assertThat(fixture.edge.takeHeard()).doesNotContain(TOO_MUCH);

    fixture.feed(ClientFrames.attachSender(2, 1, "c"));

    assertThat(fixture.edge.heard).contains(TOO_MUCH);
    assertThat(budget.taken()).isZero();
  }

  @Test
  void aRefusedLinkCountsUntilTheClientLetsGoOfItsHandle() {
    allow(1, 1, 1_000_000);
    long ofTheSession = budget.taken();
    fixture.edge.attachAnswer = null;
    fixture.feed(ClientFrames.attachReceiver(1, 0, "a"));
    assertThat(budget.taken()).isGreaterThan(ofTheSession);

    fixture.feed(ClientFrames.detach(1, 0));

    assertThat(budget.taken()).isEqualTo(ofTheSession);
    fixture.feed(ClientFrames.attachReceiver(1, 0, "b"));
    assertThat(fixture.edge.heard).doesNotContain(TOO_MUCH);
  }

  @Test
  void aLinkAsHeavyAsAllowedIsTakenAndAHeavierOneClosesTheConnection() {
    allow(1, 9, 1_000_000);
    fixture.feed(ClientFrames.attachReceiver(1, 0, "x".repeat(200)));
    long one = budget.taken();
    fixture.feed(ClientFrames.detach(1, 0));
    allow(1, 9, one);

    fixture.feed(ClientFrames.attachReceiver(1, 0, "x".repeat(200)));
    assertThat(fixture.edge.takeHeard()).doesNotContain(TOO_MUCH);
    fixture.feed(ClientFrames.detach(1, 0), ClientFrames.attachReceiver(1, 0, "x".repeat(201)));

    assertThat(fixture.edge.heard).contains(TOO_MUCH);
  }

  @Test
  void theSessionsAndLinksOfAllConnectionsShareOneBudget() {
    var other = EngineFixture.begun();
    allow(1, 9, 1_000_000);
    long ofASession = budget.taken();
    fixture.feed(ClientFrames.attachReceiver(1, 0, "a"));
    var shared = new Budget(budget.taken() + ofASession);
    assertThat(fixture.engine.allow(new Allowance(1, 9, 1_000_000, shared, input))).isTrue();
    assertThat(budget.taken()).isZero();
    assertThat(other.engine.allow(new Allowance(1, 9, 1_000_000, shared, input))).isTrue();

    other.feed(ClientFrames.attachReceiver(1, 0, "a"));

    assertThat(other.edge.heard).contains(TOO_MUCH);
    fixture.engine.connectionLost();
    assertThat(shared.taken()).isZero();
    assertThat(shared.most()).isPositive();
  }

  @Test
  void whoOwesMoreThanTheNextBudgetHasStaysWithThePresentOne() {
    allow(1, 9, 1_000_000);
    fixture.feed(ClientFrames.attachReceiver(1, 0, "a"));
    long owed = budget.taken();

    boolean moved = fixture.engine.allow(allowance(new Budget(owed - 1), input));

    assertThat(moved).isFalse();
    assertThat(budget.taken()).isEqualTo(owed);
  }

  @Test
  void sessionsAboveTheAllowanceAreEndedAndTwiceAsManyCloseTheConnection() {
    allow(2, 9, 1_000_000);
    fixture.feed(ClientFrames.begin(2, 100), ClientFrames.begin(3, 100), ClientFrames.begin(4, 9));
    assertThat(fixture.edge.takeHeard()).doesNotContain(TOO_MUCH);

    fixture.feed(ClientFrames.begin(5, 100));

    assertThat(fixture.edge.heard).contains(TOO_MUCH);
  }

  @Test
  void anAttachThatCannotBeDecodedWeighsNothing() {
    allow(1, 9, 1_000_000);

    fixture.feed(
        ClientFrames.frame(
            1, Descriptor.ATTACH, "a", ClientFrames.uint(0), true, ClientFrames.ubyte(9)));

    assertThat(fixture.edge.heard).anyMatch(heard -> heard.startsWith("fatal"));
    assertThat(budget.taken()).isZero();
  }

  @Test
  void aFrameThatHasComeInPartCountsUntilItIsWholeOrTheConnectionGoes() {
    allow(1, 9, 1_000_000);
    byte[] frame = ClientFrames.frame(1, Descriptor.ATTACH, "x".repeat(5_000));

    fixture.feed(Arrays.copyOf(frame, 3_000));
    assertThat(input.taken()).isEqualTo(3_000);
    fixture.feed(Arrays.copyOfRange(frame, 3_000, 4_999));
    assertThat(input.taken()).as("its buffer doubles").isEqualTo(8_192);
    fixture.feed(Arrays.copyOfRange(frame, 4_999, frame.length), half(300));
    assertThat(input.taken()).as("it was whole, and refused").isZero();

    var other = EngineFixture.begun();
    assertThat(other.engine.allow(allowance(budget, input))).isTrue();
    other.feed(half(300));
    assertThat(input.taken()).isEqualTo(300);
    other.engine.connectionLost();
    assertThat(input.taken()).isZero();
  }

  @Test
  void whereAllKeepTooMuchTheNewestIsClosedAndAnotherGoesOnWithLittle() {
    allow(1, 9, 1_000_000);
    fixture.feed(half(15_000));
    var other = EngineFixture.begun();
    assertThat(other.engine.allow(allowance(budget, input))).isTrue();
    var little = EngineFixture.begun();
    assertThat(little.engine.allow(allowance(budget, input))).isTrue();

    other.feed(half(6_000));
    assertThat(other.edge.heard).contains(TOO_MUCH);
    assertThat(input.taken()).isEqualTo(15_000);
    assertThat(input.take(5_000)).isTrue();
    little.feed(half(Allowance.SMALL_INPUT_BYTES));

    assertThat(little.edge.heard).doesNotContain(TOO_MUCH);
    assertThat(fixture.edge.heard).doesNotContain(TOO_MUCH);
    assertThat(input.taken()).isEqualTo(20_000 + Allowance.SMALL_INPUT_BYTES);
  }

  @Test
  void whatIsKeptMovesToTheNextBudgetIfThatHasRoom() {
    allow(1, 9, 1_000_000);
    fixture.feed(half(6_000));
    var next = new Budget(6_000);

    assertThat(fixture.engine.allow(allowance(budget, new Budget(5_999)))).isFalse();
    assertThat(input.taken()).isEqualTo(6_000);
    assertThat(fixture.engine.allow(allowance(budget, next))).isTrue();

    assertThat(input.taken()).isZero();
    assertThat(next.taken()).isEqualTo(6_000);
  }
}
