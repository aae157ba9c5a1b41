package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.DETACH;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.condition;
import static io.peeklock.amqp.TestClient.uint;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.limit.AmqpBudgets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What waits for sockets and windows of clients counts until it has left, and nobody keeps it by
 * taking a little now and then.
 */
class UnreadDeliveriesTest {
  private static final int SIZE = 60_000;
  private static final int LARGE = 3_000_000;
  private static final long ROOM = 2 << 20;

  /** The rest is for receivers of other queues. */
  private static final long OF_ONE_QUEUE = ROOM / 4 * 3;

  private static final long ALL = Long.MAX_VALUE;
  private static final int PEEK_LOCK = 0;

  private final AmqpBudgets budgets =
      AmqpBudgets.of(1 << 30, 12 << 20) // of which an eighth is for replies
          .with(Map.of("transfers", 8L << 20));
  private final BrokerFixture broker =
      new BrokerFixture(budgets).deliveryBytes(ROOM).queue("q5", 300_000, 10, 8 << 20);
  private final TestClient sender = broker.client().sender(0, 0, "q5");

  private void send(int count) {
    for (var i = 0; i < count; i++) {
      sender.message(0, TestMessage.text("x".repeat(SIZE)));
    }
    sender.forget();
  }

  private TestClient receiver(SlowChannel socket) {
    var client = broker.client(socket).receiver(0, 1, "q5", PEEK_LOCK).forget();
    socket.takes(0);
    return client.credit(1, 1_000);
  }

  private void takes(SlowChannel socket, long bytes) {
    socket.takes(bytes);
    broker.settle();
  }

  private void seconds(int count) {
    for (var i = 0; i < count; i++) {
      broker.advance(Duration.ofSeconds(1));
    }
  }

  /** The client has seen so many frames of a session and takes so many more. */
  private static void window(TestClient client, int session, long seen, long window) {
    client.perform(
        session,
        TestClient.FLOW,
        uint(seen),
        uint(window),
        uint(0),
        uint(2048),
        uint(1),
        uint(0),
        uint(1_000));
  }

  // --- in sum ---

  @Test
  void manyConnectionsThatDoNotReadHoldNoMoreThanTheRoomInSum() {
    var sockets = new ArrayList<SlowChannel>();
    var clients = new ArrayList<TestClient>();
    for (var i = 0; i < 30; i++) {
      sockets.add(new SlowChannel());
      clients.add(receiver(sockets.getLast()));
    }

    send(300);
    seconds(3);

    assertThat(broker.underWay()).isBetween(OF_ONE_QUEUE, OF_ONE_QUEUE + 2 * SIZE);
    assertThat(sockets.stream().mapToLong(SlowChannel::waiting).sum()).isLessThan(ROOM + 2 * SIZE);
    sockets.forEach(socket -> takes(socket, ALL));
    seconds(2);
    assertThat(clients.stream().mapToInt(each -> each.take(TRANSFER).size()).sum()).isEqualTo(300);
    assertThat(broker.underWay()).isZero();
  }

  @Test
  void manySessionsWithAWindowOfOneFrameHoldNoMoreThanTheRoomInSum() {
    var client = broker.client();
    for (var session = 0; session < 20; session++) {
      if (session > 0) {
        client.begin(session);
      }
      client.receiver(session, 1, "r" + session, "q5", "there", PEEK_LOCK);
      window(client, session, 0, 1);
    }

    for (var i = 0; i < 20; i++) {
      sender.inFrames(0, TestMessage.text("x".repeat(200_000)), SIZE).forget();
    }
    seconds(3);

    assertThat(broker.underWay()).isBetween(OF_ONE_QUEUE, OF_ONE_QUEUE + 250_000);
    assertThat(client.take(TRANSFER)).hasSizeBetween(3, 9);
  }

  // --- until it has left ---

  @Test
  void whatTheSocketHasNotTakenCounts() {
    var socket = new SlowChannel();
    var client = receiver(socket);

    send(2);
    seconds(3);

    assertThat(socket.waiting()).isGreaterThan(2 * SIZE);
    assertThat(broker.underWay()).isGreaterThan(2 * SIZE);
    takes(socket, ALL);
    assertThat(client.take(TRANSFER)).hasSize(2);
    assertThat(broker.underWay()).isZero();
  }

