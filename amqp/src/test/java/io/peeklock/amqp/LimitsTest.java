package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.DETACH;
import static io.peeklock.amqp.TestClient.DISPOSITION;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.code;
import static io.peeklock.amqp.TestClient.condition;
import static io.peeklock.amqp.TestClient.inside;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.peeklock.amqp.TestMessage.Parsed;
import io.peeklock.amqp.engine.limits.Budget;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.limit.AmqpBudgets;
import io.peeklock.amqp.limit.AmqpSettings;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.proof.Rule;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What happens when there is too much of something. */
class LimitsTest {
  private static final AmqpSettings.Limits TIGHT =
      new AmqpSettings.Limits(64, 4_000, 10_000, 2, 2_000, 1_000, 1 << 20, 3);

  private final BrokerFixture broker = new BrokerFixture(TIGHT, 3_000);
  private final TestClient client = broker.client().sender(0, 0, "q").forget();

  @Test
  void aFullMailboxStopsTheReadingUntilThereIsRoom() {
    for (var i = 0; i < 3; i++) {
      client.channel.writeInbound(
          client.transfer(
              0,
              0,
              0,
              false,
              new TestMessage().section(TestMessage.DATA, new byte[2_000]).bytes()));
    }

    assertThat(client.channel.config().isAutoRead()).isFalse();
    broker.settle();
    assertThat(client.channel.config().isAutoRead()).isTrue();
    assertThat(client.take(DISPOSITION).getLast().number(2)).isEqualTo(2);
  }

  @Test
  void whoAsksAndNeverReadsTheAnswersIsReadNoMoreUntilItDoes() {
    var socket = new FullSocket();
    client.channel.pipeline().addFirst(socket);
    var question = echo();

    var asked = askUntilItIsNotRead(client, question);

    assertThat(asked).as("questions of some 40 bytes").isBetween(50_000, 300_000);

    socket.takeAll(client.channel.pipeline().firstContext());

    assertThat(client.channel.config().isAutoRead()).isTrue();
    assertThat(client.take(TestClient.FLOW)).hasSize(asked);
    question.release();
  }

  private static ByteBuf echo() {
    var zero = TestClient.uint(0);
    var nine = TestClient.uint(9);
    return TestClient.frameBytes(
        0,
        0,
        TestClient.FLOW,
        Arrays.asList(zero, nine, zero, nine, null, null, null, null, null, true),
        new byte[0]);
  }

  private static int askUntilItIsNotRead(TestClient client, ByteBuf question) {
    var asked = 0;
    while (client.channel.config().isAutoRead() && asked < 1_000_000) {
      var questions = new ByteBuf[1_000];
      Arrays.setAll(questions, i -> question.retainedDuplicate());
      client.channel.writeInbound(Unpooled.wrappedBuffer(questions));
      asked += questions.length;
    }
    return asked;
  }

  @Test
  @Rule("I-46")
  void whoNeverReadsLeavesAllOfTheAnswersToOthersAndAPartOfWhatMayBeUnread() {
    var room = 1 << 20;
    var much = new Budget(64 << 20);
    var budgets = new AmqpBudgets(much, much, much, much, new Budget(8L * room), much);
    var small = new BrokerFixture(budgets);
    var greedy = small.client().sender(0, 0, "q").forget();
    greedy.channel.pipeline().addFirst(new FullSocket());
    var question = echo();

    var asked = askUntilItIsNotRead(greedy, question);

    assertThat(asked).isPositive().isLessThan(1_000_000);
    assertThat(budgets.unreadBytes().taken()).isBetween(room / 2L, room * 7L / 8);
    assertThat(budgets.replyBytes().taken()).isZero();
    question.release();
    var unused = greedy.channel.close();
  }

  /** Takes nothing until it is told to. */
  private static final class FullSocket extends ChannelOutboundHandlerAdapter {
    @Override
    public void flush(ChannelHandlerContext context) {
      // The peer's window is closed.
    }

    void takeAll(ChannelHandlerContext context) {
      context.flush();
    }
  }

