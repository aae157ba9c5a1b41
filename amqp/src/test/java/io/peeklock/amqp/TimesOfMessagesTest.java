package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.there;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.TestMessage.Parsed;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.Timestamp;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * When a message was made and when it expires, as receivers read it: clients take the difference of
 * both as its time to live.
 */
class TimesOfMessagesTest {
  private static final long HUNDRED_DAYS = 100L * 86_400_000;

  private final BrokerFixture broker =
      new BrokerFixture()
          .queue(
              QueueDefinition.named("days").with().defaultTimeToLiveMillis(HUNDRED_DAYS).build());
  private final TestClient client = broker.client();
  private final long now = broker.clock.wallMillis();

  private static byte[] message(
      @Nullable Long ttl, @Nullable Long created, @Nullable Long expires, @Nullable Long due) {
    var message = new TestMessage();
    if (ttl != null) {
      message.section(TestMessage.HEADER, Arrays.asList(null, null, TestClient.uint(ttl)));
    }
    if (due != null) {
      var key = new Symbol("x-opt-scheduled-enqueue-time");
      message.section(TestMessage.ANNOTATIONS, Map.of(key, new Timestamp(due)));
    }
    var fields = new @Nullable Object[11];
    fields[0] = "id";
    fields[8] = expires == null ? null : new Timestamp(expires);
    fields[9] = created == null ? null : new Timestamp(created);
    fields[10] = "behind";
    return message.properties(fields).section(TestMessage.VALUE, "body").bytes();
  }

  private void send(
      String queue,
      @Nullable Long ttl,
      @Nullable Long created,
      @Nullable Long expires,
      @Nullable Long due) {
    client.sender(0, 0, queue).message(0, message(ttl, created, expires, due)).forget();
  }

  /** The message of a queue, as peek and as a receiver show it. */
  private Parsed received(String queue) {
    var node = new RequestClient(client, 0, queue + "/$management", "me");
    var answer =
        node.manage("peek-message", Map.of("from-sequence-number", 0L, "message-count", 1));
    var entry = (Map<?, ?>) there(there((List<?>) answer.body("messages")).getFirst());
    var peeked = Parsed.of(there((byte[]) entry.get("message")));
    client.forget().receiver(0, 1, queue, 0).credit(1, 1);
    var got = Parsed.of(client.one(TRANSFER).payload());
    assertThat(peeked.section(TestMessage.PROPERTIES))
        .isEqualTo(got.section(TestMessage.PROPERTIES));
    assertThat(got.field(TestMessage.PROPERTIES, 10)).isEqualTo("behind");
    return got;
  }

  private static void hasTimes(
      Parsed got, @Nullable Long ttl, @Nullable Long created, @Nullable Long expires) {
    assertThat(got.field(TestMessage.HEADER, 2))
        .isEqualTo(ttl == null ? null : TestClient.uint(ttl));
    assertThat(got.field(TestMessage.PROPERTIES, 8))
        .isEqualTo(expires == null ? null : new Timestamp(expires));
    assertThat(got.field(TestMessage.PROPERTIES, 9))
        .isEqualTo(created == null ? null : new Timestamp(created));
  }

  /** Also when the clock of the sender is wrong: what it reads is what it wrote. */
  @Test
  @Rule("S-080")
  void aTimeToLiveThatAgreesWithBothTimesLeavesThemAsTheyWereSent() {
    send("q", 100_000L, now - 60_000, now + 40_000, null);

    hasTimes(received("q"), 100_000L, now - 60_000, now + 40_000);
  }

  @Test
  @Rule("S-080")
  void withoutAnyTimeToLiveBothAreAsTheyWereSent() {
    send("q", null, now - 7, now + 100, null);

    hasTimes(received("q"), null, now - 7, now + 100);
  }

  /** A sender says when its message ends and does not say how long it lives. */
  @Test
  @Rule({"S-080", "S-081"})
  void anEndAloneComesBackAndEndsNothing() {
    send("q", null, null, now + 1_000, null);
    broker.advance(Duration.ofSeconds(30));

    hasTimes(received("q"), null, null, now + 1_000);
  }

  @Test
  @Rule({"S-164", "S-081"})
  void anEndOfTheEntitysIsSaidInBothTimes() {
    send("days", null, now - 5, null, null);

    hasTimes(received("days"), 0xffff_ffffL, now, now + HUNDRED_DAYS);
  }

  @Test
  @Rule({"S-164", "S-165"})
  void theShorterTimeToLiveOfTheEntityIsSaidInBothTimes() {
    var year = 365L * 86_400_000;
    send("days", 0xffff_ffffL, now - 5, now - 5 + year, null);

    hasTimes(received("days"), 0xffff_ffffL, now, now + HUNDRED_DAYS);
  }

  /** As Java and Go send. */
  @Test
  @Rule("S-080")
  void aTimeToLiveWithoutTimesGetsBoth() {
    send("q", 50_000L, null, null, null);

    hasTimes(received("q"), 50_000L, now, now + 50_000);
  }

  @Test
  @Rule("S-166")
  void whatIsScheduledLivesFromThenOn() {
    send("q", 10_000L, now, now + 10_000, now + 3_000);
    broker.advance(Duration.ofSeconds(3));

    hasTimes(received("q"), 10_000L, now + 3_000, now + 13_000);
  }

  /** So far behind is a clock that the end would be before the beginning. */
  @Test
  @Rule("S-080")
  void anEndThatWasOverWhenTheMessageCameIsNotItsEnd() {
    send("q", 10_000L, now - 60_000, now - 50_000, null);

    hasTimes(received("q"), 10_000L, now, now + 10_000);
  }

  /** Times that contradict the time to live. */
  @Test
  @Rule("S-080")
  void theTimeToLiveOfTheHeaderRules() {
    send("q", 10_000L, now, now + 20_000, null);

    hasTimes(received("q"), 10_000L, now, now + 10_000);
  }
}
