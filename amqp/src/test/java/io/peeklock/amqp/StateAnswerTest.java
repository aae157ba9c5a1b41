package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.ATTACH;
import static io.peeklock.amqp.TestClient.DETACH;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.limit.AmqpBudgets;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.LargeBody;
import java.nio.ByteBuffer;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Answers with the state of a session: counted before it is read, and copied for those who hear.
 */
class StateAnswerTest {
  private static final Map<String, Object> READ = Map.of("session-id", "a");
  private static final byte[] STATE = new byte[200_000];

  private final AmqpBudgets budgets = AmqpBudgets.of(1 << 30, 64 << 20); // replies have 8 MiB
  private final BrokerFixture broker =
      new BrokerFixture(budgets).queue(QueueDefinition.named("s").withSession(true));
  private final TestClient client = broker.client().sender(0, 0, "s");
  private final RequestClient node = new RequestClient(client, 0, "s/$management", "me");
  private int copied;

  /** Counts who looks at the bytes. */
  private final class Watched implements Bodies {
    private final Bodies inner;

    Watched(Bodies inner) {
      this.inner = inner;
    }

    @Override
    public int count() {
      return inner.count();
    }

    @Override
    public ByteBuffer buffer(int i) {
      copied++;
      return inner.buffer(i);
    }

    @Override
    public int offset(int i) {
      return inner.offset(i);
    }

    @Override
    public int length(int i) {
      return inner.length(i);
    }

    @Override
    public @Nullable LargeBody large(int i) {
      return inner.large(i);
    }

    @Override
    public void release() {
      inner.release();
    }
  }

  StateAnswerTest() {
    broker.journal.handOut(Watched::new);
    client.message(0, TestMessage.inSession("a"));
    client.perform(
        0,
        ATTACH,
        "session",
        TestClient.uint(1),
        true,
        TestClient.ubyte(0),
        TestClient.ubyte(0),
        TestClient.source("s", Map.of(new Symbol("com.microsoft:session-filter"), "a")),
        TestClient.target("t"));
    client.forget();
    var set = Map.of("session-id", "a", "session-state", STATE);
    assertThat(node.inFrames("set-session-state", set, 60_000).status()).isEqualTo(200);
    client.forget();
    copied = 0;
  }

  private void ask() {
    node.send("id", Map.of("operation", "com.microsoft:get-session-state"), READ);
  }

  @Test
  void withoutRoomForTheAnswerTheStateIsNotReadAndTheClientMayTryAgain() {
    var left = budgets.replyBytes().most() - STATE.length / 2;
    assertThat(budgets.replyBytes().take(left)).isTrue();

    var refused = node.manage("get-session-state", READ);

    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.condition()).isEqualTo(new Symbol(Conditions.SERVER_BUSY));
    assertThat(copied).isZero();
    budgets.replyBytes().give(left);
    assertThat(node.manage("get-session-state", READ).body("session-state")).isEqualTo(STATE);
    assertThat(budgets.replyBytes().taken()).isZero();
  }

  @Test
  void aStateCountsAsWhatItIsUntilItIsOnTheSocket() {
    client.credit(0, RequestClient.REPLIES, 0, 0, false).forget();

    ask();

    assertThat(budgets.replyBytes().taken()).isBetween(200_000L, 201_000L);
    client.credit(0, RequestClient.REPLIES, 0, 9, false);
    assertThat(node.answer().body("session-state")).isEqualTo(STATE);
    assertThat(budgets.replyBytes().taken()).isZero();
  }

  @Test
  void whatNobodyHearsIsNotCopied() {
    client.perform(0, DETACH, TestClient.uint(RequestClient.REPLIES), true, null);

    ask();
    node.send(
        "id",
        Map.of("operation", "com.microsoft:peek-message"),
        Map.of("from-sequence-number", 0L, "message-count", 9));

    assertThat(copied).isZero();
    assertThat(budgets.replyBytes().taken()).isZero();
    assertThat(broker.journal.leaks()).isZero();
  }

  @Test
  void aSessionThatIsNotHeldGivesTheReservationBack() {
    assertThat(node.manage("get-session-state", Map.of("session-id", "b")).status()).isEqualTo(410);
    assertThat(budgets.replyBytes().taken()).isZero();
  }
}
