package io.peeklock.http.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.runtime.access.Policy;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The one call that empties a namespace. */
class EverythingTest {
  private static final String PATH = "/$peeklock/entities";
  private final AdminFixture admin = new AdminFixture();

  EverythingTest() {
    admin.create("/orders", "QueueDescription", "<MaxDeliveryCount>5</MaxDeliveryCount>");
    admin.create("/events", "TopicDescription", "");
    admin.create("/events/subscriptions/all", "SubscriptionDescription", "");
  }

  @Test
  void allEntitiesGoAtOnce() {
    var answer = admin.delete(PATH + "?api-version=2021-05");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(admin.shard.catalogue().queues()).isEmpty();
    assertThat(admin.delete(PATH).status()).as("there is nothing any more").isEqualTo(200);
  }

  @Test
  void entitiesThatAreKeptAreThereWithTheirProperties() {
    var before = admin.shard.catalogue().queue("orders");

    assertThat(admin.delete("/$PEEKLOCK/Entities/?keep=Entities").status()).isEqualTo(200);

    assertThat(admin.get("/orders").of("MaxDeliveryCount")).isEqualTo("5");
    assertThat(admin.get("/events/subscriptions/all/rules").titles()).containsExactly("$Default");
    var after = admin.shard.catalogue().queue("orders");
    assertThat(after).isNotNull();
    assertThat(after == null || before == null || after.queue().equals(before.queue())).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"?keep=", "?keep=messages", "?keep=entities%20"})
  void whatIsToBeKeptMustBeSaidRightly(String query) {
    assertThat(admin.delete(PATH + query).status()).isEqualTo(400);
    assertThat(admin.shard.catalogue().queues()).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "?keep-entities=true",
        "?keepEntities",
        "?keep=entities&dry-run=true",
        "?api-version=2021-05&Keep%20=entities"
      })
  void aParameterThatIsNotKnownDeletesNothing(String query) {
    var answer = admin.delete(PATH + query);

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body()).contains("There is no parameter '").contains("keep, api-version");
    assertThat(admin.shard.catalogue().queues()).hasSize(3);
  }

  @Test
  void onlyWhoManagesTheNamespaceEmptiesIt() {
    var tokens =
        List.of(
            "",
            admin.token("https://localhost", "listener", AdminFixture.LISTEN_KEY, 3_600),
            admin.token("https://localhost/orders", Policy.ROOT_NAME, AdminFixture.KEY, 3_600));

    for (var token : tokens) {
      assertThat(admin.send("DELETE", PATH, token, "", "").status()).isEqualTo(401);
    }
    assertThat(admin.shard.catalogue().queues()).hasSize(3);
  }

  @Test
  void thereIsNothingToReadOrToMakeThere() {
    assertThat(admin.get(PATH).status()).isEqualTo(405);
    assertThat(admin.create(PATH, "QueueDescription", "").status()).isEqualTo(405);
  }
}
