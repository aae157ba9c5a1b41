package io.peeklock.amqp;

import static io.peeklock.amqp.DirectFixture.body;
import static io.peeklock.amqp.DirectFixture.misfit;
import static io.peeklock.amqp.DirectFixture.refusal;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.peeklock.amqp.TestMessage.Parsed;
import io.peeklock.amqp.direct.DirectMessaging;
import io.peeklock.amqp.limit.AmqpSettings;
import io.peeklock.kernel.entity.EntityStatus;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.message.Answer;
import io.peeklock.runtime.message.Answer.Misfit;
import io.peeklock.runtime.message.BodyIntake;
import io.peeklock.runtime.message.BodyRest;
import io.peeklock.runtime.message.OutgoingMessage;
import io.peeklock.runtime.message.ReceivedMessage;
import io.peeklock.runtime.message.TextProperty;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages without a link whose body comes piece by piece. */
class LargeSendTest {
  private static final int BIG = 3 << 20;
  private static final int UNKNOWN = -1;

  private DirectFixture direct = new DirectFixture();

  @AfterEach
  void nothingIsLeftBehind() {
    direct.settle();
    assertThat(direct.broker.journal.leaks()).isZero();
  }

  private static byte[] noise(int bytes) {
    var noise = new byte[bytes];
    for (var i = 0; i < bytes; i++) {
      noise[i] = (byte) (i * 31 + (i >> 8));
    }
    return noise;
  }

  private static OutgoingMessage message() {
    return new OutgoingMessage(
        Map.of(TextProperty.MESSAGE_ID, "big", TextProperty.SUBJECT, "s"),
        QueueDefinition.FOREVER,
        0,
        Map.of("n", 7L),
        ByteBuffer.allocate(0));
  }

  private Answer<BodyIntake> begin(String address, long bytes) {
    return direct.messaging.begin(address, message(), bytes);
  }

  private BodyIntake begun(String address, long bytes) {
    if (begin(address, bytes) instanceof Answer.Given<BodyIntake> given) {
      return given.value();
    }
    throw new AssertionError("not begun: " + begin(address, bytes));
  }

  private static void write(BodyIntake intake, byte[] body) {
    for (var at = 0; at < body.length; at += 60_000) {
      var piece = ByteBuffer.wrap(body, at, Math.min(60_000, body.length - at));
      intake.write(piece);
      assertThat(piece.hasRemaining()).as("taken or dropped").isFalse();
    }
  }

  private Answer<Integer> sent(BodyIntake intake, byte[] body) {
    write(intake, body);
    intake.finish();
    return direct.answered(intake.answer());
  }

  private byte[] wholeBody(ReceivedMessage message) {
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(message.body());
    var pieces = new ArrayList<Boolean>();
    while (!pieces.contains(true)) {
      TestClient.there(message.rest())
          .next(
              new BodyRest.Listener() {
                @Override
                public void piece(byte[] piece, boolean last) {
                  bytes.writeBytes(piece);
                  pieces.add(last);
                }

                @Override
                public void failed(String reason) {
                  throw new AssertionError(reason);
                }
              });
      direct.settle();
    }
    return bytes.toByteArray();
  }

  /** One data section, whatever was known of its length: there are clients that read no second. */
  @ParameterizedTest
  @ValueSource(ints = {BIG, UNKNOWN})
  @Rule({"S-001", "S-084"})
  void whatComesInPiecesALinkReceivesAsOneMessage(int length) {
    var body = noise(BIG);
    assertThat(sent(begun("Q", length), body)).isEqualTo(new Answer.Given<>(1));

    var client = direct.broker.client().receiver(0, 1, "q", 0).credit(1, 1);
    var whole = Unpooled.buffer();
    client.take(TRANSFER).forEach(frame -> whole.writeBytes(frame.payload()));
    var got = Parsed.of(Arrays.copyOf(whole.array(), whole.readableBytes()));

    assertThat(got.codes().stream().filter(code -> code == TestMessage.DATA)).hasSize(1);
    var data = TestClient.there(got.section(TestMessage.DATA));
    assertThat(Arrays.equals((byte[]) data, body)).isTrue();
    assertThat(got.field(TestMessage.PROPERTIES, 0)).isEqualTo("big");
    assertThat(got.field(TestMessage.PROPERTIES, 3)).isEqualTo("s");
    assertThat(got.entry(TestMessage.APPLICATION_PROPERTIES, "n")).isEqualTo(7L);
    client.dispose(0, 0, true, TestClient.accepted());
  }

