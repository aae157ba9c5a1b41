package io.peeklock.http.messages;

import static io.peeklock.http.messages.ApiFixture.header;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.message.Answer;
import io.peeklock.runtime.message.Answer.Misfit;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages with plain requests. */
class MessageRoutesTest {
  private static final String EMPTY_XML = "content-type: application/xml; charset=utf-8";

  private final ApiFixture api = new ApiFixture();

  /** The recorded cycle of runtime-http.md 7, byte for byte where it says so. */
  @Test
  void aMessageIsLockedUnlockedLockedAgainAndDeletedThroughItsLocation() {
    var sent =
        api.ask(
            "POST /Orders/messages",
            "Content-Type: text/plain\r\nBrokerProperties: {\"Label\":\"M1\"}\r\nPriority: \"Low\"\r\n",
            "hello");
    assertThat(sent).startsWith("HTTP/1.1 201 Created\r\n").endsWith("\r\n\r\n");
    assertThat(sent.toLowerCase(Locale.ROOT)).contains(EMPTY_XML);

    var first = api.ask("POST /Orders/messages/head?timeout=5");
    assertThat(first).startsWith("HTTP/1.1 201 Created\r\n").endsWith("\r\n\r\nhello");
    assertThat(header(first, "BrokerProperties"))
        .isEqualTo(
            "{\"DeliveryCount\":1,\"EnqueuedSequenceNumber\":0,"
                + "\"EnqueuedTimeUtc\":\"Tue, 30 Jun 2015 20:51:21 GMT\",\"Label\":\"M1\","
                + "\"LockToken\":\"12345678-9abc-4def-8000-000000000001\","
                + "\"LockedUntilUtc\":\"Tue, 30 Jun 2015 20:52:21 GMT\",\"SequenceNumber\":1,"
                + "\"State\":\"Active\",\"TimeToLive\":922337203685.47754}");
    assertThat(header(first, "Content-Type")).isEqualTo("text/plain");
    assertThat(header(first, "Priority")).isEqualTo("\"Low\"");
    var location = header(first, "Location");
    assertThat(location)
        .isEqualTo("http://localhost:5300/Orders/messages/1/12345678-9abc-4def-8000-000000000001");
    assertThat(api.ask("POST " + location)).startsWith("HTTP/1.1 200 OK");
    assertThat(api.ask("PUT " + location)).startsWith("HTTP/1.1 200 OK");

    var second = api.ask("POST /Orders/messages/head/?timeout=5");
    assertThat(header(second, "BrokerProperties")).contains("\"DeliveryCount\":2");
    assertThat(header(second, "Location")).isNotEqualTo(location);
    var path = header(second, "Location").substring("http://localhost:5300".length());
    assertThat(api.ask("DELETE " + path)).startsWith("HTTP/1.1 200 OK").endsWith("\r\n\r\n");
    assertThat(api.ask("DELETE " + path)).startsWith("HTTP/1.1 404 ");
    assertThat(api.ask("PUT " + path)).startsWith("HTTP/1.1 404 ");
    assertThat(api.ask("POST " + path)).startsWith("HTTP/1.1 404 ");
  }

  @Test
  void behindTlsTheLocationIsToo() {
    var encrypted = new ApiFixture(true);
    encrypted.ask("POST /orders%20a/messages", "", "x");

    assertThat(header(encrypted.ask("POST /orders%20a/messages/head"), "Location"))
        .startsWith("https://localhost:5300/orders%20a/messages/1/");
  }

  @Test
  @Rule("S-021")
  void receiveAndDeleteHasNoLock() {
    api.ask("POST /orders/messages", "", "hello");

    var got = api.ask("DELETE /orders/messages/head");

    assertThat(got).startsWith("HTTP/1.1 200 OK").endsWith("hello");
    assertThat(got).doesNotContain("Location").doesNotContain("Lock");
    assertThat(header(got, "Content-Type")).isEqualTo("application/xml; charset=utf-8");
  }

