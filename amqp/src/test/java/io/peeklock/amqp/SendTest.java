package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.ATTACH;
import static io.peeklock.amqp.TestClient.DISPOSITION;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.code;
import static io.peeklock.amqp.TestClient.condition;
import static io.peeklock.amqp.TestClient.inside;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.peeklock.amqp.TestMessage.Parsed;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.Timestamp;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.proof.Rule;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What clients send, and what becomes of it. */
class SendTest {
  private static final int BATCH = 0x80013700;

  private final BrokerFixture broker = new BrokerFixture();
  private final TestClient client = broker.client().sender(0, 0, "q");

  private Parsed received() {
    client.receiver(0, 1, "q", 1).credit(1, 10);
    return Parsed.of(client.one(TRANSFER).payload());
  }

  private @Nullable String rejection() {
    var disposition = client.one(DISPOSITION);
    assertThat(disposition.field(3)).isEqualTo(true);
    return code(disposition.field(4)) == 0x25 ? condition(inside(disposition.field(4))) : null;
  }

  @Test
  @Rule({"S-001", "S-002", "S-004"})
  void aSendIsAcceptedOnceItIsDurable() {
    broker.journal.holdSyncs();

    client.message(0, TestMessage.text("one"));

    assertThat(client.take(DISPOSITION)).isEmpty();
    broker.journal.sync();
    broker.settle();
    var disposition = client.one(DISPOSITION);
    assertThat(disposition.field(0)).isEqualTo(true);
    assertThat(disposition.field(3)).isEqualTo(true);
    assertThat(code(disposition.field(4))).isEqualTo(0x24);
  }

  @Test
  @Rule({"S-009", "S-012"})
  void aReadBurstOfSendsIsOneRequestAndOneAnswer() {
    var burst = Unpooled.buffer();
    for (var i = 0; i < 20; i++) {
      burst.writeBytes(client.transfer(0, 0, 0, false, TestMessage.text("m" + i)));
    }
    client.forget();
    var before = broker.journal.durableBatches().size();

    client.send(burst);

    assertThat(broker.journal.durableBatches()).hasSize(before + 1);
    var disposition = client.one(DISPOSITION);
    assertThat(disposition.number(1)).isZero();
    assertThat(disposition.number(2)).isEqualTo(19);
    assertThat(client.writes).isEqualTo(1);
  }

  @Test
  @Rule({"S-018", "S-019"})
  void preSettledTransfersAreStoredAndNeverAnswered() {
    client.send(client.transfer(0, 0, 0, true, TestMessage.text("quiet")));
    client.send(client.transfer(0, 0, 0, true, new byte[] {1, 2, 3}));

    assertThat(client.take(DISPOSITION)).isEmpty();
    assertThat(received().body()).isEqualTo("quiet");
  }

  @Test
  @Rule({"S-006", "S-008", "S-515"})
  void garbageIsRejectedWithATrackingIdAndTheLinkLives() {
    client.message(0, new byte[] {0, 0x53, 0x75, 1, 2});

    var error = inside(client.one(DISPOSITION).field(4));
    assertThat(condition(error)).isEqualTo(Conditions.DECODE_ERROR);
    assertThat(String.valueOf(error)).contains("TrackingId:", "SystemTracker:localhost:Queue:q");

    client.message(0, TestMessage.text("good"));
    assertThat(rejection()).isNull();
  }

