package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.ATTACH;
import static io.peeklock.amqp.TestClient.DETACH;
import static io.peeklock.amqp.TestClient.DISPOSITION;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.condition;
import static io.peeklock.amqp.TestClient.there;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.peeklock.amqp.TestMessage.Parsed;
import io.peeklock.amqp.engine.codec.Described;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.Timestamp;
import io.peeklock.amqp.engine.codec.TypedArray;
import io.peeklock.amqp.engine.codec.Unsigned;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.access.Policy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Links that attach with a session filter, and the management of sessions. */
class SessionLinkTest {
  private static final Symbol FILTER = new Symbol("com.microsoft:session-filter");
  private static final Unsigned.Ulong GO = new Unsigned.Ulong(0x137000000CL);

  private final BrokerFixture broker = new BrokerFixture();
  private final TestClient client;
  private final RequestClient node;

  SessionLinkTest() {
    broker.queue(QueueDefinition.named("s").withSession(true));
    client = broker.client().sender(0, 0, "s");
    node = new RequestClient(client, 0, "s/$management", "me");
  }

  private void send(String... sessionIds) {
    for (var id : sessionIds) {
      client.message(0, TestMessage.inSession(id));
    }
    client.forget();
  }

  private static Map<Symbol, @Nullable Object> filter(@Nullable Object value) {
    var filter = new HashMap<Symbol, @Nullable Object>();
    filter.put(FILTER, value);
    return filter;
  }

  private void accept(int handle, @Nullable Object value, @Nullable Object waitMillis) {
    accept(client, handle, value, waitMillis);
  }

  private static void accept(
      TestClient by, int handle, @Nullable Object value, @Nullable Object waitMillis) {
    acceptOf("s", by, handle, value, waitMillis);
  }

  private static void acceptOf(
      String queue,
      TestClient by,
      int handle,
      @Nullable Object value,
      @Nullable Object waitMillis) {
    attach(queue, by, handle, 0, value, waitMillis);
  }

  private static void attach(
      String queue,
      TestClient by,
      int handle,
      int senderSettleMode,
      @Nullable Object value,
      @Nullable Object waitMillis) {
    var properties =
        waitMillis == null ? null : Map.of(new Symbol("com.microsoft:timeout"), waitMillis);
    by.perform(
        0,
        ATTACH,
        "session-" + handle,
        TestClient.uint(handle),
        true,
        TestClient.ubyte(senderSettleMode),
        TestClient.ubyte(0),
        TestClient.source(queue, filter(value)),
        TestClient.target("t"),
        null,
        null,
        null,
        null,
        null,
        null,
        properties);
  }

  /** Holds session "a" with link 1, which has credit for five. */
  private void acceptToDelete() {
    attach("s", client, 1, 1, "a", null);
    client.credit(1, 5).forget();
  }

  /** Through a topic too, and by number as in a queue. */
  @Test
  @Rule({"S-231", "S-193"})
  void theEmptyIdIsASession() {
    broker.queue(QueueDefinition.named("t").as(new QueueRole.Topic(false)));
    broker.queue(
        QueueDefinition.named("t/Subscriptions/s")
            .withSession(true)
            .as(new QueueRole.Subscription("t", true)));
    client.sender(0, 4, "t").message(4, TestMessage.inSession(""));
    send("");
    client.forget();

    acceptOf("t/Subscriptions/s", client, 1, "", null);
    assertThat(answered(client.one(ATTACH))).isEqualTo("");
    client.credit(1, 5);
    assertThat(client.take(TRANSFER)).hasSize(1);
    accept(2, "", null);
    client.credit(2, 5);
    assertThat(client.take(TRANSFER)).hasSize(1);
  }

  /** The filter's value in the answer to an attach. */
  private static @Nullable Object answered(TestClient.Frame attach) {
    var source = there((Described) attach.field(5));
    var filter = (Map<?, ?>) there(((List<?>) there(source.value())).get(7));
    return filter.get(FILTER);
  }