  @ParameterizedTest
  @ValueSource(ints = {BIG, UNKNOWN})
  void whatComesInPiecesGoesOutInPieces(int length) {
    var body = noise(BIG);
    sent(begun("q", length), body);

    var message = direct.lock("q");

    assertThat(message.texts()).containsEntry(TextProperty.MESSAGE_ID, "big");
    assertThat(message.applicationProperties()).containsEntry("n", 7L);
    assertThat(Arrays.equals(wholeBody(message), body)).isTrue();
  }

  @Test
  @Rule({"S-055", "S-315"})
  void theFiltersOfATopicSeeItsProperties() {
    direct
        .broker
        .queue(QueueDefinition.named("t").as(new QueueRole.Topic(false)))
        .queue(
            QueueDefinition.named("t/Subscriptions/yes").as(new QueueRole.Subscription("t", false)))
        .queue(
            QueueDefinition.named("t/Subscriptions/no").as(new QueueRole.Subscription("t", false)));
    onlyRule("yes", "n = 7 AND sys.Label = 's'");
    onlyRule("no", "n = 8");

    assertThat(sent(begun("t", UNKNOWN), noise(BIG))).isEqualTo(new Answer.Given<>(1));

    var copy = direct.lock("t/Subscriptions/yes");
    assertThat(Arrays.equals(wholeBody(copy), noise(BIG))).isTrue();
    assertThat(direct.isEmpty("t/Subscriptions/no")).isTrue();
  }

  private void onlyRule(String subscription, String expression) {
    var node = "t/Subscriptions/" + subscription + "/$management";
    var rules = new RequestClient(direct.broker.client(), 0, node, "me");
    assertThat(rules.manage("remove-rule", Map.of("rule-name", "$Default")).status())
        .isEqualTo(200);
    var added =
        rules.manage(
            "add-rule",
            Map.of(
                "rule-name",
                "r",
                "rule-description",
                Map.of("sql-filter", Map.of("expression", expression))));
    assertThat(added.status()).isEqualTo(200);
  }

  @Test
  @Rule({"S-001", "I-01"})
  void itIsAcceptedWhenItIsDurableAndNotBefore() {
    direct.broker.journal.holdSyncs();
    var intake = begun("q", BIG);
    write(intake, noise(BIG));
    intake.finish();
    direct.settle();
    assertThat(intake.answer()).isNotDone();

    direct.broker.journal.sync();

    assertThat(direct.answered(intake.answer())).isEqualTo(new Answer.Given<>(1));
  }

  /** The removal is durable before the first byte leaves, also for one that is read in pieces. */
  @Test
  @Rule({"I-07", "S-021"})
  void aLargeOneThatIsReceivedAndDeletedLeavesWhenItsRemovalIsDurable() {
    sent(begun("q", UNKNOWN), noise(BIG));
    direct.broker.journal.holdSyncs();
    var receiving = direct.receiving("q", ReceiveMode.RECEIVE_AND_DELETE, 10_000);
    assertThat(receiving).isNotDone();

    direct.broker.journal.sync();

    var message = direct.given(receiving).orElseThrow();
    assertThat(message.lock()).isNull();
    assertThat(Arrays.equals(wholeBody(message), noise(BIG))).isTrue();
    assertThat(direct.broker.journal.liveBodies()).isZero();
  }

  // --- what is refused ---

  @Test
  @Rule({"S-431", "S-432"})
  void whatIsTooLargeIsRefusedAsSoonAsItIsKnown() {
    direct.broker.queue("small", 30_000, 10, 2_000_000);
    assertThat(misfit(begin("small", 2_000_000)))
        .as("its properties count")
        .isEqualTo(Misfit.TOO_LARGE);
    assertThat(misfit(begin("small", Long.MAX_VALUE))).isEqualTo(Misfit.TOO_LARGE);

    var intake = begun("small", UNKNOWN);
    write(intake, noise(1_999_000));
    assertThat(intake.answer()).isNotDone();
    intake.write(ByteBuffer.allocate(1_000));

    assertThat(misfit(intake.answer().join())).isEqualTo(Misfit.TOO_LARGE);
    assertThat(direct.broker.journal.leaks()).as("given back at once").isZero();
    write(intake, noise(1_000));
    intake.finish();
    intake.abort();
    direct.settle();
    assertThat(direct.isEmpty("small")).isTrue();
  }