  @Test
  @Rule({"S-077", "S-076", "S-078", "S-079", "S-072"})
  void whatOnlyTheBrokerMaySayIsDroppedAndTheRestIsKept() {
    var annotations = new LinkedHashMap<Symbol, Object>();
    annotations.put(new Symbol("x-opt-sequence-number"), 77L);
    annotations.put(new Symbol("x-mine"), "kept");
    annotations.put(new Symbol("x-opt-locked-until"), new Timestamp(5));
    annotations.put(new Symbol("x-opt-partition-key"), "p");
    var message =
        new TestMessage()
            .section(
                TestMessage.HEADER,
                Arrays.asList(false, TestClient.ubyte(7), null, true, TestClient.uint(9)))
            .section(TestMessage.DELIVERY_ANNOTATIONS, Map.of(new Symbol("d"), 1))
            .section(TestMessage.ANNOTATIONS, annotations)
            .properties(
                "id",
                new byte[] {1},
                "to",
                "subject",
                "reply",
                5L,
                null,
                null,
                null,
                null,
                "session",
                TestClient.uint(3),
                "r")
            .section(TestMessage.APPLICATION_PROPERTIES, Map.of("k", TestClient.ubyte(3)))
            .section(TestMessage.VALUE, "body")
            .section(TestMessage.FOOTER, Map.of(new Symbol("f"), true))
            .bytes();

    client.message(0, message);

    var got = received();
    assertThat(got.entry(TestMessage.ANNOTATIONS, "x-opt-sequence-number")).isEqualTo(1L);
    assertThat(got.entry(TestMessage.ANNOTATIONS, "x-mine")).isEqualTo("kept");
    assertThat(got.entry(TestMessage.ANNOTATIONS, "x-opt-partition-key")).isEqualTo("p");
    assertThat(got.entry(TestMessage.ANNOTATIONS, "x-opt-locked-until")).isNull();
    assertThat(got.field(TestMessage.HEADER, 0)).isEqualTo(false);
    assertThat(got.field(TestMessage.HEADER, 1)).isEqualTo(TestClient.ubyte(7));
    assertThat(got.field(TestMessage.HEADER, 4)).isEqualTo(TestClient.uint(0));
    assertThat(got.field(TestMessage.PROPERTIES, 10)).isEqualTo("session");
    assertThat(got.field(TestMessage.PROPERTIES, 11)).isEqualTo(TestClient.uint(3));
    assertThat(got.entry(TestMessage.APPLICATION_PROPERTIES, "k")).isEqualTo(TestClient.ubyte(3));
    assertThat(got.section(TestMessage.VALUE)).isEqualTo("body");
    assertThat(got.entry(TestMessage.FOOTER, "f")).isEqualTo(true);
    assertThat(got.entry(TestMessage.DELIVERY_ANNOTATIONS, "d")).isEqualTo(1);
  }

  @Test
  @Rule("T-68")
  void aMissingMessageIdIsMadeUpOnce() {
    client.message(
        0, new TestMessage().properties(null, null, "to").section(0x75, new byte[1]).bytes());
    client.receiver(0, 1, "q", 0).credit(1, 10);

    var first = Parsed.of(client.one(TRANSFER).payload());
    client.dispose(0, 0, false, TestClient.released());
    var second = Parsed.of(client.one(TRANSFER).payload());

    var id = String.valueOf(first.field(TestMessage.PROPERTIES, 0));
    assertThat(id).matches("[0-9a-f]{32}");
    assertThat(second.field(TestMessage.PROPERTIES, 0)).isEqualTo(id);
    assertThat(first.field(TestMessage.PROPERTIES, 2)).isEqualTo("to");
  }

  @Test
  @Rule("T-52")
  void bodiesOfAllKindsAndLateDeliveryAnnotationsAreTaken() {
    client.message(0, new TestMessage().properties("none").bytes());
    client.message(
        0,
        new TestMessage()
            .section(TestMessage.DATA, new byte[] {1})
            .section(TestMessage.DATA, new byte[] {2})
            .section(TestMessage.FOOTER, Map.of())
            .section(TestMessage.DELIVERY_ANNOTATIONS, Map.of(new Symbol("x"), 1))
            .bytes());
    client.message(
        0, new TestMessage().section(TestMessage.SEQUENCE, Arrays.asList("a", 1)).bytes());
    client.receiver(0, 1, "q", 1).credit(1, 10);

    var got = client.take(TRANSFER).stream().map(frame -> Parsed.of(frame.payload())).toList();

    assertThat(got).hasSize(3);
    assertThat(got.get(0).codes()).doesNotContain(TestMessage.DATA);
    assertThat(got.get(1).codes()).filteredOn(code -> code == TestMessage.DATA).hasSize(2);
    assertThat(got.get(1).entry(TestMessage.DELIVERY_ANNOTATIONS, "x")).isEqualTo(1);
    assertThat(got.get(1).codes()).doesNotContain(TestMessage.FOOTER);
    assertThat(got.get(2).section(TestMessage.SEQUENCE)).isEqualTo(Arrays.asList("a", 1));
  }

  @Test
  @Rule({"S-073", "S-513"})
  void idsOf128CharactersPassAndLongerOnesAreRejected() {
    client.message(
        0, new TestMessage().properties("ä".repeat(128)).section(0x75, new byte[1]).bytes());
    assertThat(rejection()).isNull();

    client.message(
        0, new TestMessage().properties("x".repeat(129)).section(0x75, new byte[1]).bytes());
    assertThat(rejection()).isEqualTo(Conditions.ARGUMENT_OUT_OF_RANGE);

    var session = new @Nullable Object[11];
    session[10] = "s".repeat(129);
    client.message(0, new TestMessage().properties(session).section(0x75, new byte[1]).bytes());
    assertThat(rejection()).isEqualTo(Conditions.ARGUMENT_OUT_OF_RANGE);

    var key = Map.of(new Symbol("x-opt-partition-key"), "k".repeat(129));
    client.message(0, new TestMessage().section(TestMessage.ANNOTATIONS, key).bytes());
    assertThat(rejection()).isEqualTo(Conditions.ARGUMENT_OUT_OF_RANGE);
  }

