package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.DETACH;
import static io.peeklock.amqp.TestClient.DISPOSITION;
import static io.peeklock.amqp.TestClient.FLOW;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.code;
import static io.peeklock.amqp.TestClient.condition;
import static io.peeklock.amqp.TestClient.inside;
import static io.peeklock.amqp.TestClient.there;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.TestMessage.Parsed;
import io.peeklock.amqp.engine.codec.AmqpChar;
import io.peeklock.amqp.engine.codec.Described;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.Timestamp;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deliveries, credit, and what becomes of settlements. */
class ReceiveTest {
  private final BrokerFixture broker = new BrokerFixture();
  private final TestClient client = broker.client().sender(0, 0, "q");

  private void send(String... bodies) {
    for (var body : bodies) {
      client.message(0, TestMessage.text(body));
    }
    client.forget();
  }

  private Parsed message() {
    return Parsed.of(client.one(TRANSFER).payload());
  }

  private TestClient peekLock(long credit) {
    client.receiver(0, 1, "q", 0);
    return credit == 0 ? client : client.credit(1, credit);
  }

  @Test
  @Rule({"T-35", "T-36", "S-118", "S-119", "S-097", "S-025"})
  void aFirstDeliveryHasAllThatClientsLookFor() {
    send("one");

    peekLock(1);

    var transfer = client.one(TRANSFER);
    var got = Parsed.of(transfer.payload());
    assertThat(transfer.field(1)).isEqualTo(TestClient.uint(0));
    assertThat((byte[]) transfer.field(2)).hasSize(16);
    assertThat(transfer.field(3)).isEqualTo(TestClient.uint(0));
    assertThat(transfer.field(4)).isNotEqualTo(true);
    assertThat(got.field(TestMessage.HEADER, 0)).isEqualTo(true);
    assertThat(got.field(TestMessage.HEADER, 4)).isEqualTo(TestClient.uint(0));
    var now = broker.clock.wallMillis();
    assertThat(got.entry(TestMessage.ANNOTATIONS, "x-opt-enqueued-time"))
        .isEqualTo(new Timestamp(now));
    assertThat(got.entry(TestMessage.ANNOTATIONS, "x-opt-sequence-number")).isEqualTo(1L);
    assertThat(got.entry(TestMessage.ANNOTATIONS, "x-opt-enqueue-sequence-number")).isEqualTo(0L);
    assertThat(got.entry(TestMessage.ANNOTATIONS, "x-opt-message-state")).isEqualTo(0);
    assertThat(got.entry(TestMessage.ANNOTATIONS, "x-opt-locked-until"))
        .isEqualTo(new Timestamp(now + 60_000));
  }

  /** Who receives a message and sends it again brings along what the broker has put there. */
  @Test
  @Rule("S-077")
  void whateverADeliveryIsGivenIsDroppedWhenItComesIn() {
    send("one");
    peekLock(1);
    var given = (Map<?, ?>) there(message().section(TestMessage.ANNOTATIONS));
    var forged = new LinkedHashMap<Object, Object>();
    given.keySet().forEach(key -> forged.put(key, "forged"));

    client.message(
        0,
        new TestMessage()
            .section(TestMessage.ANNOTATIONS, forged)
            .section(TestMessage.VALUE, "again")
            .bytes());
    client.forget().credit(1, 2);

    assertThat(given).isNotEmpty();
    var again = (Map<?, ?>) there(message().section(TestMessage.ANNOTATIONS));
    assertThat(new LinkedHashMap<Object, Object>(again))
        .hasSameSizeAs(given)
        .doesNotContainValue("forged");
  }

  @Test
  @Rule({"T-26", "T-27", "S-086", "S-087"})
  void creditIsAbsoluteAndNothingGoesOutWithoutIt() {
    send("a", "b", "c");

    peekLock(0);
    assertThat(client.take(TRANSFER)).isEmpty();
    client.credit(1, 1).credit(1, 1);
    assertThat(client.take(TRANSFER)).hasSize(1);
    client.credit(1, 0);
    client.credit(0, 1, 1, 1, false);

    assertThat(client.take(TRANSFER)).hasSize(1);
  }