  private static long lockedUntil(TestClient.Frame attach) {
    var properties = (Map<?, ?>) there(attach.field(13));
    return (Long) there(properties.get(new Symbol("com.microsoft:locked-until-utc")));
  }

  /** A run of the simulator waited for ever. */
  @Test
  @Rule("S-467")
  void anAttachThatWaitsForASessionIsRefusedWhenItsTokenExpires() {
    var other = broker.anonymous();
    var audience = "amqp://localhost/s";
    var inAMinute = broker.clock.wallMillis() / 1_000 + 60;
    var token = Sas.token(audience, Policy.ROOT_NAME, BrokerFixture.KEY, inAMinute);
    new RequestClient(other, 0, "$cbs", "me").putToken(audience, token);
    accept(other, 5, null, TestClient.uint(3_600_000));
    other.forget();

    broker.advance(Duration.ofMinutes(7));

    assertThat(other.one(ATTACH).field(5)).isNull();
    assertThat(condition(other.one(DETACH).field(2))).isEqualTo(Conditions.UNAUTHORIZED);
  }

  @Test
  @Rule({"S-236", "S-243", "T-21", "T-22"})
  void theAnswerHasTheFilterInItsFormAndTheEndOfTheLockInTicks() {
    accept(1, "a", null);
    var plain = client.one(ATTACH);
    client.forget();
    accept(2, new Described(GO, "b"), null);
    var described = client.one(ATTACH);
    client.forget();
    accept(3, new Described(new Symbol("x"), "y"), null);
    var split = client.one(ATTACH);
    client.forget();
    accept(4, new Described(FILTER, "d"), null);
    var named = client.one(ATTACH);

    assertThat(answered(plain)).isEqualTo("a");
    assertThat(answered(described)).isEqualTo(new Described(GO, "b"));
    assertThat(answered(split)).isEqualTo("xy");
    assertThat(answered(named)).isEqualTo(new Described(FILTER, "d"));
    var ticks = 621_355_968_000_000_000L + (broker.clock.wallMillis() + 60_000) * 10_000;
    assertThat(lockedUntil(plain)).isEqualTo(ticks);
  }

  @Test
  @Rule({"S-238", "S-239", "S-240", "S-506", "T-23"})
  void whoTakesAnySessionWaitsAsLongAsItSays() {
    accept(1, null, TestClient.uint(5_000));
    accept(2, new Described(GO, null), 9_000L);
    assertThat(client.take(ATTACH)).isEmpty();

    broker.advance(Duration.ofSeconds(5));
    var why = client.one(DETACH).field(2);
    assertThat(condition(why)).isEqualTo(Conditions.TIMEOUT);
    assertThat(String.valueOf(why)).contains("A retry may help");
    client.forget();
    send("fresh");

    assertThat(broker.ended).isNull();
    client.credit(2, 5);
    broker.advance(Duration.ofMillis(1));
    assertThat(client.take(TRANSFER)).hasSize(1);
  }

  @Test
  @Rule({"S-237", "S-248", "S-504", "I-23"})
  void aHeldSessionIsRefusedUntilItsLinkIsGone() {
    accept(1, "a", null);
    client.forget();
    var other = broker.client();
    accept(other, 1, "a", null);
    assertThat(condition(other.one(DETACH).field(2)))
        .isEqualTo(Conditions.SESSION_CANNOT_BE_LOCKED);
    other.forget();

    client.perform(0, DETACH, TestClient.uint(1), true);
    accept(other, 2, "a", null);

    assertThat(answered(other.one(ATTACH))).isEqualTo("a");
  }

