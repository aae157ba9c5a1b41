package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.ATTACH;
import static io.peeklock.amqp.TestClient.CLOSE;
import static io.peeklock.amqp.TestClient.DETACH;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.condition;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.TestMessage.Parsed;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.Timestamp;
import io.peeklock.amqp.engine.codec.Unsigned;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.access.Policy;
import io.peeklock.runtime.access.Secret;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tokens, and what they open. */
class CbsTest {
  private static final String AUDIENCE = "amqp://localhost/q";

  private final BrokerFixture broker = new BrokerFixture();
  private final TestClient client = broker.anonymous();
  private final RequestClient cbs = new RequestClient(client, 0, "$cbs", "cbs-client-reply-to");

  private String token(String resource) {
    return Sas.token(resource, Policy.ROOT_NAME, BrokerFixture.KEY, inSeconds(600));
  }

  private long inSeconds(long seconds) {
    return broker.clock.wallMillis() / 1_000 + seconds;
  }

  @Test
  @Rule({"T-08", "T-09", "T-12", "S-466", "S-469"})
  void aGoodTokenIsAnsweredInBothSpellingsAndOpensItsEntity() {
    var answer = cbs.putToken(AUDIENCE, token(AUDIENCE));

    var message = answer.message();
    for (var key : new String[] {"status-code", "statusCode"}) {
      assertThat(message.entry(TestMessage.APPLICATION_PROPERTIES, key)).isEqualTo(202);
    }
    assertThat(message.entry(TestMessage.APPLICATION_PROPERTIES, "status-description"))
        .isEqualTo("Accepted");
    assertThat(answer.condition()).isNull();
    assertThat(answer.correlationId()).isEqualTo(new Unsigned.Ulong(1));
    assertThat(client.sender(0, 0, "q").one(ATTACH).field(6)).isNotNull();
  }

  @Test
  @Rule({"S-473", "S-466"})
  void aTokenOpensNothingNewOnceItsKeyIsGone() {
    cbs.putToken(AUDIENCE, token(AUDIENCE));
    assertThat(client.sender(0, 0, "q").one(ATTACH).field(6)).isNotNull();
    client.forget();

    broker.access.replace(List.of(Policy.root(Secret.of("another"))));

    assertThat(condition(client.sender(0, 1, "q").one(DETACH).field(2)))
        .isEqualTo(Conditions.UNAUTHORIZED);
  }

  @Test
  @Rule("T-12")
  void theCorrelationIdKeepsTheTypeOfTheMessageId() {
    for (var id : new Object[] {"text", new UUID(1, 2), new byte[] {5}, new Unsigned.Ulong(0)}) {
      cbs.send(id, Map.of("operation", "put-token"), null);

      assertThat(cbs.answer().correlationId()).isEqualTo(id);
    }
  }

  @Test
  @Rule({"S-465", "S-478", "S-474"})
  void withoutATokenOnlyTheTokenNodeIsOpen() {
    client.sender(0, 0, "q");

    var attach = client.one(ATTACH);
    assertThat(attach.field(5)).isNull();
    assertThat(attach.field(6)).isNull();
    var error = client.one(DETACH).field(2);
    assertThat(condition(error)).isEqualTo(Conditions.UNAUTHORIZED);
    assertThat(String.valueOf(error)).contains("'Send' claim(s) are required");
  }

  @Test
  @Rule({"S-465", "S-466"})
  void whoLeavesTheSaslLayerOutIsUnauthenticatedUntilItPutsAToken() {
    var bare = broker.newClient().bytes("414d515000010000").open().begin(0);
    assertThat(bare.sender(0, 0, "q").one(ATTACH).field(6)).isNull();
    var token = new RequestClient(bare, 0, "$cbs", "reply").putToken(AUDIENCE, token(AUDIENCE));

    bare.sender(0, 4, "q");

    assertThat(token.status()).isEqualTo(202);
    assertThat(bare.one(ATTACH).field(6)).isNotNull();
  }