  @Test
  @Rule("T-26")
  void whatWasDecidedAndCannotGoOutForLoweredCreditIsFreeAgainWithoutACount() {
    peekLock(2);
    broker.journal.holdSyncs();
    send("a", "b");

    client.credit(1, 0);
    broker.journal.sync();
    broker.settle();
    assertThat(client.take(TRANSFER)).isEmpty();

    var other = broker.client().receiver(0, 1, "q", 0).credit(1, 5);
    var got = other.take(TRANSFER).stream().map(frame -> Parsed.of(frame.payload())).toList();
    assertThat(got).extracting(Parsed::body).containsExactly("a", "b");
    assertThat(got.getFirst().field(TestMessage.HEADER, 4)).isEqualTo(TestClient.uint(0));
    assertThat(broker.journal.leaks()).isZero();
  }

  @Test
  @Rule("T-26")
  void creditAfterALoweredOneIsServedInFullAndNotBeyond() {
    peekLock(2);
    broker.journal.holdSyncs();
    send("a", "b", "c");
    client.credit(1, 0);
    broker.journal.sync();
    broker.settle();

    client.credit(1, 2);
    broker.journal.sync();
    broker.settle();

    assertThat(client.take(TRANSFER)).hasSize(2);
    var other = broker.client().receiver(0, 1, "q", 0).credit(1, 5);
    assertThat(Parsed.of(other.one(TRANSFER).payload()).body()).isEqualTo("c");
  }

  @Test
  @Rule("T-28")
  void aDrainGivesWhatIsThereAndTheRestOfTheCreditBack() {
    send("a");
    client.receiver(0, 1, "q", 0).forget();

    client.credit(0, 1, 0, 10, true);

    assertThat(client.take(TRANSFER)).hasSize(1);
    var flow = client.one(FLOW);
    assertThat(flow.number(5)).isEqualTo(10);
    assertThat(flow.number(6)).isZero();
    assertThat(flow.field(8)).isEqualTo(true);

    client.credit(0, 1, 10, 0, true);
    assertThat(client.one(FLOW).field(8)).isEqualTo(true);

    client.credit(0, 1, 10, 2, false);
    send("b", "c", "d");
    client.dispose(0, 0, true, TestClient.accepted());
    client.receiver(0, 2, "r2", "q", "x", 0).credit(2, 1);
    assertThat(client.take(TRANSFER)).hasSize(1);
  }

  @Test
  @Rule("T-28")
  void creditAfterADrainIsServedInFull() {
    client.receiver(0, 1, "q", 0).credit(0, 1, 0, 10, true).forget();

    client.credit(0, 1, 10, 3, false);
    client.message(0, TestMessage.text("a")).message(0, TestMessage.text("b"));
    client.message(0, TestMessage.text("c")).message(0, TestMessage.text("d"));

    assertThat(client.take(TRANSFER)).hasSize(3);
  }

  /**
   * More credit than a link may have unsettled, and messages that the window holds up: what comes
   * before the client is told of the end of its drain is not for this link, which could not send
   * it.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  @Rule({"T-28", "I-01"})
  void aDrainTakesNothingThatComesAfterItsEnd(int senderSettleMode) {
    send("a", "b", "c");
    client.receiver(0, 1, "q", senderSettleMode).forget();
    client.drain(0, 1, 2, 1_000_000);
    assertThat(client.take(TRANSFER)).hasSize(2);

    send("d");
    client.window(0, 100);

    assertThat(client.take(TRANSFER)).hasSize(1);
    assertThat(client.one(FLOW).number(6)).isZero();
    client.receiver(0, 2, "other", "q", null, 1).credit(2, 5);
    assertThat(client.take(TRANSFER)).hasSize(1);
  }

  /** Else the client takes it that nothing comes, and the message stays locked. */
  @Test
  @Rule({"T-28", "S-087"})
  void theEndOfADrainIsToldBehindADeliveryThatIsHalfOut() {
    send("a".repeat(1_000));
    var narrow = broker.client(512).receiver(0, 1, "q", 1).forget();

    narrow.drain(0, 1, 1, 5);
    assertThat(narrow.one(TRANSFER).field(5)).as("more").isEqualTo(true);
    assertThat(narrow.take(FLOW)).isEmpty();
    narrow.window(0, 100);

    assertThat(narrow.take(TRANSFER)).isNotEmpty();
    assertThat(narrow.one(FLOW).number(6)).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {10, 1_000_000})
  @Rule({"T-28", "S-086"})
  void whoTakesADrainBackBeforeItsEndIsServedOn(long credit) {
    send("a", "b", "c");
    client.receiver(0, 1, "q", 1).forget();
    client.drain(0, 1, 2, credit).forget();

    client.flow(0, 1, 2, credit);
    client.window(0, 100);
    assertThat(client.take(TRANSFER)).hasSize(1);
    client.message(0, TestMessage.text("d"));

    assertThat(client.take(TRANSFER)).hasSize(1);
  }

