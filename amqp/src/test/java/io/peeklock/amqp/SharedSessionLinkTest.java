package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.ATTACH;
import static io.peeklock.amqp.TestClient.DETACH;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.condition;
import static io.peeklock.amqp.TestClient.there;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.engine.codec.Described;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.TypedArray;
import io.peeklock.amqp.engine.codec.Unsigned;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.limit.AmqpSettings;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.filter.FilterLimits;
import io.peeklock.proof.Rule;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Links to sessions that go from holder to holder by their lock token. */
class SharedSessionLinkTest {
  private static final Symbol FILTER = new Symbol("com.microsoft:non-exclusive-session-filter");
  private static final Unsigned.Ulong CODE = new Unsigned.Ulong(0x137000000EL);

  private final BrokerFixture broker = broker(AmqpSettings.Quotas.NONE);
  private final TestClient client = broker.client().sender(0, 0, "s").forget();
  private final TestClient other = broker.client();

  private static BrokerFixture broker(AmqpSettings.Quotas quotas) {
    return new BrokerFixture(quotas).queue(QueueDefinition.named("s").withSession(true));
  }

  private static Map<Symbol, @Nullable Object> filter(@Nullable Object id, @Nullable Object token) {
    var filter = new HashMap<Symbol, @Nullable Object>();
    filter.put(FILTER, new Described(CODE, Arrays.asList(id, token)));
    return filter;
  }

  private static TestClient asks(TestClient by, int handle, Map<Symbol, ?> filter) {
    by.forget();
    return by.perform(
        0,
        ATTACH,
        "link-" + handle,
        TestClient.uint(handle),
        true,
        TestClient.ubyte(0),
        TestClient.ubyte(0),
        TestClient.source("s", filter),
        TestClient.target("t"));
  }

  /** The id and the token that an answer has. */
  private static List<?> accepted(TestClient by, int handle, @Nullable Object... asked) {
    var attach = asks(by, handle, filter(asked[0], asked[1])).one(ATTACH);
    var source = there((Described) attach.field(5));
    var echoed = (Map<?, ?>) there(((List<?>) there(source.value())).get(7));
    var described = there((Described) echoed.get(FILTER));
    assertThat(described.descriptor()).isEqualTo(CODE);
    var properties = (Map<?, ?>) there(attach.field(13));
    assertThat(properties.get(new Symbol("com.microsoft:locked-until-utc")))
        .isInstanceOf(Long.class);
    return there((List<?>) described.value());
  }

  private static @Nullable String refusal(TestClient by) {
    assertThat(by.one(ATTACH).field(5)).isNull();
    return condition(by.one(DETACH).field(2));
  }

  @Test
  @Rule({"S-516", "S-517", "S-519", "S-520"})
  void whoPresentsTheTokenGoesOnWithWhatTheFormerHolderHad() {
    client.message(0, TestMessage.inSession("one")).message(0, TestMessage.inSession("one"));
    var first = accepted(client, 5, "one", null);
    client.forget().credit(5, 1);
    var had = client.one(TRANSFER);

    var second = accepted(other, 6, "one", first.get(1));

    assertThat(first.getFirst()).isEqualTo("one");
    assertThat(first.get(1)).isInstanceOf(UUID.class);
    assertThat(second).isEqualTo(first);
    assertThat(condition(client.one(DETACH).field(2))).isEqualTo(Conditions.SESSION_LOCK_LOST);
    other.forget().credit(6, 9);
    assertThat(other.take(TRANSFER)).as("nothing comes again").hasSize(1);
    var former = new RequestClient(client, 0, "s/$management", "me");
    var now = new RequestClient(other, 0, "s/$management", "me");
    var token = ManagementTest.guid(there((byte[]) had.field(2)));
    var completing =
        Map.of(
            "session-id",
            "one",
            "disposition-status",
            "completed",
            "lock-tokens",
            TypedArray.ofUuids(List.of(token)));
    assertThat(former.manage("update-disposition", completing).status()).isEqualTo(410);
    assertThat(now.manage("update-disposition", completing).status()).isEqualTo(200);
    assertThat(now.manage("renew-session-lock", Map.of("session-id", "one")).status())
        .isEqualTo(200);
  }

  @Test
  @Rule({"S-516", "S-518"})
  void theNextSessionIsGivenWithItsTokenAndAWrongOneOpensNone() {
    client.message(0, TestMessage.inSession("red"));

    var next = accepted(client, 5, null, null);

    assertThat(next.getFirst()).isEqualTo("red");
    asks(other, 6, filter("red", UUID.randomUUID()));
    assertThat(refusal(other)).isEqualTo(Conditions.SESSION_CANNOT_BE_LOCKED);
    asks(other, 7, filter("red", null));
    assertThat(refusal(other)).isEqualTo(Conditions.SESSION_CANNOT_BE_LOCKED);
    asks(other, 8, Map.of(new Symbol("com.microsoft:session-filter"), "red"));
    assertThat(refusal(other)).isEqualTo(Conditions.SESSION_CANNOT_BE_LOCKED);
    client.leave();
    asks(other, 9, filter("red", next.get(1)));
    assertThat(refusal(other)).isEqualTo(Conditions.SESSION_CANNOT_BE_LOCKED);
  }

  @Test
  @Rule("S-517")
  void aReceiveAndDeleteLinkIsToldAtOnceThatItsSessionWasTakenOver() {
    client.message(0, TestMessage.inSession("one"));
    client.forget();
    client.perform(
        0,
        ATTACH,
        "link-5",
        TestClient.uint(5),
        true,
        TestClient.ubyte(1),
        TestClient.ubyte(0),
        TestClient.source("s", filter("one", null)),
        TestClient.target("t"));
    var source = there((Described) client.one(ATTACH).field(5));
    var echoed = (Map<?, ?>) there(((List<?>) there(source.value())).get(7));
    var token = ((List<?>) there(there((Described) echoed.get(FILTER)).value())).get(1);
    client.forget();

    accepted(other, 6, "one", token);

    var error = client.one(DETACH).field(2);
    assertThat(TestClient.condition(error)).isEqualTo(Conditions.SESSION_LOCK_LOST);
    assertThat(String.valueOf(error)).contains("taken over");
  }

  @Test
  @Rule("S-522")
  void whatIsNoSuchFilterIsRefused() {
    var both = new HashMap<Symbol, @Nullable Object>(filter("one", null));
    both.put(new Symbol("com.microsoft:session-filter"), "one");
    var handle = 20;
    for (var bad :
        List.of(
            both,
            filter(5, null),
            filter("one", "text"),
            filter(null, UUID.randomUUID()),
            Map.of(FILTER, "one"),
            Map.of(FILTER, new Described(CODE, Arrays.asList("one", null, 1))))) {
      asks(client, ++handle, bad);
      assertThat(refusal(client)).isEqualTo(Conditions.NOT_ALLOWED);
    }
    var without = new AmqpSettings.Quotas(9, 9, 0, true, FilterLimits.CEILING, false);
    var old = broker(without).client();
    asks(old, 5, filter("one", null));
    assertThat(old.one(ATTACH).field(5)).isNull();
    assertThat(String.valueOf(old.one(DETACH).field(2))).contains("invalid filter type");
  }
}