  @Test
  void aReceiveWaitsAsLongAsItSays() {
    var nothing = api.ask("POST /orders/messages/head");
    assertThat(nothing).isEmpty();
    assertThat(api.messages.orders.getFirst().waitMillis()).isEqualTo(60_000);
    assertThat(api.messages.orders.getFirst().mode()).isEqualTo(ReceiveMode.PEEK_LOCK);
    api.messages.waiting.getFirst().complete(new Answer.Given<>(Optional.empty()));
    assertThat(api.answered()).startsWith("HTTP/1.1 204 No Content").endsWith("\r\n\r\n");

    assertThat(api.ask("DELETE /orders/messages/head?timeout=0")).startsWith("HTTP/1.1 204 ");
    assertThat(api.ask("DELETE /orders/messages/head?Timeout=999999999")).isEmpty();
    assertThat(api.messages.orders.getLast().waitMillis()).isEqualTo(86_400_000);
    assertThat(api.messages.orders.getLast().mode()).isEqualTo(ReceiveMode.RECEIVE_AND_DELETE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "x", "1.5", "", "12345678901"})
  void aTimeoutThatIsNoneIsRefused(String timeout) {
    assertThat(api.ask("POST /orders/messages/head?timeout=" + timeout))
        .startsWith("HTTP/1.1 400 ")
        .contains("<Error><Code>400</Code><Detail>SubCode=40000. 'timeout'");
  }

  @Test
  void whoGoesAwayTakesTheRequestBack() {
    api.ask("POST /orders/messages/head");

    var unused = api.channel.close();

    assertThat(api.messages.waiting.getFirst()).isCancelled();
  }

  /** One channel, one message at a time: the next is taken when the last one is acknowledged. */
  @Test
  @Rule("S-010")
  void aSendOnTheSameConnectionWaitsForTheAcknowledgementOfTheLast() {
    var acknowledged = new CompletableFuture<Answer<Integer>>();
    api.messages.later = acknowledged;
    assertThat(api.ask("POST /orders/messages", "", "first")).isEmpty();
    assertThat(api.ask("POST /orders/messages", "", "second")).isEmpty();
    assertThat(api.messages.sent).hasSize(1);

    acknowledged.complete(new Answer.Given<>(1));

    // The second was not taken, and its sender is told so: RFC 9112 9.3.2.
    assertThat(api.answered()).startsWith("HTTP/1.1 201 ").contains("connection: close");
    assertThat(api.messages.sent).hasSize(1);
  }

  @Test
  @Rule("S-010")
  void aSendAfterTheAcknowledgementOfTheLastIsTakenOnTheSameConnection() {
    assertThat(api.ask("POST /orders/messages", "", "first")).startsWith("HTTP/1.1 201 ");
    assertThat(api.ask("POST /orders/messages", "", "second")).startsWith("HTTP/1.1 201 ");

    assertThat(api.messages.sent).hasSize(2);
  }

  // --- who may ---

  @Test
  @Rule({"S-469", "S-478"})
  void tokensAreJudgedBeforeAnythingElse() {
    var none = api.askWith("POST /nothing/messages/head", "", "");
    assertThat(none).startsWith("HTTP/1.1 401 ").contains("<Detail>MissingToken: SubCode=40102.");
    assertThat(api.recognised).isZero();

    assertThat(with(ApiFixture.token("http://x/", "nobody")))
        .contains("InvalidSignature")
        .contains("40103");
    assertThat(with("Bearer a.b.c")).startsWith("HTTP/1.1 401 ").contains("40103");
    assertThat(with(ApiFixture.token("http://x/other", "Listen")))
        .contains("InvalidAudience")
        .contains("40104");
    assertThat(with(ApiFixture.token("http://x/", "Listen", "SAS_KEY_VALUE", 1_000)))
        .contains("ExpiredToken")
        .contains("40106");
    assertThat(with(ApiFixture.token("http://x/", "Send")))
        .startsWith("HTTP/1.1 401 ")
        .contains("'Listen' claim");
    assertThat(with(ApiFixture.token("http://x/nothing", "Listen"))).startsWith("HTTP/1.1 404 ");
    assertThat(api.recognised).isEqualTo(1);
  }

  @Test
  @Rule("S-469")
  void aLargerBodyIsHeldForAGoodTokenOnly() {
    var body = "x".repeat(100_000);
    var line = "POST /orders/messages";

    assertThat(new ApiFixture().askWith(line, "", body)).startsWith("HTTP/1.1 401 ");
    var ofAnother = "Authorization: " + ApiFixture.token("http://x/other", "Send") + "\r\n";
    assertThat(new ApiFixture().askWith(line, ofAnother, body)).startsWith("HTTP/1.1 401 ");
    assertThat(api.ask(line, "", body)).startsWith("HTTP/1.1 201 ");
  }

  private String with(String token) {
    return api.askWith(
        "POST /nothing/messages/head?timeout=0", "Authorization: " + token + "\r\n", "");
  }