  @Test
  @Rule("S-431")
  void directMessagesMayBeBoundBelowTheEntitysLimit() {
    var narrow = new DirectMessaging(direct.broker.edge, direct.loop.eventLoop(), 1 << 20);

    assertThat(misfit(narrow.begin("q", message(), 1 << 20))).isEqualTo(Misfit.TOO_LARGE);
    var most = OutgoingMessage.of(ByteBuffer.allocate(1 << 20));
    assertThat(misfit(direct.answered(narrow.send("q", List.of(most)))))
        .isEqualTo(Misfit.TOO_LARGE);
    var fits = OutgoingMessage.of(ByteBuffer.allocate((1 << 20) - 50));
    assertThat(direct.answered(narrow.send("q", List.of(fits)))).isEqualTo(new Answer.Given<>(1));
  }

  /** The stored form of such a one is above what is held in memory. */
  @ParameterizedTest
  @ValueSource(ints = {(1 << 20) - 100, 1 << 20, (1 << 20) + 1})
  void oneThatCameWholeAndIsALittleTooLargeForMemoryGoesToAFileToo(int size) {
    assertThat(direct.send("q", OutgoingMessage.of(ByteBuffer.wrap(noise(size)))))
        .isEqualTo(new Answer.Given<>(1));

    var message = direct.lock("q");
    var all = message.rest() == null ? message.body() : wholeBody(message);
    assertThat(Arrays.equals(all, noise(size))).isTrue();
  }

  @Test
  void oneThatCameWholeAndCannotBeIsRefused() {
    var wrong =
        new OutgoingMessage(
            Map.of(TextProperty.MESSAGE_ID, "x".repeat(129)),
            QueueDefinition.FOREVER,
            0,
            Map.of(),
            ByteBuffer.allocate(1 << 20));

    assertThat(misfit(direct.send("q", wrong))).isEqualTo(Misfit.MALFORMED);
  }

  @Test
  @Rule({"S-062", "S-183", "S-427", "S-232"})
  void whatTheHeadTellsIsJudgedBeforeTheBodyComes() {
    direct
        .broker
        .queue(QueueDefinition.named("off").with().status(EntityStatus.SEND_DISABLED).build())
        .queue(QueueDefinition.named("sessions").withSession(true));

    assertThat(refusal(begin("nothing", BIG))).isInstanceOf(Refusal.EntityNotFound.class);
    assertThat(misfit(begin("q/$DeadLetterQueue", BIG))).isEqualTo(Misfit.NOT_FOR_SENDING);
    assertThat(refusal(begin("off", BIG))).isInstanceOf(Refusal.EntityDisabled.class);
    assertThat(refusal(begin("sessions", BIG))).isInstanceOf(Refusal.SessionIdMissing.class);
    var type = DirectFixture.text("", TextProperty.CONTENT_TYPE, "täxt/plain");
    assertThat(misfit(direct.messaging.begin("q", type, BIG))).isEqualTo(Misfit.MALFORMED);
    var id = DirectFixture.text("", TextProperty.MESSAGE_ID, "x".repeat(129));
    assertThat(misfit(direct.messaging.begin("q", id, BIG))).isEqualTo(Misfit.MALFORMED);
  }

  @Test
  @Rule("S-232")
  void oneOfASessionIsTaken() {
    direct.broker.queue(QueueDefinition.named("sessions").withSession(true));
    var one = DirectFixture.text("", TextProperty.SESSION_ID, "s");

    if (direct.messaging.begin("sessions", one, BIG) instanceof Answer.Given<BodyIntake> given) {
      assertThat(sent(given.value(), noise(BIG))).isEqualTo(new Answer.Given<>(1));
    } else {
      throw new AssertionError("a session id is there");
    }
  }

