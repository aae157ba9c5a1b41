package io.peeklock.amqp;

import static io.peeklock.amqp.Coordinator.in;
import static io.peeklock.amqp.TestClient.DETACH;
import static io.peeklock.amqp.TestClient.DISPOSITION;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.there;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.engine.codec.Described;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.Timestamp;
import io.peeklock.amqp.engine.codec.TypedArray;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.management.ManagementOperation;
import io.peeklock.amqp.message.BatchEnvelope;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.access.Policy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every operation that can name a transaction, and what becomes of it: the guide's table. */
class TransactedOperationsTest {
  private static final Path GUIDE = Path.of("..", "docs", "guide", "transactions.md");
  private static final Path WIRE = Path.of("..", "docs", "internals", "amqp.md");
  private static final Map<String, Object> PROPERTIES = Map.of("why", "because");

  /** What a transaction does with an operation. */
  private enum Kind {
    WITH_COMMIT("with the commit"),
    AT_ONCE("at once"),
    REFUSED("refused");

    private final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  /**
   * Does it, in a transaction or, with null, outside; null when it was done, else the condition.
   */
  @FunctionalInterface
  private interface ClientAction {
    @Nullable String in(TransactedWorld world, byte @Nullable [] transaction);
  }

  /** A row of the guide's table. */
  enum Operation {
    SEND("send", Kind.WITH_COMMIT, sending(0, TestMessage.text("sent"))),
    SEND_A_BATCH(
        "send a batch", Kind.WITH_COMMIT, sending(BatchEnvelope.FORMAT, Coordinator.batch(2))),
    ACCEPT("settle as `accepted`", Kind.WITH_COMMIT, settling(TestClient.accepted())),
    RELEASE("settle as `released`", Kind.WITH_COMMIT, settling(TestClient.released())),
    REJECT("settle as `rejected`", Kind.WITH_COMMIT, settling(TestClient.deadLetter(PROPERTIES))),
    MODIFY(
        "settle as `modified`", Kind.WITH_COMMIT, settling(TestClient.modified(false, PROPERTIES))),
    MODIFY_TO_DEFER(
        "settle as `modified`, undeliverable here",
        Kind.WITH_COMMIT,
        settling(TestClient.modified(true, Map.of()))),
    COMPLETE("`update-disposition` completed", Kind.WITH_COMMIT, disposing("completed")),
    ABANDON("`update-disposition` abandoned", Kind.WITH_COMMIT, disposing("abandoned")),
    DEAD_LETTER("`update-disposition` suspended", Kind.WITH_COMMIT, disposing("suspended")),
    DEFER("`update-disposition` defered", Kind.WITH_COMMIT, disposing("defered")),
    FREE("`update-disposition` released", Kind.WITH_COMMIT, disposing("released")),
    SCHEDULE(
        "`schedule-message`",
        Kind.WITH_COMMIT,
        (world, in) -> asked(world.queue, in, "schedule-message", world.scheduling())),
    CANCEL(
        "`cancel-scheduled-message`",
        Kind.WITH_COMMIT,
        (world, in) ->
            asked(
                world.queue,
                in,
                "cancel-scheduled-message",
                Map.of("sequence-numbers", TypedArray.ofLongs(TransactedWorld.SCHEDULED)))),
    SET_STATE(
        "`set-session-state`",
        Kind.WITH_COMMIT,
        ofSession("set-session-state", Map.of("session-id", "a", "session-state", new byte[] {7}))),
    GET_STATE("`get-session-state`", Kind.AT_ONCE, ofSession("get-session-state")),
    RENEW_SESSION("`renew-session-lock`", Kind.AT_ONCE, ofSession("renew-session-lock")),
    LIST_SESSIONS(
        "`get-message-sessions`",
        Kind.AT_ONCE,
        ofSession(
            "get-message-sessions",
            Map.of("last-updated-time", new Timestamp(253_402_300_799_999L)))),
    RENEW(
        "`renew-lock`",
        Kind.AT_ONCE,
        (world, in) ->
            asked(
                world.queue,
                in,
                "renew-lock",
                Map.of("lock-tokens", TypedArray.ofUuids(List.of(world.token))))),
    PEEK(
        "`peek-message`",
        Kind.AT_ONCE,
        (world, in) ->
            asked(
                world.queue,
                in,
                "peek-message",
                Map.of("from-sequence-number", 0L, "message-count", 9))),
    LOCK_DEFERRED("`receive-by-sequence-number` with locks", Kind.AT_ONCE, receiving(1)),
    LIST_RULES(
        "`enumerate-rules`", Kind.AT_ONCE, ofRules("enumerate-rules", Map.of("skip", 0, "top", 9))),
    DELETE_DEFERRED("`receive-by-sequence-number` that deletes", Kind.REFUSED, receiving(0)),
    DELETE(
        "`batch-delete-messages`",
        Kind.REFUSED,
        (world, in) ->
            asked(
                world.queue,
                in,
                "batch-delete-messages",
                Map.of("message-count", 9, "enqueued-time-utc", world.now()))),
    ADD_RULE(
        "`add-rule`",
        Kind.REFUSED,
        ofRules(
            "add-rule",
            Map.of(
                "rule-name",
                "new",
                "rule-description",
                Map.of("sql-filter", Map.of("expression", "a = 1"))))),
    REMOVE_RULE(
        "`remove-rule`", Kind.REFUSED, ofRules("remove-rule", Map.of("rule-name", "$Default")));