  @Test
  @Rule({"S-021", "S-096", "T-44", "I-07"})
  void receiveAndDeleteSendsSettledOnlyWhenTheRemovalIsDurable() {
    send("a");
    broker.journal.holdSyncs();

    client.receiver(0, 1, "q", 1).credit(1, 5);
    assertThat(client.take(TRANSFER)).isEmpty();
    broker.journal.sync();
    broker.settle();

    var transfer = client.one(TRANSFER);
    assertThat(transfer.field(4)).isEqualTo(true);
    assertThat(Parsed.of(transfer.payload()).entry(TestMessage.ANNOTATIONS, "x-opt-locked-until"))
        .isNull();
    client.dispose(0, 0, true, TestClient.accepted());
    assertThat(client.take(DISPOSITION)).isEmpty();
    assertThat(broker.journal.liveBodies()).isZero();
  }

  @Test
  @Rule({"S-030", "S-031", "T-43", "S-032", "S-089", "T-41", "S-120", "S-092"})
  void eachOutcomeIsAnsweredWithItsOwnTypeAndWithoutAnError() {
    send("a", "b", "c", "d");
    peekLock(4).forget();

    client.dispose(0, 0, false, TestClient.accepted());
    client.dispose(1, 1, false, TestClient.modified(false, Map.of()));
    client.dispose(2, 2, false, TestClient.outcome(0x25, (Object) null));
    client.dispose(3, 3, false, TestClient.released());

    var answers = client.take(DISPOSITION);
    assertThat(answers)
        .extracting(answer -> code(answer.field(4)))
        .containsExactly(0x24L, 0x27L, 0x25L, 0x26L);
    assertThat(answers)
        .allSatisfy(
            answer -> {
              assertThat(answer.field(0)).isEqualTo(false);
              assertThat(answer.field(3)).isEqualTo(true);
            });
    assertThat(inside(answers.get(2).field(4))).isNull();
    client.credit(0, 1, 4, 5, false);
    var again = client.take(TRANSFER).stream().map(frame -> Parsed.of(frame.payload())).toList();
    assertThat(again).extracting(Parsed::body).containsExactly("b", "d");
    assertThat(again)
        .extracting(got -> got.field(TestMessage.HEADER, 4))
        .containsExactly(TestClient.uint(1), TestClient.uint(0));
  }

  @Test
  @Rule({"T-69", "T-70"})
  void aRangeIsOneRequestAndOneAnswerAndSkipsWhatIsSettled() {
    send("0", "1", "2", "3", "4", "5");
    peekLock(5).forget();
    client.dispose(2, 2, false, TestClient.accepted()).forget();
    var before = broker.journal.durableBatches().size();

    client.dispose(0, 2, false, TestClient.accepted());

    assertThat(broker.journal.durableBatches()).hasSize(before + 1);
    var answer = client.one(DISPOSITION);
    assertThat(answer.number(1)).isZero();
    assertThat(answer.number(2)).isEqualTo(1);
    client.receiver(0, 2, "other", "q", "x", 0).credit(2, 10);
    assertThat(message().body()).isEqualTo("5");
  }

  @Test
  @Rule({"S-098", "S-038", "S-044", "S-037", "S-502"})
  void aLockThatRanOutRefusesCompleteWithLockLost() {
    send("a");
    peekLock(1).forget();

    broker.advance(Duration.ofSeconds(61));
    client.dispose(0, 0, false, TestClient.accepted());

    var answer = client.one(DISPOSITION);
    assertThat(code(answer.field(4))).isEqualTo(0x25);
    assertThat(condition(inside(answer.field(4)))).isEqualTo(Conditions.MESSAGE_LOCK_LOST);
    client.credit(0, 1, 1, 1, false);
    assertThat(message().field(TestMessage.HEADER, 4)).isEqualTo(TestClient.uint(1));
  }

  @Test
  @Rule("T-42")
  void aSettledDispositionForALostLockIsIgnored() {
    send("a");
    peekLock(1).forget();

    broker.advance(Duration.ofSeconds(61));
    client.dispose(0, 0, true, TestClient.accepted());

    assertThat(client.take(DISPOSITION)).isEmpty();
    assertThat(client.take(DETACH)).isEmpty();
    client.credit(0, 1, 1, 1, false);
    assertThat(message().body()).isEqualTo("a");
  }