  /** While the body came the entity went: the decision is the shard's, and nothing stays. */
  @Test
  void itIsDecidedWhenItIsWhole() {
    var intake = begun("q", BIG);
    write(intake, noise(BIG));
    direct.broker.ask(asker -> new EntityRequest.DeleteQueue(asker, BrokerFixture.ASKED, "q"));

    intake.finish();

    assertThat(refusal(direct.answered(intake.answer())))
        .isInstanceOf(Refusal.EntityNotFound.class);
    assertThat(direct.broker.journal.liveBodies()).isZero();
  }

  @Test
  @Rule("S-447")
  void whoHasNoCreditsIsTurnedAwayAtTheEnd() {
    direct =
        new DirectFixture(
            new BrokerFixture(new AmqpSettings.Quotas(Integer.MAX_VALUE, 9, 1, true)));
    direct.send("q", DirectFixture.text("a"));
    var intake = begun("q", BIG);

    assertThat(misfit(sent(intake, noise(BIG)))).isEqualTo(Misfit.BUSY);
    direct.advance(Duration.ofSeconds(1));

    assertThat(body(direct.lock("q"))).isEqualTo("a");
  }

  @Test
  void whenTooMuchIsOnItsWayNoneIsBegun() {
    direct = new DirectFixture(new BrokerFixture(AmqpSettings.Limits.DEFAULT, 1_000));
    direct.broker.journal.holdSyncs();
    var first = direct.messaging.send("q", List.of(DirectFixture.text("x".repeat(2_000))));

    assertThat(misfit(begin("q", BIG))).isEqualTo(Misfit.BUSY);
    direct.settle();
    direct.broker.journal.sync();

    assertThat(direct.given(first)).isEqualTo(1);
  }

  // --- room ---

  @Test
  void whatFindsNoRoomIsRefusedAtOnceAndMayBeTriedAgain() {
    direct.broker.journal.roomForLarges(2 << 20);
    var intake = begun("q", BIG);
    write(intake, noise(BIG));

    assertThat(misfit(intake.answer().join())).isEqualTo(Misfit.BUSY);

    direct.broker.journal.roomForLarges(4 << 20);
    assertThat(sent(begun("q", BIG), noise(BIG))).isEqualTo(new Answer.Given<>(1));
  }

  @Test
  void whoSendsFasterThanTheDiskWritesIsToldToWait() {
    var intake = begun("q", BIG);
    var room = new ArrayList<String>();
    intake.whenRoom(() -> room.add("room"));
    write(intake, noise(1_000));
    assertThat(intake.hasRoom()).isTrue();

    direct.broker.journal.holdLarges();
    assertThat(intake.hasRoom()).isFalse();
    direct.broker.journal.letLargesGo();
    direct.settle();

    assertThat(room).hasSize(1);
    assertThat(intake.hasRoom()).isTrue();
    intake.abort();
  }

  // --- given up ---

  @Test
  void whatIsGivenUpLeavesNothing() {
    begun("q", UNKNOWN).abort();
    var intake = begun("q", UNKNOWN);
    write(intake, noise(BIG));

    intake.abort();

    assertThat(intake.answer()).isCancelled();
    assertThat(direct.broker.journal.leaks()).isZero();
    assertThat(direct.isEmpty("q")).isTrue();
  }

  @Test
  void whatIsWholeIsSentAlthoughItsSenderLeft() {
    var intake = begun("q", BIG);
    write(intake, noise(BIG));
    intake.finish();
    intake.finish();
    intake.abort();
    intake.write(ByteBuffer.allocate(1));
    direct.settle();

    assertThat(Arrays.equals(wholeBody(direct.lock("q")), noise(BIG))).isTrue();
  }

  @Test
  void allWhoSendAreAnsweredAtTheEnd() {
    var half = begun("q", BIG);
    write(half, noise(BIG / 2));
    var whole = begun("q", BIG);
    write(whole, noise(BIG));
    whole.finish();

    direct.messaging.dropAll("The broker ends");
    half.abort();
    direct.settle();

    assertThat(misfit(half.answer().join())).isEqualTo(Misfit.BUSY);
    assertThat(misfit(whole.answer().join())).isEqualTo(Misfit.BUSY);
    assertThat(direct.isEmpty("q")).isTrue();
  }
}