    private final String words;
    private final Kind kind;

    @SuppressWarnings("ImmutableEnumChecker") // lambdas that hold what does not change
    private final ClientAction action;

    Operation(String words, Kind kind, ClientAction action) {
      this.words = words;
      this.kind = kind;
      this.action = action;
    }
  }

  private static ClientAction sending(int format, byte[] message) {
    return (world, in) -> {
      var state = in == null ? null : in(in, null);
      world.client.send(
          world.client.transferIn(state, TransactedWorld.SENDER, format, false, message));
      return refusal(world.client.one(DISPOSITION).field(4));
    };
  }

  private static ClientAction settling(Described outcome) {
    return (world, in) -> {
      world.client.dispose(0, 0, false, in == null ? outcome : in(in, outcome));
      return refusal(world.client.one(DISPOSITION).field(4));
    };
  }

  /** The condition of an error; null for any other outcome. */
  private static @Nullable String refusal(@Nullable Object state) {
    return TestClient.code(state) == Coordinator.TRANSACTIONAL
        ? null
        : TestClient.condition(TestClient.inside(state));
  }

  private static ClientAction disposing(String how) {
    return (world, in) -> asked(world.queue, in, "update-disposition", world.settling(how));
  }

  private static ClientAction receiving(int mode) {
    return (world, in) ->
        asked(world.queue, in, "receive-by-sequence-number", TransactedWorld.receiving(mode));
  }

  private static ClientAction ofSession(String operation) {
    return ofSession(operation, Map.of("session-id", "a"));
  }

  private static ClientAction ofSession(String operation, Map<String, ?> body) {
    return (world, in) -> asked(world.sessions, in, operation, body);
  }

  private static ClientAction ofRules(String operation, Map<String, ?> body) {
    return (world, in) -> asked(world.rules, in, operation, body);
  }

  private static @Nullable String asked(
      RequestClient node, byte @Nullable [] in, String operation, Map<String, ?> body) {
    node.client.forget();
    var answer = in == null ? node.manage(operation, body) : node.manageIn(in, operation, body);
    return Integer.valueOf(200).equals(answer.status()) ? null : String.valueOf(answer.condition());
  }

  private final TransactedWorld world = new TransactedWorld();
  private final String before = all(world);

  private static String all(TransactedWorld world) {
    return world.seen() + " locked " + world.isLocked();
  }

  /** What is there when the operation is done without a transaction. */
  private static String done(Operation operation) {
    var plain = new TransactedWorld();
    assertThat(operation.action.in(plain, null)).isNull();
    return all(plain);
  }

  @ParameterizedTest
  @EnumSource(Operation.class)
  @Rule({"S-376", "S-377", "S-378", "S-379", "S-380", "S-399"})
  void anOperationIsPartOfItsTransactionOrRefusedOrSaidToHappenAtOnce(Operation operation)
      throws IOException {
    switch (operation.kind) {
      case WITH_COMMIT -> happensWithTheCommit(operation);
      case AT_ONCE -> happensAtOnce(operation);
      case REFUSED -> isRefused(operation);
    }
    assertThat(Files.readAllLines(GUIDE))
        .anyMatch(line -> line.startsWith("| " + operation.words + " | " + operation.kind.words));
  }

  @ParameterizedTest
  @EnumSource(ManagementOperation.class)
  @Rule("S-376")
  void everyManagementOperationIsAmongThemAndAmongThoseOfTheWire(ManagementOperation asked)
      throws IOException {
    var word = "`" + asked.word() + "`";

    assertThat(Operation.values()).anyMatch(operation -> operation.words.startsWith(word));
    assertThat(Files.readAllLines(WIRE)).anyMatch(line -> line.startsWith("| " + word + " |"));
  }