  @Test
  void littleThatTheSocketHasNotTakenCountsToo() {
    var socket = new SlowChannel();
    receiver(socket);

    sender.message(0, TestMessage.text("small"));
    seconds(3);
    assertThat(broker.underWay()).isPositive();
    sender.message(0, TestMessage.text("small"));
    seconds(3);
    takes(socket, ALL);
    seconds(2);

    assertThat(broker.underWay()).isZero();
  }

  @Test
  void aDeliveryThatIsHalfOutCountsWhole() {
    var client = broker.client().receiver(0, 1, "q5", PEEK_LOCK);
    window(client, 0, 0, 1);

    sender.inFrames(0, TestMessage.text("x".repeat(200_000)), SIZE);
    seconds(3);

    assertThat(client.take(TRANSFER)).hasSize(1);
    assertThat(broker.underWay()).isGreaterThan(200_000);
    window(client, 0, 1, 3);
    seconds(2);
    assertThat(client.take(TRANSFER)).hasSize(3);
    assertThat(broker.underWay()).isZero();
  }

  @Test
  void whoLeavesADeliveryHalfOutIsDetached() {
    var client = broker.client().receiver(0, 1, "q5", PEEK_LOCK);
    window(client, 0, 0, 1);
    sender.inFrames(0, TestMessage.text("x".repeat(200_000)), SIZE);

    seconds(62);

    assertThat(condition(client.one(DETACH).field(2)))
        .isEqualTo(Conditions.RESOURCE_LIMIT_EXCEEDED);
    assertThat(broker.underWay()).isZero();
  }

  @Test
  void aLargeMessageCountsForWhatPassesAtATime() {
    var socket = new SlowChannel();
    receiver(socket);

    sender.inFrames(0, TestMessage.text("y".repeat(LARGE)), SIZE);

    assertThat(broker.underWay()).isEqualTo(1 << 20);
    assertThat(socket.waiting()).isBetween(200_000L, 1L << 20);
  }

  // --- a little now and then ---

  /** Takes a few bytes every half minute. */
  private static void drip(UnreadDeliveriesTest test, SlowChannel socket, int seconds) {
    for (var past = 0; past < seconds; past += 30) {
      test.takes(socket, 50);
      test.seconds(30);
    }
  }

  @Test
  void whoTakesAFewBytesNowAndThenIsClosedWhereRoomIsScarce() {
    var socket = new SlowChannel();
    receiver(socket);
    send(18);

    drip(this, socket, 120);

    assertThat(socket.isOpen()).isFalse();
    assertThat(broker.underWay()).isZero();
  }

  @Test
  void whoTakesAFewBytesNowAndThenStaysWhereNobodyWaits() {
    var socket = new SlowChannel();
    receiver(socket);
    send(8);

    drip(this, socket, 210);

    assertThat(socket.isOpen()).isTrue();
  }

  @Test
  void whoTakesNothingIsClosedThoughTheSocketIsNotFull() {
    var socket = new SlowChannel();
    receiver(socket);
    send(1);
    assertThat(socket.isWritable()).isTrue();

    seconds(119);
    assertThat(socket.isOpen()).isTrue();
    seconds(4);

    assertThat(socket.isOpen()).isFalse();
    assertThat(broker.underWay()).isZero();
  }

  @Test
  void aSlowReaderOfALargeMessageIsNotCutThoughRoomIsScarce() {
    var socket = new SlowChannel();
    var client = receiver(socket);
    sender.inFrames(0, TestMessage.text("y".repeat(LARGE)), SIZE);
    assertThat(broker.shard.room().isDeliveryScarce()).isTrue();

    for (var second = 0; second < 200; second++) {
      takes(socket, 10_000);
      seconds(1);
    }

    assertThat(socket.isOpen()).isTrue();
    takes(socket, ALL);
    seconds(2);
    assertThat(client.take(DETACH)).isEmpty();
    assertThat(client.take(TRANSFER)).hasSizeGreaterThan(40);
    assertThat(broker.underWay()).isZero();
  }

