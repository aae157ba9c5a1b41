package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.ATTACH;
import static io.peeklock.amqp.TestClient.CLOSE;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.condition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.amqp.engine.codec.Unsigned;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.limit.AmqpBudgets;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.access.Policy;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What somebody without a token may have: enough to put one, and no more. */
class UnauthenticatedTest {
  /** Bytes of an answer of a token node at most. */
  private static final int ANSWER = 600;

  private static final String AUDIENCE = "amqp://localhost/q";

  private final AmqpBudgets budgets = AmqpBudgets.of(64 << 20, 64 << 20);
  private final BrokerFixture broker = new BrokerFixture(budgets);
  private final TestClient client = broker.anonymous();

  private String token(String resource) {
    return Sas.token(
        resource, Policy.ROOT_NAME, BrokerFixture.KEY, broker.clock.wallMillis() / 1_000 + 600);
  }

  private long everything() {
    return budgets.unauthenticatedLinks().taken()
        + budgets.unauthenticatedBytes().taken()
        + budgets.links().taken()
        + budgets.partialBytes().taken()
        + budgets.replyBytes().taken()
        + budgets.transactions().taken();
  }

  @Test
  @Rule("S-465")
  void sixteenLinksAreAttachedAndTheNextEndsTheConnection() {
    for (var handle = 0; handle < AmqpBudgets.UNAUTHENTICATED_LINKS; handle++) {
      client.sender(0, handle, "$cbs");
    }
    assertThat(client.take(ATTACH)).hasSize(AmqpBudgets.UNAUTHENTICATED_LINKS);
    assertThat(client.take(CLOSE)).isEmpty();

    client.sender(0, 90, "$cbs");

    assertThat(condition(client.one(CLOSE).field(0))).isEqualTo(Conditions.RESOURCE_LIMIT_EXCEEDED);
    assertThat(everything()).isZero();
    assertThat(budgets.uses().getFirst().refused()).isEqualTo(1);
  }

  @Test
  @Rule({"S-465", "S-466"})
  void whoPutsATokenMayHaveMoreAndTakesFromTheOtherBudget() {
    new RequestClient(client, 0, "$cbs", "reply").putToken(AUDIENCE, token(AUDIENCE));
    assertThat(budgets.unauthenticatedLinks().taken()).isZero();
    assertThat(budgets.links().taken()).isPositive();

    for (var handle = 0; handle < 2 * AmqpBudgets.UNAUTHENTICATED_LINKS; handle++) {
      client.sender(0, handle, "q");
    }

    assertThat(client.take(ATTACH)).hasSize(2 * AmqpBudgets.UNAUTHENTICATED_LINKS);
    assertThat(client.take(CLOSE)).isEmpty();
    client.leave();
    assertThat(everything()).isZero();
  }

  @Test
  @Rule("S-465")
  void requestsHalfSentAreBoundedPerUnauthenticatedClientAndGivenBack() {
    client.sender(0, 0, "$cbs").forget();
    var half = (int) AmqpBudgets.UNAUTHENTICATED_BYTES;

    client.send(client.part(0, new byte[half / 2], true));
    client.send(client.part(0, new byte[half / 2], true));
    assertThat(budgets.unauthenticatedBytes().taken())
        .isEqualTo(2 * AmqpBudgets.UNAUTHENTICATED_BYTES);
    client.send(client.part(0, new byte[1], true));

    assertThat(budgets.unauthenticatedBytes().taken()).isZero();
  }

  @Test
  @Rule("S-465")
  void requestsHalfSentOfAllUnauthenticatedClientsAreBoundedInSum() {
    var few = AmqpBudgets.of(64 << 20, 32 * 1_144); // of which an eighth is left to frames
    var small = new BrokerFixture(few);
    var first = small.anonymous().sender(0, 0, "$cbs").forget();
    var second = small.anonymous().sender(0, 0, "$cbs").forget();
    first.send(first.part(0, new byte[400], true));
    second.send(second.part(0, new byte[100], true));
    assertThat(few.unauthenticatedBytes().taken()).isEqualTo(1_000);

    second.send(second.part(0, new byte[1], true));

    assertThat(few.unauthenticatedBytes().taken()).isEqualTo(800);
    first.leave();
    second.leave();
    assertThat(few.unauthenticatedBytes().taken()).isZero();
  }

  /** Attaches links while that does not close it, and asks without taking the answers. */
  private static void takesAllItCan(BrokerFixture small, AmqpBudgets few) {
    var links = few.unauthenticatedLinks();
    var before = links.taken();
    var greedy = small.anonymous().receiver(0, 1, "replies", "$cbs", "reply", 0);
    greedy.sender(0, 0, "$cbs");
    for (var size = 900; size >= 9; size /= 10) {
      for (var handle = 0; handle < 4; handle++) {
        var weight = 2_048 + 16L * (3 * size + 300);
        if (links.takeFairly(links.taken() - before, weight)) {
          links.give(weight);
          greedy.sender(0, 1_000 + size + handle, "$cbs" + "x".repeat(size));
        }
      }
    }
    var cbs = new RequestClient(greedy, 0, "reply");
    var asking = few.unauthenticatedBytes().taken();
    for (var asked = 0; asked < 100; asked++) {
      if (few.unauthenticatedBytes()
          .takeFairly(few.unauthenticatedBytes().taken() - asking, ANSWER)) {
        few.unauthenticatedBytes().give(ANSWER);
        cbs.sendOn(0, new Unsigned.Ulong(1), Map.of("operation", "nothing"), null);
      }
    }
    greedy.forget();
    assertThat(greedy.take(CLOSE)).isEmpty();
  }

