package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.ATTACH;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.there;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.TestMessage.Parsed;
import io.peeklock.amqp.engine.codec.Described;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.TypedArray;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.proof.Rule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Ids of sessions in several spellings, as clients see them. */
class SessionSpellingTest {
  private static final Symbol FILTER = new Symbol("com.microsoft:session-filter");

  private final BrokerFixture broker =
      new BrokerFixture()
          .queue(QueueDefinition.named("s").withSession(true))
          .queue(QueueDefinition.named("t").as(new QueueRole.Topic(false)))
          .queue(
              QueueDefinition.named("t/Subscriptions/a")
                  .withSession(true)
                  .as(new QueueRole.Subscription("t", true)));
  private final TestClient client = broker.client().sender(0, 0, "s").sender(0, 1, "t");

  private @Nullable Object accept(int handle, String entity, @Nullable String id) {
    client.forget();
    var filter = new HashMap<Symbol, @Nullable Object>();
    filter.put(FILTER, id);
    client.perform(
        0,
        ATTACH,
        "session-" + handle,
        TestClient.uint(handle),
        true,
        TestClient.ubyte(0),
        TestClient.ubyte(0),
        TestClient.source(entity, filter),
        TestClient.target("t"));
    var source = there((Described) client.one(ATTACH).field(5));
    var echoed = (Map<?, ?>) there(((List<?>) there(source.value())).get(7));
    return echoed.get(FILTER);
  }

  private List<String> spellings() {
    return client.take(TRANSFER).stream()
        .map(frame -> Parsed.of(frame.payload()).field(TestMessage.PROPERTIES, 10))
        .map(String::valueOf)
        .toList();
  }

  @Test
  @Rule("S-523")
  void theyAreOneSessionInAQueueAndInASubscription() {
    for (var sender = 0; sender <= 1; sender++) {
      for (var id : List.of("Red", "RED", "blue", "red")) {
        client.message(sender, TestMessage.inSession(id));
      }
      var entity = sender == 0 ? "s" : "t/Subscriptions/a";

      assertThat(accept(5 + sender, entity, "rED")).isEqualTo("rED");
      client.forget().credit(5 + sender, 9);

      assertThat(spellings()).containsExactly("Red", "RED", "red");
      assertThat(accept(7 + sender, entity, null)).isEqualTo("blue");
    }
  }

  @Test
  @Rule({"S-523", "S-246"})
  void whoeverIsOfferedItIsToldTheSpellingOfItsFirstMessage() {
    client.message(0, TestMessage.inSession("Red")).message(0, TestMessage.inSession("red"));

    assertThat(accept(5, "s", null)).isEqualTo("Red");
  }

  @Test
  @Rule({"S-523", "S-254", "S-213", "S-244"})
  void requestsNameItInAnySpelling() {
    client.message(0, TestMessage.inSession("Red"));
    accept(5, "s", "red");
    client.credit(5, 1).dispose(0, 0, true, TestClient.modified(true, Map.of()));
    var node = new RequestClient(client, 0, "s/$management", "me");
    var set = Map.of("session-id", "RED", "session-state", new byte[] {7});

    assertThat(node.manage("set-session-state", set).status()).isEqualTo(200);
    var state = node.manage("get-session-state", Map.of("session-id", "rEd"));
    assertThat((byte[]) state.body("session-state")).containsExactly(7);
    assertThat(node.manage("renew-session-lock", Map.of("session-id", "ReD")).status())
        .isEqualTo(200);
    var deferred =
        node.manage(
            "receive-by-sequence-number",
            Map.of(
                "session-id",
                "reD",
                "sequence-numbers",
                TypedArray.ofLongs(new long[] {1}),
                "receiver-settle-mode",
                1));
    assertThat((List<?>) deferred.body("messages")).hasSize(1);
    var peeked =
        node.manage(
            "peek-message",
            Map.of("session-id", "rED", "from-sequence-number", 0L, "message-count", 9));
    assertThat((List<?>) peeked.body("messages")).hasSize(1);
  }

  @Test
  @Rule({"S-523", "S-525"})
  void theLastStateThatATransactionSetsIsTheOne() {
    accept(5, "s", "red");
    var node = new RequestClient(client, 0, "s/$management", "me");
    var coordinator = Coordinator.of(client);
    var id = coordinator.declare();
    for (var spelling : List.of("red", "RED")) {
      var state = new byte[] {(byte) spelling.charAt(0)};
      node.manageIn(
          id, "set-session-state", Map.of("session-id", spelling, "session-state", state));
    }

    client.forget();
    assertThat(coordinator.commit(id)).isNull();

    var state = node.manage("get-session-state", Map.of("session-id", "Red"));
    assertThat((byte[]) state.body("session-state")).containsExactly('R');
    assertThat(broker.journal.leaks()).isZero();
  }
}