  @Test
  void whoTakesAFrameNowAndThenIsDetachedWhereRoomIsScarce() {
    var client = broker.client().receiver(0, 1, "q5", PEEK_LOCK);
    window(client, 0, 0, 0);
    send(18);
    window(broker.client().receiver(0, 1, "q5", PEEK_LOCK), 0, 0, 0);
    send(2);

    seconds(40);
    window(client, 0, 0, 1);
    assertThat(client.take(DETACH)).isEmpty();
    assertThat(broker.shard.room().isDeliveryScarce()).isTrue();
    seconds(22);

    var detach = client.one(DETACH);
    assertThat(condition(detach.field(2))).isEqualTo(Conditions.RESOURCE_LIMIT_EXCEEDED);
    assertThat(String.valueOf(detach.field(2))).contains("an eighth");
  }

  /** Or a large message of each of many queues would wait for a minute of each of them. */
  @Test
  void whoTakesNothingGoesInSecondsWhereAQueueGetsNothingForWantOfRoom() {
    var client = broker.client().receiver(0, 1, "q5", PEEK_LOCK);
    window(client, 0, 0, 0);
    send(18);
    for (var i = 0; i < 8; i++) {
      window(broker.client().receiver(0, 1, "q5", PEEK_LOCK), 0, 0, 0);
    }
    send(20);
    broker.queue("small", 300_000, 10, 8 << 20);
    var small = broker.client().receiver(0, 1, "small", PEEK_LOCK);
    window(small, 0, 0, 0);
    broker.client().sender(0, 0, "small").message(0, TestMessage.text("little"));
    assertThat(broker.shard.room().isDeliveryScarce()).isTrue();
    seconds(20);
    assertThat(client.take(DETACH)).isEmpty();

    broker.queue("large", 300_000, 10, 8 << 20);
    var other = broker.client().receiver(0, 1, "large", PEEK_LOCK).forget().credit(1, 1);
    var large = TestMessage.text("z".repeat(800_000));
    broker.client().sender(0, 0, "large").inFrames(0, large, SIZE);
    assertThat(broker.shard.room().isDeliveryAwaited()).isTrue();
    seconds(9);
    assertThat(client.take(DETACH)).isEmpty();
    seconds(3);

    var detach = client.one(DETACH);
    assertThat(condition(detach.field(2))).isEqualTo(Conditions.RESOURCE_LIMIT_EXCEEDED);
    assertThat(small.take(DETACH)).as("who holds little may pause").isEmpty();
    assertThat(other.take(TRANSFER)).isNotEmpty();
    assertThat(broker.shard.room().isDeliveryAwaited()).isFalse();
  }

  // --- what nothing else counts ---

  @Test
  void whatTlsAnswersByItselfAndIsNotReadStopsTheReadingToo() {
    var socket = new SlowChannel();
    receiver(socket);

    var answers = Unpooled.buffer();
    while (answers.readableBytes() < 3 << 20) {
      answers.writeLong(0x0000_0008_0200_0000L); // an empty frame
    }
    var unused = socket.writeAndFlush(answers);
    socket.pipeline().fireChannelReadComplete(); // nothing came that is AMQP

    assertThat(socket.config().isAutoRead()).isFalse();
    takes(socket, ALL);
    seconds(1);
    assertThat(socket.config().isAutoRead()).isTrue();
  }

  @Test
  void whoAsksAndDoesNotReadCountsAndIsNotReadFromOnceAnswersAreTooMuch() {
    var socket = new SlowChannel();
    var client = receiver(socket);
    var asks = Unpooled.buffer();
    for (var i = 0; i < 500; i++) {
      asks.writeBytes(
          TestClient.frameBytes(
              0,
              0,
              TestClient.FLOW,
              Arrays.asList(
                  uint(0), uint(9), uint(0), uint(9), null, null, null, null, false, true),
              new byte[0]));
    }

    client.send(asks.copy()).send(asks.copy());
    assertThat(budgets.unreadBytes().taken())
        .isBetween(socket.waiting() - 20_000, socket.waiting());
    assertThat(socket.config().isAutoRead()).isTrue();
    for (var i = 0; i < 100 && socket.config().isAutoRead(); i++) {
      client.send(asks.copy());
    }

    assertThat(socket.config().isAutoRead()).isFalse();
    assertThat(socket.waiting()).isLessThan(budgets.unreadBytes().most() + 100_000);
    takes(socket, ALL);
    seconds(2);
    assertThat(socket.config().isAutoRead()).isTrue();
    assertThat(budgets.unreadBytes().taken()).isZero();
  }
}