  private void happensWithTheCommit(Operation operation) {
    var after = done(operation);
    assertThat(after).isNotEqualTo(before);
    var rolledBack = world.coordinator.declare();
    assertThat(operation.action.in(world, rolledBack)).isNull();
    assertThat(all(world)).isEqualTo(before);
    assertThat(world.coordinator.rollBack(rolledBack)).isNull();
    assertThat(all(world)).isEqualTo(before);

    var transaction = world.coordinator.declare();
    assertThat(operation.action.in(world, transaction)).isNull();
    assertThat(all(world)).isEqualTo(before);
    assertThat(world.coordinator.commit(transaction)).isNull();

    assertThat(all(world)).isEqualTo(after);
  }

  private void happensAtOnce(Operation operation) {
    var transaction = world.coordinator.declare();

    assertThat(operation.action.in(world, transaction)).isNull();

    world.client.forget();
    assertThat(world.coordinator.rollBack(transaction)).isNull();
    assertThat(all(world)).isEqualTo(done(operation));
  }

  private void isRefused(Operation operation) {
    assertThat(done(operation)).isNotEqualTo(before);
    var transaction = world.coordinator.declare();

    assertThat(operation.action.in(world, transaction)).isEqualTo(Conditions.NOT_ALLOWED);

    world.client.forget();
    assertThat(all(world)).isEqualTo(before);
    assertThat(world.coordinator.commit(transaction)).isEqualTo(Conditions.TRANSACTION_ROLLBACK);
    assertThat(all(world)).isEqualTo(before);
  }

  @Test
  @Rule({"S-376", "S-399"})
  void aRequestThatIsWrongFailsItsTransaction() {
    var transaction = world.coordinator.declare();
    var sent = Operation.SEND.action.in(world, transaction);
    world.client.forget();

    var wrong = asked(world.queue, transaction, "update-disposition", Map.of("lock-tokens", 7));

    assertThat(sent).isNull();
    assertThat(wrong).isEqualTo(Conditions.ARGUMENT_ERROR);
    assertThat(world.coordinator.commit(transaction)).isEqualTo(Conditions.TRANSACTION_ROLLBACK);
    assertThat(all(world)).isEqualTo(before);
  }

  @Test
  @Rule("S-376")
  void aTokenIsNotPutInATransaction() {
    world.client.begin(3);
    var tokens = new RequestClient(world.client, 3, "$cbs", "cbs");
    var audience = "amqp://localhost/q";
    var until = world.broker.clock.wallMillis() / 1_000 + 600;
    var token = Sas.token(audience, Policy.ROOT_NAME, BrokerFixture.KEY, until);
    var putting =
        Map.of(
            "operation", "put-token", "type", "servicebus.windows.net:sastoken", "name", audience);

    tokens.tellIn(world.coordinator.declare(), putting, token);

    assertThat(statusOnTokenNode(tokens.answer())).isEqualTo(400);
    assertThat(statusOnTokenNode(tokens.putToken(audience, token))).isEqualTo(202);
  }

  private static @Nullable Object statusOnTokenNode(RequestClient.Answer answer) {
    return answer.message().entry(TestMessage.APPLICATION_PROPERTIES, "status-code");
  }

  @Test
  @Rule("S-376")
  void aTransactionIsNotDeclaredInAnother() {
    var transaction = world.coordinator.declare();

    world.client.send(
        world.client.transferIn(
            in(transaction, null), Coordinator.HANDLE, 0, false, Coordinator.declaring(null)));

    assertThat(TestClient.condition(world.client.one(DETACH).field(2)))
        .isEqualTo(Conditions.NOT_ALLOWED);
  }

  @Test
  @Rule({"S-376", "S-378"})
  void creditIsNotGivenInATransaction() {
    var transaction = world.coordinator.declare();

    world.client.perform(
        0,
        TestClient.FLOW,
        TestClient.uint(0),
        TestClient.uint(2048),
        TestClient.uint(0),
        TestClient.uint(2048),
        TestClient.uint(TransactedWorld.RECEIVER),
        TestClient.uint(2),
        TestClient.uint(9),
        null,
        false,
        false,
        Map.of(new Symbol("txn-id"), transaction));

    assertThat(world.client.take(TRANSFER)).isEmpty();
    var error = there(world.client.one(DETACH).field(2));
    assertThat(TestClient.condition(error)).isEqualTo(Conditions.NOT_ALLOWED);
    assertThat(world.coordinator.commit(transaction)).isNull();
  }
}