  /** Also a whole address, with its query, and a host without a scheme. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://localhost:5300/orders/messages?timeout=1",
        "https://elsewhere/orders/",
        "orders",
        "localhost:5300",
        "localhost",
        "sb://localhost/ORDERS"
      })
  void tokensNameWhatTheyAreForInManyWays(String resource) {
    var token = "Authorization: " + ApiFixture.token(resource, "Send") + "\r\n";

    assertThat(api.askWith("POST /orders/messages", token, "x")).startsWith("HTTP/1.1 201 ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"elsewhere", "elsewhere:5300", "order", "http://localhost/orders/messages/head"})
  void aTokenForSomethingElseOpensNothing(String resource) {
    var token = "Authorization: " + ApiFixture.token(resource, "Send") + "\r\n";

    assertThat(api.askWith("POST /orders/messages", token, "x")).startsWith("HTTP/1.1 401 ");
  }

  /** The peer chooses the host name; it must not turn the name of an entity into that of a host. */
  @Test
  @Rule("S-469")
  void aTokenForAnEntityIsNotOneForAHostOfItsName() {
    var unauthorised = new ApiFixture(false, "203.0.113.1", "other");
    var token = "Authorization: " + ApiFixture.token("other", "Send") + "\r\n";

    assertThat(unauthorised.askWith("POST /orders/messages", token, "x"))
        .startsWith("HTTP/1.1 401 ");
  }

  @Test
  void theRightIsThatOfTheOperation() {
    var send = "Authorization: " + ApiFixture.token("http://x/orders", "Send") + "\r\n";
    var listen = "Authorization: " + ApiFixture.token("http://x/orders", "Listen") + "\r\n";
    var lock = "/orders/messages/1/12345678-9abc-4def-8000-000000000001";

    assertThat(api.askWith("POST /orders/messages", listen, "x")).startsWith("HTTP/1.1 401 ");
    assertThat(api.askWith("POST /orders/messages/head", send, "")).startsWith("HTTP/1.1 401 ");
    assertThat(api.askWith("DELETE " + lock, send, "")).startsWith("HTTP/1.1 401 ");
    assertThat(api.askWith("DELETE " + lock, listen, "")).startsWith("HTTP/1.1 404 ");
    assertThat(api.messages.sent).isEmpty();
  }