  @Test
  @Rule("S-074")
  void propertiesBeyondTheHeaderLimitAreRejected() {
    var one = Map.of("k", "v".repeat(33_000));
    client.message(0, new TestMessage().section(TestMessage.APPLICATION_PROPERTIES, one).bytes());
    assertThat(rejection()).isEqualTo(Conditions.ARGUMENT_OUT_OF_RANGE);

    var sum = Map.of("a", "v".repeat(31_000), "b", "v".repeat(31_000), "c", "v".repeat(4_000));
    client.inFrames(
        0, new TestMessage().section(TestMessage.APPLICATION_PROPERTIES, sum).bytes(), 60_000);
    assertThat(rejection()).isEqualTo(Conditions.ARGUMENT_OUT_OF_RANGE);

    var fits = Map.of("a", "v".repeat(31_000), "b", "v".repeat(31_000));
    client.inFrames(
        0, new TestMessage().section(TestMessage.APPLICATION_PROPERTIES, fits).bytes(), 60_000);
    assertThat(rejection()).isNull();
  }

  @Test
  @Rule({"T-67", "T-72", "S-511", "S-431"})
  void aMessageOneByteTooLargeIsRefusedInOneFrameAndInMany() {
    broker.queue("small", 60_000, 10, 1_000);
    client.sender(0, 5, "small").forget();
    var fits = new TestMessage().section(TestMessage.DATA, new byte[992]).bytes();
    var over = new TestMessage().section(TestMessage.DATA, new byte[993]).bytes();
    assertThat(fits).hasSize(1_000);

    client.message(5, fits);
    assertThat(rejection()).isNull();
    client.message(5, over);
    assertThat(rejection()).isEqualTo(Conditions.MESSAGE_SIZE_EXCEEDED);
    client.inFrames(5, over, 100);
    assertThat(rejection()).isEqualTo(Conditions.MESSAGE_SIZE_EXCEEDED);
    client.inFrames(5, fits, 100);
    assertThat(rejection()).isNull();
  }

  @Test
  void anAbortedDeliveryIsForgotten() {
    client.perform(
        0,
        TRANSFER,
        TestClient.uint(0),
        TestClient.uint(0),
        new byte[] {1},
        TestClient.uint(0),
        false,
        true);
    client.perform(
        0, TRANSFER, TestClient.uint(0), null, null, null, null, false, null, null, null, true);
    client.send(
        TestClient.frameBytes(
            0,
            0,
            TRANSFER,
            Arrays.asList(
                TestClient.uint(0),
                TestClient.uint(1),
                new byte[] {2},
                TestClient.uint(0),
                false,
                false),
            TestMessage.text("next")));

    assertThat(client.one(DISPOSITION).number(1)).isEqualTo(1);
    assertThat(received().body()).isEqualTo("next");
  }

  private byte[] batch(byte[]... messages) {
    var envelope = new TestMessage().properties("envelope");
    envelope.section(TestMessage.APPLICATION_PROPERTIES, Map.of("ignored", 1));
    for (var message : messages) {
      envelope.section(TestMessage.DATA, message);
    }
    return envelope.bytes();
  }

  @Test
  @Rule({"T-51", "S-405", "S-406"})
  void aBatchIsTakenApartAndAnsweredOnce() {
    client.send(
        client.transfer(0, 0, BATCH, false, batch(TestMessage.text("a"), TestMessage.text("b"))));
    client.send(client.transfer(0, 0, BATCH, false, batch(TestMessage.text("only"))));

    assertThat(client.take(DISPOSITION)).hasSize(2);
    client.receiver(0, 1, "q", 1).credit(1, 10);
    var got = client.take(TRANSFER).stream().map(frame -> Parsed.of(frame.payload())).toList();
    assertThat(got).extracting(Parsed::body).containsExactly("a", "b", "only");
    assertThat(got.getFirst().section(TestMessage.APPLICATION_PROPERTIES)).isNull();
  }

  @Test
  @Rule("S-405")
  void oneBadMessageRefusesItsWholeBatch() {
    var bad = batch(TestMessage.text("a"), new byte[] {7}, TestMessage.text("b"));

    client.send(client.transfer(0, 0, BATCH, false, bad));

    assertThat(rejection()).isEqualTo(Conditions.DECODE_ERROR);
    assertThat(broker.journal.liveBodies()).isZero();
    assertThat(broker.journal.leaks()).isZero();
  }

