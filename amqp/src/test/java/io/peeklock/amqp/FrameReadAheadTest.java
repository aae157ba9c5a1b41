package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.DISPOSITION;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.uint;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.limit.AmqpSettings;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** One read of many frames fills the mailbox no further than it may be filled. */
class FrameReadAheadTest {
  private static final int MAILBOX_BYTES = 64 << 10;
  private static final int MANY = 400;

  /** Frames of one read; each is for as many messages as the others. */
  private static final int FRAMES = 20;

  private final BrokerFixture broker =
      new BrokerFixture(AmqpSettings.Limits.DEFAULT, MAILBOX_BYTES);
  private final TestClient client = broker.client().sender(0, 0, "q");

  private void lock() {
    for (var i = 0; i < MANY; i++) {
      client.message(0, TestMessage.text("m"));
    }
    client.forget().receiver(0, 1, "q", 0).credit(1, MANY);
    assertThat(client.take(TRANSFER)).hasSize(MANY);
    client.forget();
  }

  private static ByteBuf abandon(int first, int last) {
    var changed = TestClient.modified(false, Map.of(new Symbol("k"), "x".repeat(500)));
    return TestClient.frameBytes(
        0,
        0,
        DISPOSITION,
        Arrays.asList(true, uint(first), uint(last), false, changed),
        new byte[0]);
  }

  private static ByteBuf abandonAll() {
    var each = MANY / FRAMES;
    var read = Unpooled.buffer();
    for (var first = 0; first < MANY; first += each) {
      read.writeBytes(abandon(first, first + each - 1));
    }
    return read;
  }

  private long inMailbox() {
    return broker.shard.budgets().getFirst().taken();
  }

  private int answered() {
    var sum = 0;
    for (var frame : client.take(DISPOSITION)) {
      sum += (int) ((frame.field(2) == null ? frame.number(1) : frame.number(2)) - frame.number(1));
      sum++;
    }
    return sum;
  }

  @Test
  @Rule("I-46")
  void whatOneReadAsksForWaitsOutsideOfTheMailbox() {
    lock();

    client.gathers(abandonAll()); // 400 changes of 500 bytes, 800 with what each takes

    assertThat(inMailbox()).isPositive().isLessThan(MAILBOX_BYTES);
    broker.settle();
    assertThat(answered()).isEqualTo(MANY);
    assertThat(inMailbox()).isZero();
  }

  @Test
  @Rule("I-46")
  void anotherClientIsReadMeanwhile() {
    broker.queue(QueueDefinition.named("other"));
    var other = broker.client().sender(0, 0, "other");
    lock();
    other.forget();

    client.gathers(abandonAll());
    other.channel.writeInbound(other.transfer(0, 0, 0, false, TestMessage.text("m")));

    assertThat(other.channel.config().isAutoRead()).isTrue();
    assertThat(client.channel.config().isAutoRead()).isFalse();
    broker.settle();
    assertThat(other.take(DISPOSITION)).hasSize(1);
  }

  @Test
  @Rule("S-095")
  void whatWaitsIsHandledBehindTheEndOfTheSocket() {
    lock();

    client.gathers(abandonAll());
    var unused = client.channel.close();
    broker.settle();

    var next = broker.client().receiver(0, 1, "q", 0).credit(1, MANY);
    assertThat(next.take(TRANSFER))
        .hasSize(MANY)
        .allSatisfy(
            frame ->
                assertThat(
                        TestMessage.Parsed.of(frame.payload())
                            .entry(TestMessage.APPLICATION_PROPERTIES, "k"))
                    .isNotNull());
    assertThat(inMailbox()).isZero();
  }

  @Test
  @Rule("I-46")
  void whatWaitsIsLetGoWhenTheShardHasEnded() {
    lock();

    client.gathers(abandonAll());
    var unused = client.channel.close();
    assertThat(broker.edge.liveConnections()).as("it waits").isEqualTo(1);
    broker.journal.fail(new IOException("a write failed"));
    broker.settle();

    assertThat(broker.ended).isNotNull();
    assertThat(broker.edge.liveConnections()).isZero();
    assertThat(inMailbox()).isZero();
  }
}
