package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.ATTACH;
import static io.peeklock.amqp.TestClient.DETACH;
import static io.peeklock.amqp.TestClient.DISPOSITION;
import static io.peeklock.amqp.TestClient.condition;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.limit.AmqpBudgets;
import io.peeklock.amqp.limit.AmqpSettings;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.proof.Rule;
import java.io.ByteArrayOutputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A link takes the batches that it announces, to the last byte. */
class BatchSizeTest {
  private static final int BATCH = 0x80013700;
  private static final int MIB = 1 << 20;
  private static final int FRAME = 60_000;
  private static final byte[] SMALLEST = {0, 0x53, 0x75, (byte) 0xa0, 0};

  private final BrokerFixture broker = broker(4 * MIB, AmqpBudgets.ofProcess());
  private TestClient client = broker.client();

  private static BrokerFixture broker(int batchBytes, AmqpBudgets budgets) {
    return new BrokerFixture(AmqpSettings.Limits.DEFAULT.withBatchBytes(batchBytes), budgets)
        .queue(QueueDefinition.named("s").withSession(true))
        .queue(QueueDefinition.named("d").withDuplicateWindow(20_000))
        .queue(QueueDefinition.named("t").as(new QueueRole.Topic(false)))
        .queue(QueueDefinition.named("t/Subscriptions/a").as(new QueueRole.Subscription("t", true)))
        .queue(QueueDefinition.named("small").with().maxMessageBytes(10_000).build());
  }

  private long announced(String entity) {
    client.forget().sender(0, 0, entity);
    var properties = (Map<?, ?>) TestClient.there(client.one(ATTACH).field(13));
    return (Long)
        TestClient.there(properties.get(new Symbol("com.microsoft:max-message-batch-size")));
  }

  /** A batch of so many bytes: of as many messages as fit, each with a session. */
  private static byte[] batch(long bytes, byte[] message) {
    var out = new ByteArrayOutputStream();
    var each = new TestMessage().section(TestMessage.DATA, message).bytes();
    while (out.size() + 2 * each.length + 300 < bytes) {
      out.writeBytes(each);
    }
    var rest = (int) bytes - out.size();
    for (var body = rest; body > 0; body--) {
      var last = new TestMessage().section(TestMessage.DATA, padded(message, body)).bytes();
      if (last.length == rest) {
        out.writeBytes(last);
        return out.toByteArray();
      }
    }
    throw new AssertionError("no message fills " + rest + " bytes");
  }

  private static byte[] padded(byte[] message, int bytes) {
    var padded = new ByteArrayOutputStream();
    padded.writeBytes(message.length == SMALLEST.length ? new byte[0] : message);
    padded.writeBytes(new TestMessage().section(TestMessage.DATA, new byte[bytes]).bytes());
    return padded.toByteArray();
  }

  private static byte[] ofSession() {
    var properties = new @Nullable Object[11];
    properties[10] = "one";
    return new TestMessage().properties(properties).section(TestMessage.DATA, new byte[0]).bytes();
  }

  private @Nullable String send(byte[] batch) {
    client.forget().inFramesOf(0, BATCH, batch, FRAME);
    assertThat(client.take(DETACH)).isEmpty();
    var outcome = client.one(DISPOSITION).field(4);
    return TestClient.code(outcome) == 0x24 ? null : condition(TestClient.inside(outcome));
  }

  @ParameterizedTest
  @ValueSource(strings = {"q", "s", "d", "t", "small"})
  @Rule({"S-407", "S-408", "S-511"})
  void whatIsAnnouncedIsTaken(String entity) {
    var most = announced(entity);
    var message = entity.equals("s") ? ofSession() : SMALLEST;

    assertThat(most).isEqualTo(entity.equals("small") ? 10_000 : MIB);
    assertThat(send(batch(most, message))).isNull();

    assertThat(broker.journal.leaks()).isZero();
  }

  @Test
  @Rule({"S-407", "S-511"})
  void aByteMoreThanIsTakenIsRefusedAtOnce() {
    for (var most : new int[] {256 << 10, MIB}) {
      var tier = broker(most, AmqpBudgets.ofProcess());
      client = tier.client();
      assertThat(announced("q")).isEqualTo(most);

      assertThat(send(batch(most + 1, SMALLEST))).isEqualTo(Conditions.MESSAGE_SIZE_EXCEEDED);
      assertThat(send(batch(most, SMALLEST))).isNull();
      assertThat(tier.journal.leaks()).isZero();
    }
  }

  @Test
  @Rule({"S-407", "S-408"})
  void aLargerOneIsTakenWhereItHasNotTooManyMessages() {
    announced("q");

    assertThat(send(batch(4 * MIB, TestMessage.text("x".repeat(100))))).isNull();
    assertThat(send(batch(4 * MIB + 1, TestMessage.text("x".repeat(100)))))
        .isEqualTo(Conditions.MESSAGE_SIZE_EXCEEDED);
    assertThat(send(batch(2 * MIB, SMALLEST))).isEqualTo(Conditions.MESSAGE_SIZE_EXCEEDED);
  }

  @Test
  @Rule({"S-431", "S-407"})
  void theRefusalNamesTheSizeOfAllOfIt() {
    announced("q");
    var size = 4 * MIB + 5 * FRAME;

    client.forget().inFramesOf(0, BATCH, batch(size, TestMessage.text("x".repeat(100))), FRAME);

    assertThat(String.valueOf(client.one(DISPOSITION).field(4)))
        .contains("size:" + size + " bytes", "limit (" + 4 * MIB + " bytes)");
  }

  @Test
  @Rule({"S-407", "S-511"})
  void aLargerOneForWhichThereIsNoRoomIsRefusedAndTheLinkStays() {
    var little = broker(32 * MIB, AmqpBudgets.of(230L << 20, 76L << 20));
    client = little.client();
    announced("q");

    assertThat(send(batch(12 * MIB, TestMessage.text("x".repeat(1_000)))))
        .isEqualTo(Conditions.MESSAGE_SIZE_EXCEEDED);
    assertThat(send(batch(MIB, SMALLEST))).isNull();
  }

  @Test
  @Rule({"S-405", "S-408"})
  void fiveThousandLittleMessagesAreABatch() {
    announced("q");
    var out = new TestMessage();
    for (var i = 0; i < 5_000; i++) {
      out.section(TestMessage.DATA, TestMessage.text("0123456789"));
    }

    assertThat(send(out.bytes())).isNull();

    client.receiver(0, 1, "q", 1).credit(1, 6_000);
    assertThat(client.take(TestClient.TRANSFER)).hasSizeGreaterThan(2_000);
  }
}