  // --- what is refused ---

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET | /orders/messages/head | POST, DELETE",
        "HEAD | /orders/messages/head | POST, DELETE",
        "PUT | /orders/messages | POST",
        "GET | /orders/messages/1/2 | DELETE, PUT, POST"
      })
  void anotherMethodIsNotKnownThere(String method, String path, String allowed) {
    var answer = api.ask(method + " " + path);

    assertThat(answer).startsWith("HTTP/1.1 405 ");
    assertThat(header(answer, "Allow")).isEqualTo(allowed);
  }

  @ParameterizedTest
  @CsvSource({
    "PUT, /orders/messages?api-version=2021-05",
    "GET, /orders",
    "POST, /messages",
    "POST, /orders/messages/1",
    "POST, /a://orders/messages"
  })
  void otherPathsAreOfOthers(String method, String path) {
    assertThat(api.ask(method + " " + path))
        .startsWith("HTTP/1.1 404 ")
        .contains("nothing at this path");
  }

  @Test
  void aTokenThatCannotBeOneIsLost() {
    assertThat(api.ask("DELETE /orders/messages/1/1-1-1-1-1"))
        .startsWith("HTTP/1.1 404 ")
        .contains("The lock supplied is invalid");
  }

  @Test
  @Rule("S-407")
  void aBatchAboveOneMebibyteIsNotRead() {
    var head =
        "Content-Length: 1048577\r\nContent-Type: application/vnd.microsoft.servicebus.json\r\n";

    assertThat(api.ask("POST /orders/messages", head, "")).startsWith("HTTP/1.1 413 ");
    assertThat(api.messages.intakes).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "MALFORMED, 400",
    "TOO_LARGE, 403",
    "NOT_FOR_SENDING, 400",
    "NOT_FOR_RECEIVING, 405",
    "ENTITY_GONE, 410",
    "BUSY, 503",
    "UNREADABLE, 500"
  })
  void whatDoesNotFitHasAStatus(Misfit misfit, int status) {
    api.messages.trouble = new Answer.Unfit<>(misfit, "a sentence");

    var answer = api.ask("POST /orders/messages", "", "x");

    assertThat(answer)
        .startsWith("HTTP/1.1 " + status + " ")
        .containsPattern(
            "<Error><Code>"
                + status
                + "</Code><Detail>SubCode=[0-9]{5}\\. a sentence\\. TrackingId:")
        .contains("SystemTracker:localhost:5300:orders, Timestamp:");
  }

  @Test
  @Rule({"S-007", "S-502", "S-232"})
  void everyRefusalHasAStatus() {
    var statuses =
        Map.ofEntries(
            Map.entry(new Refusal.MessageLockLost(), 404),
            Map.entry(new Refusal.MessageNotFound(1), 404),
            Map.entry(new Refusal.ScheduledMessagesNotFound(new long[] {1}), 404),
            Map.entry(new Refusal.EntityNotFound(), 404),
            Map.entry(new Refusal.ForwardDestinationNotFound("x"), 404),
            Map.entry(new Refusal.RuleNotFound("x"), 404),
            Map.entry(new Refusal.SessionIdMissing(), 405),
            Map.entry(new Refusal.SessionLockLost(), 405),
            Map.entry(new Refusal.SessionCannotBeLocked("x"), 405),
            Map.entry(new Refusal.TooManySessionStates(1), 403),
            Map.entry(new Refusal.EntityDisabled(), 403),
            Map.entry(new Refusal.QuotaExceeded(2, 1), 403),
            Map.entry(new Refusal.MemoryShareExceeded(false, 2, 1), 403),
            Map.entry(new Refusal.StoreFull(), 403),
            Map.entry(new Refusal.NotLeading(), 503),
            Map.entry(new Refusal.TooManyCopies(true), 413),
            Map.entry(new Refusal.EarlierIdsAreWaiting(), 503),
            Map.entry(new Refusal.TooManyScheduledAtOnce(1), 413),
            Map.entry(new Refusal.AnswerTooLarge(2, 1), 403),
            Map.entry(new Refusal.TooManyLocked(1), 403),
            Map.entry(new Refusal.NoMatchingSubscription(), 400),
            Map.entry(new Refusal.AlreadyDeadLettered(), 400),
            Map.entry(new Refusal.PropertyFixed("x"), 400),
            Map.entry(new Refusal.RuleAlreadyExists("x"), 409),
            Map.entry(new Refusal.EntityAlreadyExists("x", "y"), 409),
            Map.entry(new Refusal.MessagesAreForwarded("x"), 405),
            Map.entry(new Refusal.TooMany("x", 1), 403),
            Map.entry(new Refusal.FeatureNotAvailable("x"), 400),
            Map.entry(new Refusal.PartitionKeyContradicts(), 400),
            Map.entry(new Refusal.PartitionKeysDiffer(), 400),
            Map.entry(new Refusal.PartitionKeyMissing(), 400),
            Map.entry(new Refusal.NotOnPartitioned(), 400),
            Map.entry(new Refusal.Timeout(), 408));
    statuses.forEach(
        (refusal, status) -> {
          api.messages.trouble = new Answer.Refused<>(refusal);
          assertThat(api.ask("POST /orders/messages", "", "x"))
              .startsWith("HTTP/1.1 " + status + " ");
        });
    assertThat(statuses).hasSize(Refusal.class.getPermittedSubclasses().length);
  }

  @Test
  @Rule({"S-062", "S-524"})
  void aNameThatGrowsInLowerCaseIsJudgedAsAny() {
    var path = "/" + "%C4%B0".repeat(20) + "/Messages/head";

    assertThat(api.askWith("POST " + path, "", "")).startsWith("HTTP/1.1 401 ");
    assertThat(api.recognised).isZero();
  }

  @Test
  @Rule("S-062")
  void aMissingEntityIsNamed() {
    assertThat(api.ask("POST /Nothing/messages", "", "x"))
        .startsWith("HTTP/1.1 404 ")
        .contains("40400: Endpoint not found., Resource:sb://localhost:5300/Nothing. TrackingId");
  }

  @Test
  void whatBreaksIsAnsweredAndTheConnectionGoesOn() {
    api.messages.broken = true;
    assertThat(api.ask("POST /orders/messages", "", "x")).startsWith("HTTP/1.1 500 ");
    assertThat(api.ask("POST /orders/messages/head")).startsWith("HTTP/1.1 500 ");

    api.messages.broken = false;
    assertThat(api.ask("POST /orders/messages", "", "x")).startsWith("HTTP/1.1 201 ");
  }

  @Test
  void aFailureLaterIsAnsweredToo() {
    api.ask("POST /orders/messages/head");

    api.messages.waiting.getFirst().completeExceptionally(new IllegalStateException("on purpose"));

    assertThat(api.answered()).startsWith("HTTP/1.1 500 ").doesNotContain("on purpose");
  }
}