  @Test
  @Rule("S-409")
  void anEmptyBatchIsFine() {
    client.send(client.transfer(0, 0, BATCH, false, batch()));

    assertThat(rejection()).isNull();
  }

  @Test
  @Rule({"S-148", "S-151"})
  void aMessageForLaterIsAccepted() {
    var later = new Timestamp(broker.clock.wallMillis() + 60_000);
    var annotations = Map.of(new Symbol("x-opt-scheduled-enqueue-time"), later);

    client.message(0, new TestMessage().section(TestMessage.ANNOTATIONS, annotations).bytes());

    assertThat(rejection()).isNull();
  }

  @Test
  @Rule({"T-53", "S-081", "S-080", "S-162"})
  void timeToLiveComesFromTheHeaderOrFromTheLongerDates() {
    var shortLived = Arrays.<@Nullable Object>asList(true, null, TestClient.uint(5_000));
    client.message(0, new TestMessage().section(TestMessage.HEADER, shortLived).bytes());
    var created = broker.clock.wallMillis();
    var sixtyDays = 60L * 86_400_000;
    var dates = new @Nullable Object[10];
    dates[8] = new Timestamp(created + sixtyDays);
    dates[9] = new Timestamp(created);
    client.message(0, new TestMessage().properties(dates).bytes());
    client.message(
        0,
        new TestMessage()
            .properties("i", null, null, null, null, null, null, null, new Timestamp(1))
            .bytes());

    client.receiver(0, 1, "q", 1).credit(1, 10);

    var got = client.take(TRANSFER).stream().map(frame -> Parsed.of(frame.payload())).toList();
    assertThat(got.get(0).field(TestMessage.HEADER, 2)).isEqualTo(TestClient.uint(5_000));
    assertThat(got.get(0).field(TestMessage.PROPERTIES, 8))
        .isEqualTo(new Timestamp(created + 5_000));
    assertThat(got.get(1).field(TestMessage.HEADER, 2)).isEqualTo(TestClient.uint(0xffff_ffffL));
    assertThat(got.get(1).field(TestMessage.PROPERTIES, 8))
        .isEqualTo(new Timestamp(created + sixtyDays));
    assertThat(got.get(2).field(TestMessage.HEADER, 2)).isNull();
    assertThat(got.get(2).field(TestMessage.PROPERTIES, 8)).isEqualTo(new Timestamp(1));
    assertThat(got.get(2).field(TestMessage.PROPERTIES, 0)).isEqualTo("i");
  }

  @Test
  void aLargeMessageIsStreamedInAndOutUnchanged() {
    var body = new byte[3 << 20];
    new Random(1).nextBytes(body);
    var message =
        new TestMessage()
            .properties("big")
            .section(TestMessage.APPLICATION_PROPERTIES, Map.of("k", 1))
            .section(TestMessage.DATA, body)
            .section(TestMessage.DELIVERY_ANNOTATIONS, Map.of(new Symbol("x"), 1))
            .bytes();

    client.inFrames(0, message, 60_000).message(0, TestMessage.text("after"));
    assertThat(client.take(DISPOSITION)).hasSize(2);
    client.receiver(0, 1, "q", 1).credit(1, 10);

    var frames = client.take(TRANSFER);
    var whole = Unpooled.buffer();
    frames.subList(0, frames.size() - 1).forEach(frame -> whole.writeBytes(frame.payload()));
    var got = Parsed.of(Arrays.copyOf(whole.array(), whole.readableBytes()));
    assertThat((byte[]) got.section(TestMessage.DATA)).isEqualTo(body);
    assertThat(got.field(TestMessage.PROPERTIES, 0)).isEqualTo("big");
    assertThat(got.section(TestMessage.DELIVERY_ANNOTATIONS)).isEqualTo(Map.of());
    assertThat(Parsed.of(frames.getLast().payload()).body()).isEqualTo("after");
    assertThat(broker.journal.leaks()).isZero();
  }

  @Test
  @Rule({"T-17", "S-016", "S-103"})
  void aSenderHearsItsLimitsAndGetsAmpleCredit() {
    var attach = broker.client().sender(0, 0, "q").one(ATTACH);

    assertThat(attach.number(10)).isEqualTo(100L << 20);
    assertThat(attach.field(13))
        .isEqualTo(Map.of(new Symbol("com.microsoft:max-message-batch-size"), 1L << 20));
    assertThat(client.one(TestClient.FLOW).number(6)).isGreaterThanOrEqualTo(2_048);
  }
}