  @Test
  @Rule("T-33")
  void everyDeliveryHasATokenOfItsOwn() {
    send("a");
    peekLock(1);

    var first = (byte[]) client.one(TRANSFER).field(2);
    client.dispose(0, 0, false, TestClient.released()).credit(0, 1, 1, 1, false);
    var second = (byte[]) client.one(TRANSFER).field(2);

    assertThat(second).isNotEqualTo(first);
  }

  @Test
  @Rule({"S-034", "S-090", "S-091", "S-188", "S-093", "T-40", "T-38"})
  void deadLetteringPutsReasonAndPropertiesOnTheMessage() {
    send("a", "b");
    peekLock(2).forget();
    var info = new LinkedHashMap<Object, @Nullable Object>();
    info.put("DeadLetterReason", "why");
    info.put(new Symbol("DeadLetterErrorDescription"), 42);
    info.put("extra", new Timestamp(7));

    client.dispose(0, 0, false, TestClient.deadLetter(info));
    client.dispose(1, 1, false, TestClient.outcome(0x25, (Object) null)).forget();

    client.receiver(0, 2, "q/$deadletterqueue", 0).credit(2, 2);
    var dead = client.take(TRANSFER).stream().map(frame -> Parsed.of(frame.payload())).toList();
    assertThat(dead.get(0).entry(TestMessage.APPLICATION_PROPERTIES, "DeadLetterReason"))
        .isEqualTo("why");
    assertThat(dead.get(0).entry(TestMessage.APPLICATION_PROPERTIES, "DeadLetterErrorDescription"))
        .isEqualTo(42);
    assertThat(dead.get(0).entry(TestMessage.APPLICATION_PROPERTIES, "extra"))
        .isEqualTo(new Timestamp(7));
    assertThat(dead.get(0).entry(TestMessage.ANNOTATIONS, "x-opt-sequence-number")).isEqualTo(1L);
    assertThat(dead.get(1).section(TestMessage.APPLICATION_PROPERTIES)).isNull();
  }

  @Test
  @Rule({"T-73", "S-082"})
  void mergedPropertiesLeaveTheOthersTheirWireTypes() {
    var properties = new LinkedHashMap<String, @Nullable Object>();
    properties.put("time", new Timestamp(123));
    properties.put("char", new AmqpChar('x'));
    properties.put("span", new Described(new Symbol("com.microsoft:timespan"), 5L));
    properties.put("old", "before");
    client.message(
        0,
        new TestMessage()
            .section(TestMessage.APPLICATION_PROPERTIES, properties)
            .section(TestMessage.DATA, new byte[] {1})
            .bytes());
    peekLock(1).forget();

    client.dispose(
        0, 0, false, TestClient.modified(false, Map.of(new Symbol("old"), TestClient.ubyte(9))));
    client.credit(0, 1, 1, 1, false);
    client.dispose(1, 1, false, TestClient.modified(false, Map.of(new Symbol("Old"), 1)));
    client.forget().credit(0, 1, 2, 1, false);

    var got = message();
    assertThat(got.entry(TestMessage.APPLICATION_PROPERTIES, "time")).isEqualTo(new Timestamp(123));
    assertThat(got.entry(TestMessage.APPLICATION_PROPERTIES, "char")).isEqualTo(new AmqpChar('x'));
    assertThat(got.entry(TestMessage.APPLICATION_PROPERTIES, "span"))
        .isEqualTo(new Described(new Symbol("com.microsoft:timespan"), 5L));
    assertThat(got.entry(TestMessage.APPLICATION_PROPERTIES, "old")).isEqualTo(TestClient.ubyte(9));
    assertThat(got.entry(TestMessage.APPLICATION_PROPERTIES, "Old")).isEqualTo(1);
    assertThat((byte[]) got.section(TestMessage.DATA)).containsExactly(1);
  }

  @Test
  @Rule({"S-029", "S-127", "S-192"})
  void theNthFailureDeadLettersWithTheBrokersWords() {
    broker.queue("twice", 60_000, 2, 1 << 20);
    client.sender(0, 5, "twice").message(5, TestMessage.text("x"));
    client.receiver(0, 6, "twice", 0).credit(6, 5).forget();
    client.dispose(0, 0, true, TestClient.modified(false, Map.of()));
    client.dispose(1, 1, true, TestClient.modified(false, Map.of())).forget();

    client.receiver(0, 7, "twice/$DeadLetterQueue", 0).credit(7, 1);

    var dead = message();
    assertThat(dead.entry(TestMessage.APPLICATION_PROPERTIES, "DeadLetterReason"))
        .isEqualTo("MaxDeliveryCountExceeded");
    assertThat(dead.entry(TestMessage.APPLICATION_PROPERTIES, "DeadLetterErrorDescription"))
        .asString()
        .contains("could not be consumed after the maximum delivery attempts");
    assertThat(dead.field(TestMessage.HEADER, 4)).isEqualTo(TestClient.uint(2));
  }