  @Test
  @Rule({"S-250", "S-251", "S-128", "S-503"})
  void aSessionThatIsLostDetachesItsLink() {
    send("a");
    accept(1, "a", null);
    client.credit(1, 1).forget();

    broker.advance(Duration.ofSeconds(60));

    assertThat(condition(client.one(DETACH).field(2))).isEqualTo(Conditions.SESSION_LOCK_LOST);
    var renewal = node.manage("renew-session-lock", Map.of("session-id", "a"));
    assertThat(renewal.status()).isEqualTo(410);
    assertThat(renewal.condition()).isEqualTo(new Symbol(Conditions.SESSION_LOCK_LOST));
    client.forget();
    accept(2, "a", null);
    client.forget();
    client.credit(2, 1);
    var again = Parsed.of(client.one(TRANSFER).payload());
    assertThat(again.field(TestMessage.HEADER, 4)).isEqualTo(TestClient.uint(1));
  }

  /** A client that waits for as long as the lock lasts ends its wait in peace. */
  @Test
  @Rule({"S-250", "S-251", "S-503"})
  void aReceiveAndDeleteLinkHearsOfItsLostSessionASecondLater() {
    acceptToDelete();
    broker.advance(Duration.ofSeconds(60));

    var other = broker.client();
    accept(other, 1, "a", null); // the session is free all the same
    assertThat(other.take(ATTACH)).hasSize(1);
    broker.advance(Duration.ofMillis(999));

    assertThat(client.take(DETACH)).isEmpty();
    send("a");
    assertThat(client.take(TRANSFER)).isEmpty();
    broker.advance(Duration.ofMillis(1));
    assertThat(condition(client.one(DETACH).field(2))).isEqualTo(Conditions.SESSION_LOCK_LOST);
  }

  @Test
  @Rule({"S-250", "S-251"})
  void aReceiveAndDeleteLinkThatIsClosedMeanwhileHearsNothingOfItsLostSession() {
    acceptToDelete();
    broker.advance(Duration.ofSeconds(60));

    client.perform(0, DETACH, TestClient.uint(1), true);

    assertThat(client.one(DETACH).field(2)).isNull();
    client.forget();
    broker.advance(Duration.ofSeconds(2));
    assertThat(client.take(DETACH)).isEmpty();
  }

  /** Nobody is there who would answer a drain, so it is told at once. */
  @Test
  @Rule({"S-250", "S-251"})
  void aDrainAfterTheSessionIsLostIsAnsweredWithTheLoss() {
    acceptToDelete();
    broker.advance(Duration.ofSeconds(60));

    client.credit(0, 1, 0, 5, true);

    assertThat(condition(client.one(DETACH).field(2))).isEqualTo(Conditions.SESSION_LOCK_LOST);
  }

  @Test
  @Rule({"S-130", "S-249", "S-129"})
  void howeverOftenTheConnectionIsCutNothingIsCountedAndTheSessionIsFree() {
    broker.queue(
        new QueueDefinition(
                "few", 60_000, 2, QueueDefinition.FOREVER, false, 1_000, QueueDefinition.FOREVER)
            .withSession(true));
    client.sender(0, 9, "few");
    client.message(9, TestMessage.inSession("a"));

    for (var i = 0; i < 5; i++) {
      var other = broker.client();
      acceptOf("few", other, 1, "a", null);
      assertThat(other.take(ATTACH)).hasSize(1);
      other.credit(1, 1);
      var got = Parsed.of(other.one(TRANSFER).payload());
      assertThat(got.field(TestMessage.HEADER, 4)).isEqualTo(TestClient.uint(0));
      other.leave();
      broker.settle();
    }
  }

  @Test
  @Rule("T-20")
  void everyTextIsASessionIdAlsoTheEmptyOne() {
    var ids = List.of("", "ab", "\u00e9\u4e2d\ud83d\ude80", " ", "a/b");
    for (var i = 0; i < ids.size(); i++) {
      accept(i + 1, ids.get(i), null);
      assertThat(answered(client.one(ATTACH))).isEqualTo(ids.get(i));
    }
    accept(9, new Described(new Symbol("x"), "\u00e9"), null);
    assertThat(answered(client.one(ATTACH))).isEqualTo("x\u00e9");

    accept(10, null, TestClient.uint(1_000));
    broker.advance(Duration.ofSeconds(1));

    assertThat(condition(client.one(DETACH).field(2))).isEqualTo(Conditions.TIMEOUT);
  }

