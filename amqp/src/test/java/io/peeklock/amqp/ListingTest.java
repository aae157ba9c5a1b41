package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.there;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.Timestamp;
import io.peeklock.amqp.engine.codec.TypedArray;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.limit.AmqpBudgets;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.proof.Rule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Answers that list something have a bound in bytes, and nobody takes a part for the whole. */
class ListingTest {
  private static final long NETWORK = 8 << 20; // one answer may have 256 KiB of it
  private static final Timestamp ALL = new Timestamp(253_402_300_799_999L);

  private final AmqpBudgets budgets = AmqpBudgets.of(1 << 30, NETWORK);
  private final BrokerFixture broker =
      new BrokerFixture(budgets)
          .queue(QueueDefinition.named("s").with().requiresSession(true).build())
          .queue(QueueDefinition.named("t").as(new QueueRole.Topic(false)))
          .queue(
              QueueDefinition.named("t/Subscriptions/one")
                  .as(new QueueRole.Subscription("t", true)));
  private final TestClient client = broker.client().sender(0, 0, "s");
  private final RequestClient sessions = new RequestClient(client, 0, "s/$management", "me");
  private final RequestClient rules =
      new RequestClient(broker.client(), 0, "t/Subscriptions/one/$management", "me");

  private void send(List<String> sessionIds) {
    for (var id : sessionIds) {
      client.message(0, TestMessage.inSession(id));
      client.forget();
    }
  }

  private RequestClient.Answer list(int skip, int top) {
    return sessions.manage(
        "get-message-sessions", Map.of("last-updated-time", ALL, "skip", skip, "top", top));
  }

  private static List<String> ids(RequestClient.Answer answer) {
    return ((TypedArray) there(answer.body("sessions-ids")))
        .elements().stream().map(String::valueOf).toList();
  }

  @Test
  @Rule({"S-259", "S-260"})
  void aPageOfSessionsHasAsManyBytesAsAnAnswerMayAndSaysWhereToGoOn() {
    var sent = new ArrayList<String>();
    for (var i = 0; i < 1_500; i++) {
      sent.add("\u20ac".repeat(124) + (1_000 + i));
    }
    send(sent);

    var got = new ArrayList<String>();
    var pages = 0;
    for (var page = list(0, 10_000);
        Objects.equals(page.status(), 200);
        page = list(got.size(), 10_000)) {
      got.addAll(ids(page));
      pages++;
      assertThat(page.body("skip")).isEqualTo(got.size());
      assertThat(ids(page)).hasSizeLessThanOrEqualTo((256 << 10) / 376);
    }

    assertThat(got).isEqualTo(sent);
    assertThat(pages).isEqualTo(3);
    assertThat(budgets.replyBytes().taken()).isZero();
  }

  @Test
  @Rule({"S-259", "S-260"})
  void whoSkipsVeryManySessionsIsAnsweredThoughOneDecisionLooksAtAPart() {
    var sent = new ArrayList<String>();
    for (var i = 0; i < 66_000; i++) {
      sent.add("s" + i);
    }
    send(sent);

    assertThat(ids(list(65_990, 20))).isEqualTo(sent.subList(65_990, 66_000));
    assertThat(ids(list(65_530, 10))).isEqualTo(sent.subList(65_530, 65_540));
    assertThat(list(66_000, 10).status()).isEqualTo(204);
  }

  /** One client asks for all at once, another stops at a page that is not full. */
  @Test
  @Rule("S-324")
  void rulesThatOneAnswerDoesNotCarryAreRefusedAndNotLeftOut() {
    var text = "a = '" + "\u20ac".repeat(1_000) + "'";
    var description =
        Map.of(
            "sql-filter", Map.of("expression", text),
            "sql-rule-action", Map.of("expression", "SET " + text));
    for (var i = 0; i < 50; i++) {
      var rule = Map.of("rule-name", "r" + i, "rule-description", description);
      assertThat(rules.manage("add-rule", rule).status()).isEqualTo(200);
    }

    var all = rules.manage("enumerate-rules", Map.of("skip", 0, "top", Integer.MAX_VALUE));
    var some = rules.manage("enumerate-rules", Map.of("skip", 0, "top", 40));
    var others = rules.manage("enumerate-rules", Map.of("skip", 40, "top", 40));

    assertThat(all.status()).isEqualTo(403);
    assertThat(all.condition()).isEqualTo(new Symbol(Conditions.MESSAGE_SIZE_EXCEEDED));
    assertThat(all.description()).contains("Ask for fewer at a time");
    assertThat((List<?>) some.body("rules")).hasSize(40);
    assertThat((List<?>) others.body("rules")).hasSize(11);
    assertThat(budgets.replyBytes().taken()).isZero();
  }

  @Test
  void moreLocksThanOneDecisionRenewsAreRefused() {
    assertThat(renew(4_096).status()).isEqualTo(410);

    var tooMany = renew(4_097);

    assertThat(tooMany.status()).isEqualTo(400);
    assertThat(tooMany.condition()).isEqualTo(new Symbol(Conditions.ARGUMENT_OUT_OF_RANGE));
    assertThat(tooMany.description()).contains("more than 4096 entries");
  }

  private RequestClient.Answer renew(int count) {
    var tokens = Collections.nCopies(count, new UUID(1, 2));
    return sessions.inFrames(
        "renew-lock", Map.of("lock-tokens", TypedArray.ofUuids(tokens)), 30_000);
  }
}