  @Test
  void aConnectionHasABoundForWhatIsHalfReceived() {
    client.sender(0, 1, "q").forget();
    half(0);

    half(1);

    assertThat(condition(client.one(DETACH).field(2)))
        .isEqualTo(Conditions.RESOURCE_LIMIT_EXCEEDED);
    var unused = client.channel.close();
  }

  private void half(int handle) {
    client.send(
        TestClient.frameBytes(
            0,
            0,
            TRANSFER,
            Arrays.asList(
                TestClient.uint(handle),
                TestClient.uint(handle),
                new byte[1],
                TestClient.uint(0),
                false,
                true),
            new byte[6_000]));
  }

  @Test
  @Rule("S-102")
  void deliveriesStopAtTheUnsettledLimitAndGoOnAsTheClientSettles() {
    for (var body : new String[] {"a", "b", "c"}) {
      client.message(0, TestMessage.text(body));
    }
    client.receiver(0, 1, "q", 0).forget().credit(1, 5);
    assertThat(client.take(TRANSFER)).hasSize(2);

    client.dispose(0, 0, false, TestClient.accepted());

    assertThat(Parsed.of(client.one(TRANSFER).payload()).body()).isEqualTo("c");
  }

  @Test
  void aRequestThatIsTooLargeAndHasNoIdEndsItsLink() {
    var unused = new RequestClient(client, 0, "q/$management", "me");

    client.inFrames(80, new byte[3_000], 1_000);

    assertThat(client.take(TRANSFER)).isEmpty();
    var error = client.one(TestClient.DETACH).field(2);
    assertThat(TestClient.condition(error)).isEqualTo(Conditions.MESSAGE_SIZE_EXCEEDED);
  }

  @Test
  void answersThatNobodyGivesCreditForEndTheirLink() {
    client.sender(0, 80, "q/$management").receiver(0, 81, "x", "q/$management", "y", 0);
    client.forget();
    var request =
        new TestMessage()
            .properties("id")
            .section(TestMessage.APPLICATION_PROPERTIES, Map.of("operation", "unknown"))
            .bytes();

    for (var i = 0; i < 4; i++) {
      client.send(client.transfer(0, 80, 0, true, request));
    }

    assertThat(condition(client.one(DETACH).field(2)))
        .isEqualTo(Conditions.RESOURCE_LIMIT_EXCEEDED);
  }

  @Test
  @Rule({"S-510", "S-435"})
  void aFullStoreRefusesSendsAndNothingElse() {
    client.message(0, TestMessage.text("a"));
    client.receiver(0, 1, "q", 0).credit(1, 1).forget();
    broker.journal.setTakesSends(false);

    client.message(0, TestMessage.text("b"));
    client.dispose(0, 0, false, TestClient.accepted());

    var answers = client.take(DISPOSITION);
    assertThat(condition(inside(answers.get(0).field(4))))
        .isEqualTo(Conditions.RESOURCE_LIMIT_EXCEEDED);
    assertThat(code(answers.get(1).field(4))).isEqualTo(0x24);
  }

  @Test
  @Rule("S-435")
  void aFullQueueRefusesWhatDoesNotFit() {
    broker.queue(
        new QueueDefinition("tiny", 60_000, 10, QueueDefinition.FOREVER, false, 10_000, 200));
    client.sender(0, 7, "tiny").forget();

    client.send(
        Unpooled.wrappedBuffer(
            client.transfer(0, 7, 0, false, TestMessage.text("fits")),
            client.transfer(0, 7, 0, false, TestMessage.text("x".repeat(200)))));
    client.send(
        client.transfer(
            0,
            7,
            0x80013700,
            false,
            new TestMessage()
                .section(TestMessage.DATA, TestMessage.text("y".repeat(200)))
                .bytes()));

    var answers = client.take(DISPOSITION);
    assertThat(answers)
        .extracting(answer -> code(answer.field(4)))
        .containsExactly(0x24L, 0x25L, 0x25L);
    assertThat(condition(inside(answers.get(2).field(4))))
        .isEqualTo(Conditions.RESOURCE_LIMIT_EXCEEDED);
  }
}