  /** Else two clients that name 1 and "1" would share a session. */
  @ParameterizedTest
  @MethodSource("noTexts")
  @Rule("S-241")
  void whatIsNoTextIsNoSessionId(Object value) {
    accept(1, value, null);

    assertThat(condition(client.one(DETACH).field(2))).isEqualTo(Conditions.ARGUMENT_ERROR);
    accept(2, new Symbol("as text"), null);
    assertThat(client.take(ATTACH)).hasSize(2);
  }

  static Stream<Object> noTexts() {
    return Stream.of(1, 5L, true, new byte[] {'1'}, UUID.randomUUID(), new Described(GO, 1));
  }

  @Test
  @Rule({"S-232", "S-233"})
  void whatHasNoSessionIsRefused() {
    client.message(0, TestMessage.text("x"));
    assertThat(String.valueOf(client.one(TestClient.DISPOSITION).field(4)))
        .contains(Conditions.NOT_ALLOWED);

    client.receiver(0, 1, "s", 0);
    assertThat(condition(client.one(DETACH).field(2))).isEqualTo(Conditions.NOT_ALLOWED);
  }

  @Test
  @Rule({"S-244", "S-251", "S-258"})
  void onlyTheHolderRenews() {
    var request = Map.of("session-id", "a");
    assertThat(node.manage("renew-session-lock", request).condition())
        .isEqualTo(new Symbol(Conditions.SESSION_LOCK_LOST));
    accept(1, "a", null);
    client.forget();
    broker.advance(Duration.ofSeconds(40));

    var answer = node.manage("renew-session-lock", request);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body("expiration"))
        .isEqualTo(new Timestamp(broker.clock.wallMillis() + 60_000));
    assertThat(node.manage("renew-session-lock", Map.of()).status()).isEqualTo(400);
  }

  @Test
  @Rule({"S-253", "S-254", "S-255", "I-25"})
  void aStateIsSetReadAndCleared() {
    accept(1, "a", null);
    client.forget();
    var read = Map.of("session-id", "a");
    assertThat(node.manage("get-session-state", read).body("session-state")).isNull();

    var state = new byte[] {1, 2, 3};
    var set = Map.of("session-id", "a", "session-state", state);
    assertThat(node.manage("set-session-state", set).status()).isEqualTo(200);
    assertThat(node.manage("get-session-state", read).body("session-state")).isEqualTo(state);
    assertThat(node.manage("set-session-state", Map.of("session-id", "a")).status()).isEqualTo(200);
    assertThat(node.manage("get-session-state", read).body("session-state")).isNull();
    node.manage("set-session-state", set);
    var empty = Map.of("session-id", "a", "session-state", new byte[0]);
    assertThat(node.manage("set-session-state", empty).status()).isEqualTo(200);
    assertThat(node.manage("get-session-state", read).body("session-state"))
        .as("no state")
        .isNull();
    var wrong = Map.of("session-id", "a", "session-state", "text");
    assertThat(node.manage("set-session-state", wrong).status()).isEqualTo(400);
    assertThat(node.manage("get-session-state", Map.of("session-id", "b")).status()).isEqualTo(410);
  }

  @Test
  @Rule({"S-259", "S-260"})
  void sessionsAreListedPageByPage() {
    send("a", "b", "c");
    var all = new Timestamp(253_402_300_799_999L);

    var first = node.manage("get-message-sessions", Map.of("last-updated-time", all, "top", 2));
    var second =
        node.manage("get-message-sessions", Map.of("last-updated-time", all, "skip", 2, "top", 2));
    var third =
        node.manage("get-message-sessions", Map.of("last-updated-time", all, "skip", 3, "top", 2));

    assertThat(ids(first)).containsExactly("a", "b");
    assertThat(first.body("skip")).isEqualTo(2);
    assertThat(ids(second)).containsExactly("c");
    assertThat(third.status()).isEqualTo(204);
    assertThat(node.manage("get-message-sessions", Map.of("top", 0)).status()).isEqualTo(400);
    assertThat(node.manage("get-message-sessions", Map.of("top", 5)).status()).isEqualTo(204);
  }

  private static List<Object> ids(RequestClient.Answer answer) {
    return new ArrayList<>(((TypedArray) there(answer.body("sessions-ids"))).elements());
  }

  @Test
  @Rule({"S-110", "S-111", "S-245"})
  void onlyTheClientThatHoldsASessionSettlesItsMessagesByToken() {
    send("a");
    accept(1, "a", null);
    accept(2, "mine", null);
    client.forget();
    client.credit(1, 1);
    var token = ManagementTest.guid(there((byte[]) client.one(TRANSFER).field(2)));
    client.forget();
    var elsewhere = new RequestClient(broker.client(), 0, "s/$management", "you");
    var complete = completion(token, "a");

    assertThat(elsewhere.manage("update-disposition", complete).condition())
        .isEqualTo(new Symbol(Conditions.SESSION_LOCK_LOST));
    for (var wrong : List.of("b", "mine")) { // not held, and held but not the message's
      assertThat(node.manage("update-disposition", completion(token, wrong)).condition())
          .isEqualTo(new Symbol(Conditions.SESSION_LOCK_LOST));
    }
    assertThat(node.manage("renew-lock", Map.of("lock-tokens", tokens(token))).status())
        .isEqualTo(410);
    assertThat(node.manage("update-disposition", complete).status()).isEqualTo(200);
  }

  @Test
  @Rule({"S-111", "S-213"})
  void aRequestThatNamesTheHoldersLinkInsteadOfItsSessionIsAsGood() { // as Go settles
    send("a");
    accept(1, "a", null);
    accept(2, "mine", null);
    client.forget();
    client.credit(1, 1);
    var token = ManagementTest.guid(there((byte[]) client.one(TRANSFER).field(2)));
    client.forget();
    var body = Map.of("disposition-status", "completed", "lock-tokens", tokens(token));

    for (var wrong : List.of("session-2", "me", "nobody's")) {
      assertThat(node.manageOn(wrong, "update-disposition", body).condition())
          .isEqualTo(new Symbol(Conditions.SESSION_LOCK_LOST));
    }
    assertThat(node.manageOn("session-1", "update-disposition", body).status()).isEqualTo(200);
  }

  /** Links 1 to 3 with a message of sessions a, b and c each; the lock tokens in this order. */
  private List<UUID> threeHeld() {
    send("a", "b", "c");
    var ids = List.of("a", "b", "c");
    for (var i = 0; i < ids.size(); i++) {
      accept(i + 1, ids.get(i), null);
      client.credit(i + 1, 1);
    }
    var tokens =
        client.take(TRANSFER).stream()
            .map(frame -> ManagementTest.guid(there((byte[]) frame.field(2))))
            .toList();
    client.forget();
    assertThat(tokens).hasSize(3);
    return tokens;
  }

  /** What each delivery was answered, by its id. */
  private Map<Long, Long> answers() {
    var answers = new TreeMap<Long, Long>();
    for (var frame : client.take(DISPOSITION)) {
      var first = TestClient.asLong(frame.field(1));
      var last = frame.field(2) == null ? first : TestClient.asLong(frame.field(2));
      for (var id = first; id <= last; id++) {
        answers.put(id, TestClient.code(frame.field(4)));
      }
    }
    return answers;
  }

  private @Nullable Object statusOfPeek() {
    var all = Map.of("from-sequence-number", 0L, "message-count", 9);
    return node.manage("peek-message", all).status();
  }

  @Test
  @Rule({"S-031", "S-246", "S-251", "I-17"})
  void oneDispositionSettlesOverManySessionsAndEachMessageIsAnswered() {
    var tokens = threeHeld();
    assertThat(node.manage("update-disposition", completion(tokens.get(1), "b")).status())
        .isEqualTo(200);
    client.forget();

    client.dispose(0, 2, false, TestClient.accepted());

    assertThat(answers()).isEqualTo(Map.of(0L, 0x24L, 1L, 0x25L, 2L, 0x24L));
    assertThat(statusOfPeek()).isEqualTo(204);
  }

  @Test
  @Rule({"S-031", "I-17"})
  void oneDispositionOverTwoQueuesCompletesInBoth() {
    client.sender(0, 7, "q").message(7, TestMessage.text("plain"));
    send("a");
    accept(1, "a", null);
    client.credit(1, 1).receiver(0, 2, "q", 0).credit(2, 1);
    assertThat(client.take(TRANSFER)).hasSize(2);
    client.forget();

    client.dispose(0, 1, false, TestClient.accepted());

    assertThat(answers()).isEqualTo(Map.of(0L, 0x24L, 1L, 0x24L));
    client.credit(2, 2);
    assertThat(client.take(TRANSFER)).isEmpty();
    assertThat(statusOfPeek()).isEqualTo(204);
  }

  @Test
  @Rule({"S-031", "S-248", "I-17"})
  void whoLeavesAfterItsSettlementTakesNothingBackOfTheOthers() {
    threeHeld();
    var settle = Arrays.asList(true, TestClient.uint(0), TestClient.uint(2), false, null);
    settle.set(4, TestClient.accepted());
    var leave = Arrays.asList(TestClient.uint(1), true, null);
    var nothing = new byte[0];

    client.send( // in one read
        Unpooled.wrappedBuffer(
            TestClient.frameBytes(0, 0, DISPOSITION, settle, nothing),
            TestClient.frameBytes(0, 0, DETACH, leave, nothing)));

    assertThat(answers()).containsAllEntriesOf(Map.of(1L, 0x24L, 2L, 0x24L));
    assertThat(statusOfPeek()).isEqualTo(204);
  }

  @Test
  @Rule({"S-031", "S-036"})
  void settlementsOfDifferentKindsAreNotMixedOverLinks() {
    threeHeld();
    var nothing = new byte[0];
    var complete = Arrays.asList(true, TestClient.uint(0), null, false, TestClient.accepted());
    var release = Arrays.asList(true, TestClient.uint(1), null, false, TestClient.released());
    var settled = Arrays.asList(true, TestClient.uint(2), null, true, TestClient.accepted());

    client.send(
        Unpooled.wrappedBuffer(
            TestClient.frameBytes(0, 0, DISPOSITION, complete, nothing),
            TestClient.frameBytes(0, 0, DISPOSITION, release, nothing),
            TestClient.frameBytes(0, 0, DISPOSITION, settled, nothing)));

    assertThat(answers()).isEqualTo(Map.of(0L, 0x24L, 1L, 0x26L)); // the third wants no answer
    client.credit(2, 2);
    assertThat(client.take(TRANSFER)).hasSize(1); // the released one
  }

  private static TypedArray tokens(UUID token) {
    return TypedArray.ofUuids(List.of(token));
  }

  private static Map<String, Object> completion(UUID token, String sessionId) {
    return Map.of(
        "disposition-status", "completed", "lock-tokens", tokens(token), "session-id", sessionId);
  }

  @Test
  @Rule({"S-218", "S-233"})
  void peekShowsOneSessionOrAll() {
    send("a", "b", "a");
    var all = Map.of("from-sequence-number", 0L, "message-count", 9);
    var one = Map.of("from-sequence-number", 0L, "message-count", 9, "session-id", "a");

    assertThat((List<?>) node.manage("peek-message", all).body("messages")).hasSize(3);
    assertThat((List<?>) node.manage("peek-message", one).body("messages")).hasSize(2);
  }

  @Test
  void aQueueWithoutSessionsKnowsNoSuchRequests() {
    var plain = new RequestClient(broker.client(), 0, "q/$management", "me");

    var answer = plain.manage("get-message-sessions", Map.of());

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.condition()).isEqualTo(new Symbol(Conditions.NOT_ALLOWED));
  }
}