  /** They take all that they can get, of links and of answers that nobody fetches. */
  @Test
  @Rule({"S-465", "I-46"})
  void howeverGreedyUnauthenticatedClientsAreWhoComesNextPutsItsToken() {
    var few = AmqpBudgets.of(16 * 600_000, 32 * 40_000);
    var small = new BrokerFixture(few);
    for (var i = 0; i < 20; i++) {
      takesAllItCan(small, few);
    }
    assertThat(few.unauthenticatedLinks().taken()).isGreaterThan(250_000);
    assertThat(few.unauthenticatedBytes().taken()).isGreaterThan(15_000);

    var next = small.anonymous();
    var answer = new RequestClient(next, 0, "$cbs", "reply").putToken(AUDIENCE, token(AUDIENCE));

    assertThat(answer.status()).isEqualTo(202);
  }

  @Test
  @Rule({"S-465", "T-16"})
  void answersThatAnUnauthenticatedClientGivesNoCreditForEndTheirLinkSoon() {
    client.sender(0, 0, "$cbs");
    client.receiver(0, 1, "replies", "$cbs", "reply", 0).forget();
    var cbs = new RequestClient(client, 0, "reply");
    var asked = 0;
    while (client.take(TestClient.DETACH).isEmpty() && asked++ < 1_000) {
      cbs.sendOn(0, new Unsigned.Ulong(1), Map.of("operation", "nothing"), null);
    }

    assertThat(asked).isBetween(20, 999);
    assertThat(budgets.unauthenticatedBytes().taken()).isZero();
    assertThat(client.take(TRANSFER)).isEmpty();
  }

  @Test
  @Rule("S-466")
  void audiencesOfTokensWeighUntilTheTokenEndsOrTheConnection() {
    var cbs = new RequestClient(client, 0, "$cbs", "reply");
    cbs.putToken(AUDIENCE, token(AUDIENCE));
    var ofLinks = budgets.links().taken();

    cbs.putToken("amqp://localhost/", token("amqp://localhost/"));
    assertThat(budgets.links().taken()).isGreaterThan(ofLinks);
    cbs.putToken("amqp://localhost/", token("amqp://localhost/"));
    var once = budgets.links().taken();
    broker.advance(Duration.ofSeconds(601));
    assertThat(budgets.links().taken()).isLessThan(once);
    client.leave();

    assertThat(everything()).isZero();
  }

  @Test
  @Rule("S-466")
  void whereAudiencesOfAllHaveNoRoomATokenIsRefused() {
    budgets.links().take(budgets.links().most());

    var answer = new RequestClient(client, 0, "$cbs", "reply").putToken(AUDIENCE, token(AUDIENCE));

    assertThat(answer.status()).isEqualTo(403);
  }

  @Test
  @Rule("S-465")
  void aTokenThatOpensNothingDoesNotStopTheClock() {
    var answer =
        new RequestClient(client, 0, "$cbs", "reply")
            .putToken("sb://localhost/nope", token("sb://localhost/nope"));
    assertThat(answer.status()).isEqualTo(404);

    broker.advance(Duration.ofSeconds(20));

    assertThat(condition(client.one(CLOSE).field(0))).isEqualTo(Conditions.UNAUTHORIZED);
  }

  @Test
  @Rule("I-46")
  void whoOwesNoAnswersComesInHoweverManyOthersDoNotRead() {
    var unused = budgets.replyBytes().takeAnyway(budgets.replyBytes().most() + 1);

    var cbs = new RequestClient(client, 0, "$cbs", "reply");
    assertThatThrownBy(() -> cbs.putToken(AUDIENCE, token(AUDIENCE)))
        .as("there is no room for the answer")
        .hasMessageContaining("expected one answer");

    assertThat(client.take(CLOSE)).isEmpty();
    assertThat(budgets.unauthenticatedLinks().taken()).as("it is known").isZero();
  }

  @Test
  void aTokenIsOfNoUseWhenTheOtherBudgetIsEmpty() {
    assertThat(budgets.links().take(budgets.links().most() - 1_000)).isTrue();

    client.sender(0, 80, "$cbs");
    client.receiver(0, 81, "replies", "$cbs", "reply", 0).forget();
    var cbs = new RequestClient(client, 0, "reply");
    cbs.sendOn(
        80,
        new Unsigned.Ulong(1),
        Map.of(
            "operation", "put-token", "type", "servicebus.windows.net:sastoken", "name", AUDIENCE),
        token(AUDIENCE));

    assertThat(condition(client.one(CLOSE).field(0))).isEqualTo(Conditions.RESOURCE_LIMIT_EXCEEDED);
  }
}