  @Test
  @Rule({"T-59", "T-11", "S-062"})
  void aMissingEntityIsToldAtPutToken() {
    var answer = cbs.putToken("sb://localhost/nope", token("sb://localhost/nope"));

    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.description())
        .matches("The messaging entity '.*nope' could not be found.*TrackingId:.*");
    assertThat(answer.condition()).isEqualTo(new Symbol(Conditions.NOT_FOUND));
    assertThat(answer.message().entry(TestMessage.APPLICATION_PROPERTIES, "error-condition"))
        .as("Python loses the status over it")
        .isNull();
  }

  @Test
  @Rule({"S-468", "S-469"})
  void badExpiredAndForeignTokensAre401() {
    var wrongKey = Sas.token(AUDIENCE, Policy.ROOT_NAME, "other", inSeconds(600));
    var nobody = Sas.token(AUDIENCE, "nobody", BrokerFixture.KEY, inSeconds(600));
    var expired = Sas.token(AUDIENCE, Policy.ROOT_NAME, BrokerFixture.KEY, inSeconds(-600));

    var refused = cbs.putToken(AUDIENCE, wrongKey);
    assertThat(refused.status()).isEqualTo(401);
    assertThat(refused.condition()).isEqualTo(new Symbol(Conditions.UNAUTHORIZED));
    assertThat(refused.description()).startsWith("InvalidSignature: ");
    assertThat(cbs.putToken(AUDIENCE, nobody).status()).isEqualTo(401);
    var late = cbs.putToken(AUDIENCE, expired);
    assertThat(late.status()).isEqualTo(401);
    assertThat(late.description())
        .startsWith("ExpiredToken: The token is expired. Expiration time: 20");
    assertThat(cbs.putToken(AUDIENCE, token("sb://localhost/other")).status()).isEqualTo(401);
    assertThat(cbs.putToken(AUDIENCE, "nonsense").status()).isEqualTo(401);
    var jwt = cbs.ask(Map.of("operation", "put-token", "type", "jwt", "name", AUDIENCE), "a.b.c");
    assertThat(jwt.status()).isEqualTo(401);
  }

  /** Some programs sign for a host without a scheme; an entity must not pass for a host. */
  @ParameterizedTest
  @Rule("S-469")
  @CsvSource({
    "localhost, 202",
    "LOCALHOST/q, 202",
    "localhost/, 202",
    "localhost/other, 401",
    "q, 202",
    "elsewhere, 401",
    "elsewhere/q, 401",
    "localhost.evil.example/q, 401",
  })
  void aTokenMayBeForAHostWithoutAScheme(String resource, int status) {
    assertThat(cbs.putToken(AUDIENCE, token(resource)).status()).isEqualTo(status);
  }

  @Test
  @Rule("S-515")
  void whatIsMissingIsToldUnderTheNameThatTheClientUses() {
    var client =
        broker.newClient().bytes("414d515000010000").open("shop.servicebus.example:5671").begin(0);
    var answer =
        new RequestClient(client, 0, "$cbs", "me")
            .putToken("sb://localhost/nope", token("sb://localhost/nope"));

    assertThat(answer.description())
        .startsWith(
            "The messaging entity 'sb://shop.servicebus.example:5671/nope' could not be found.")
        .contains("SystemTracker:shop.servicebus.example:5671:");
    var odd = broker.newClient().bytes("414d515000010000").open("a b{0}").begin(0);
    assertThat(
            new RequestClient(odd, 0, "$cbs", "me")
                .putToken("sb://localhost/nope", token("sb://localhost/nope"))
                .description())
        .startsWith("The messaging entity 'sb://localhost/nope' could not be found.");
  }

  @Test
  @Rule({"S-466", "S-468"})
  void aSignedTokenUnderTheNameOfAJwtIsJudgedByItsSignature() {
    var wrongKey = Sas.token(AUDIENCE, Policy.ROOT_NAME, "other", inSeconds(600));
    var asJwt = Map.<String, Object>of("operation", "put-token", "type", "jwt", "name", AUDIENCE);

    assertThat(cbs.ask(asJwt, wrongKey).status()).isEqualTo(401);
    assertThat(cbs.ask(asJwt, token(AUDIENCE)).status()).isEqualTo(202);
  }

  @Test
  @Rule({"T-57", "T-18"})
  void aTokenOfTheNamespaceOpensAnyEntityWhateverItsHost() {
    broker.queue(QueueDefinition.named("My Queue"));

    var answer = cbs.putToken("amqps://h:1/my%20queue/$management", token("http://elsewhere:99/"));
    var another = cbs.putToken("sb://localhost/My Queue", token("https://x/MY%20queue"));

    assertThat(answer.status()).isEqualTo(202);
    assertThat(another.status()).isEqualTo(202);
    for (var address : new String[] {"/my%20queue", "amqps://l:5672/my queue", "My Queue"}) {
      client.forget().receiver(0, 9, "r" + address, address, "t", 0);
      var attach = client.one(ATTACH);
      assertThat(String.valueOf(attach.field(5))).contains(address);
      client.perform(0, DETACH, TestClient.uint(9), true, null);
    }
  }

  @Test
  @Rule("T-55")
  void anExpirationOfAnyTypeIsIgnored() {
    for (var expiration : new Object[] {"1893456000", new Timestamp(1), 5L}) {
      var answer =
          cbs.ask(
              Map.of(
                  "operation",
                  "put-token",
                  "type",
                  "servicebus.windows.net:sastoken",
                  "name",
                  AUDIENCE,
                  "expiration",
                  expiration),
              token(AUDIENCE));

      assertThat(answer.status()).isEqualTo(202);
    }
  }

  @Test
  @Rule({"T-13", "T-14", "T-15"})
  void answersGoToTheSessionThatAsked() {
    client.begin(1);
    var second = new RequestClient(client, 1, "$cbs", "cbs-client-reply-to");
    var other = broker.anonymous();
    var nameless = new RequestClient(other, 0, "$cbs", null);

    second.send("from-two", Map.of("operation", "put-token"), null);
    nameless.send("from-other", Map.of("operation", "put-token"), null);

    var frame = client.one(TRANSFER);
    assertThat(frame.channel()).isEqualTo(1);
    assertThat(Parsed.of(frame.payload()).field(TestMessage.PROPERTIES, 5)).isEqualTo("from-two");
    assertThat(nameless.answer().correlationId()).isEqualTo("from-other");
  }

  @Test
  @Rule("T-15")
  void ofSeveralReplyLinksTheOneThatIsNamedAnswersElseTheFirstThatIsLeft() {
    client.receiver(0, 82, "second", "$cbs", "elsewhere", 0);
    client.credit(0, 82, 0, 100, false).forget();
    var first = 1; // as the broker numbers its links: the own one for requests came before
    var second = 2;

    assertThat(answeredOn("elsewhere")).isEqualTo(second);
    assertThat(answeredOn("second")).isEqualTo(second);
    assertThat(answeredOn("cbs-client-reply-to")).isEqualTo(first);
    assertThat(answeredOn("nowhere")).isEqualTo(first);
    assertThat(answeredOn(null)).isEqualTo(first);

    client.perform(0, DETACH, TestClient.uint(RequestClient.REPLIES), true, null);
    assertThat(answeredOn("cbs-client-reply-to")).isEqualTo(second);

    client.perform(0, DETACH, TestClient.uint(82), true, null);
    new RequestClient(client, 0, "elsewhere").send("id", Map.of("operation", "put-token"), null);
    assertThat(client.take(TRANSFER)).isEmpty();
  }

  @Test
  @Rule("T-15")
  void theReplyLinkMayBeOnAnotherSession() {
    for (var node : List.of("$cbs", "q/$management")) {
      var other = broker.client().begin(1).begin(2);
      other.sender(0, 80, node).receiver(1, 81, "one", node, "a", 0);
      other.receiver(2, 82, "two", node, "b", 0).credit(1, 81, 0, 9, false);
      other.credit(2, 82, 0, 9, false).forget();

      assertThat(sessionOfAnswer(other, "a")).isEqualTo(1);
      assertThat(sessionOfAnswer(other, "b")).isEqualTo(2);
      assertThat(sessionOfAnswer(other, "two")).isEqualTo(2);
      assertThat(sessionOfAnswer(other, null)).isEqualTo(1);

      other.receiver(0, 83, "own", node, "c", 0).credit(0, 83, 0, 9, false).forget();
      assertThat(sessionOfAnswer(other, "b")).as("who is named").isEqualTo(2);
      assertThat(sessionOfAnswer(other, "nowhere")).as("the nearest").isZero();

      other.perform(0, DETACH, TestClient.uint(83), true, null);
      other.perform(1, DETACH, TestClient.uint(81), true, null).forget();
      assertThat(sessionOfAnswer(other, "a")).isEqualTo(2);
      other.perform(2, DETACH, TestClient.uint(82), true, null).forget();
      new RequestClient(other, 0, "a").send("id", Map.of("operation", "none"), null);
      assertThat(other.take(TRANSFER)).isEmpty();
    }
  }

  private static int sessionOfAnswer(TestClient client, @Nullable String replyTo) {
    new RequestClient(client, 0, replyTo).send("id", Map.of("operation", "none"), null);
    return client.one(TRANSFER).channel();
  }

  private int answeredOn(@Nullable String replyTo) {
    new RequestClient(client, 0, replyTo).send("id", Map.of("operation", "put-token"), null);
    return (int) client.one(TRANSFER).number(0);
  }

  @Test
  @Rule("T-16")
  void anAnswerWaitsForTheCreditOfItsLink() {
    var poor = broker.anonymous();
    poor.sender(0, 80, "$cbs").receiver(0, 81, "x", "$cbs", "y", 0).forget();
    var request =
        new TestMessage()
            .properties("id")
            .section(TestMessage.APPLICATION_PROPERTIES, Map.of("operation", "put-token"))
            .bytes();

    poor.send(poor.transfer(0, 80, 0, true, request));
    assertThat(poor.take(TRANSFER)).isEmpty();
    poor.credit(81, 1);

    assertThat(poor.take(TRANSFER)).hasSize(1);
  }

  @Test
  @Rule({"T-58", "S-467"})
  void anExpiredTokenDetachesItsLinksUnlessItWasRenewed() {
    var soon = Sas.token(AUDIENCE, Policy.ROOT_NAME, BrokerFixture.KEY, inSeconds(60));
    cbs.putToken(AUDIENCE, soon);
    client.sender(0, 0, "q").forget();

    broker.advance(Duration.ofMinutes(5));
    var renewed = Sas.token(AUDIENCE, Policy.ROOT_NAME, BrokerFixture.KEY, inSeconds(120));
    cbs.putToken(AUDIENCE, renewed);
    broker.advance(Duration.ofSeconds(100));
    assertThat(client.take(DETACH)).isEmpty();
    client.message(0, TestMessage.text("still here"));
    broker.advance(Duration.ofSeconds(330));

    var detach = client.one(DETACH);
    assertThat(condition(detach.field(2))).isEqualTo(Conditions.UNAUTHORIZED);
    assertThat(String.valueOf(detach.field(2))).contains("expired");
  }

  @Test
  @Rule({"S-467", "S-474"})
  void aTokenWithOtherRightsKeepsNoLinkLongerThanItsOwn() {
    var soon = Sas.token(AUDIENCE, "sender", BrokerFixture.SEND_KEY, inSeconds(60));
    cbs.putToken(AUDIENCE, soon);
    client.sender(0, 0, "q").forget();
    var listening = Sas.token(AUDIENCE, "listener", BrokerFixture.LISTEN_KEY, inSeconds(3_600));
    cbs.putToken(AUDIENCE, listening);
    client.receiver(0, 1, "q", 0).forget();

    broker.advance(Duration.ofSeconds(350));
    assertThat(client.take(DETACH)).isEmpty();
    client.sender(0, 2, "q");
    assertThat(client.take(DETACH)).as("it opens nothing new").hasSize(1);
    client.forget();
    client.begin(1);
    var node = new RequestClient(client, 1, "q/$management", "schedules");
    assertThat(node.manage("cancel-scheduled-message", Map.of()).status()).isEqualTo(401);
    client.forget();
    broker.advance(Duration.ofSeconds(20));

    assertThat(condition(client.one(DETACH).field(2))).isEqualTo(Conditions.UNAUTHORIZED);
    client.forget();
    broker.advance(Duration.ofSeconds(200));
    assertThat(client.take(DETACH)).as("the receiver's token goes on").isEmpty();
  }

  @Test
  @Rule("S-465")
  void aConnectionWithoutATokenIsClosedAfterTwentySeconds() {
    broker.advance(Duration.ofMillis(19_900));
    assertThat(client.take(CLOSE)).isEmpty();

    broker.advance(Duration.ofMillis(200));

    assertThat(condition(client.one(CLOSE).field(0))).isEqualTo(Conditions.UNAUTHORIZED);
  }

  @Test
  void guessingEndsTheConnection() {
    for (var i = 0; i < 9; i++) {
      assertThat(cbs.putToken(AUDIENCE, "guess " + i).status()).isEqualTo(401);
    }
    assertThat(client.take(CLOSE)).isEmpty();

    cbs.send("last", Map.of("operation", "put-token", "name", AUDIENCE), "guess");

    assertThat(condition(client.one(CLOSE).field(0))).isEqualTo(Conditions.UNAUTHORIZED);
  }
}