  @Test
  @Rule({"S-168", "S-191"})
  void anExpiredMessageDiesWithTheBrokersWords() {
    broker.queue("short", 60_000, 10, 1 << 20);
    var header = Arrays.<@Nullable Object>asList(null, null, TestClient.uint(1_000));
    client.sender(0, 5, "short");
    client.message(5, new TestMessage().section(TestMessage.HEADER, header).bytes());
    client.receiver(0, 7, "short/$DeadLetterQueue", 0).credit(7, 1).forget();

    broker.advance(Duration.ofMinutes(2));

    assertThat(message().entry(TestMessage.APPLICATION_PROPERTIES, "DeadLetterReason"))
        .isEqualTo("TTLExpiredException");
  }

  @Test
  @Rule({"S-075", "S-190"})
  void propertiesThatOutgrowTheHeaderKillTheMessage() {
    var some = Map.of("old", "x".repeat(5_000));
    client.message(0, new TestMessage().section(TestMessage.APPLICATION_PROPERTIES, some).bytes());
    peekLock(1).forget();
    var much = Map.of("a", "x".repeat(30_000), "b", "x".repeat(29_000), "c", "x".repeat(6_000));

    var disposition =
        TestClient.frameBytes(
            0,
            0,
            DISPOSITION,
            Arrays.asList(
                true,
                TestClient.uint(0),
                TestClient.uint(0),
                false,
                TestClient.modified(false, much)),
            new byte[0]);
    assertThat(disposition.readableBytes()).isLessThan(65_536);
    client.send(disposition);

    assertThat(code(client.one(DISPOSITION).field(4))).isEqualTo(0x27);
    client.receiver(0, 7, "q/$DeadLetterQueue", 0).credit(7, 1);
    assertThat(message().entry(TestMessage.APPLICATION_PROPERTIES, "DeadLetterReason"))
        .isEqualTo("HeaderSizeExceeded");
  }

  @Test
  @Rule("S-189")
  void aReasonThatIsNullIsNone() {
    send("a");
    peekLock(1).forget();
    var info = new LinkedHashMap<Object, @Nullable Object>();
    info.put("DeadLetterReason", null);
    info.put("DeadLetterErrorDescription", null);

    client.dispose(0, 0, false, TestClient.deadLetter(info)).forget();

    client.receiver(0, 7, "q/$DeadLetterQueue", 0).credit(7, 1);
    assertThat(message().section(TestMessage.APPLICATION_PROPERTIES)).isNull();
  }

  @Test
  @Rule("S-023")
  void receiveAndDeleteWaitsForCreditThatWasLowered() {
    client.receiver(0, 1, "q", 1).credit(1, 1);
    broker.journal.holdSyncs();
    send("a");
    client.credit(1, 0);
    broker.journal.sync();
    broker.settle();
    assertThat(client.take(TRANSFER)).isEmpty();

    client.credit(1, 1);

    assertThat(message().body()).isEqualTo("a");
  }

  @Test
  @Rule({"S-185", "S-037"})
  void aDeadLetterCannotBeDeadLetteredAgain() {
    send("a");
    peekLock(1).dispose(0, 0, true, TestClient.outcome(0x25, (Object) null));
    client.receiver(0, 2, "q/$DeadLetterQueue", 0).credit(2, 1).forget();

    client.dispose(1, 1, false, TestClient.outcome(0x25, (Object) null));

    assertThat(condition(inside(client.one(DISPOSITION).field(4))))
        .isEqualTo(Conditions.NOT_ALLOWED);
  }

  @ParameterizedTest
  @ValueSource(longs = {0x7fff_ffffL, 0x8000_0000L, 0xffff_fffeL, 0xffff_ffffL})
  void creditIsAnUnsignedNumber(long credit) {
    var taker = broker.client().sender(0, 0, "q").receiver(0, 1, "q", 0);
    taker.credit(1, credit).forget();

    for (var i = 0; i < 3; i++) {
      taker.message(0, TestMessage.text("m" + i));
    }

    assertThat(taker.take(TRANSFER)).hasSize(3);
    taker.credit(0, 1, 3, credit, true);
    assertThat(taker.take(TestClient.CLOSE)).isEmpty();
  }
}
