package io.peeklock.runtime.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.Catalogue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Policies of entities, by path and by key. */
class CataloguePoliciesTest {
  private Catalogue now = Catalogue.UNKNOWN;
  private final CataloguePolicies policies = new CataloguePolicies(() -> now);

  private static Catalogue.Entry entity(QueueDefinition definition) {
    return new Catalogue.Entry(new QueueId(1), new QueueId(2), definition, 1, 1, 0);
  }

  private static QueueDefinition guarded(String path, String... keys) {
    var rules =
        Arrays.stream(keys)
            .map(
                key ->
                    new AuthorizationRule("of " + key, Set.of(Right.SEND), key, key + "-2", 1, 1))
            .toList();
    return QueueDefinition.named(path)
        .with()
        .attributes(Map.of(AuthorizationRule.ATTRIBUTE, AuthorizationRule.kept(rules)))
        .build();
  }

  private void have(QueueDefinition... entities) {
    now =
        new Catalogue(
            Arrays.stream(entities)
                .collect(
                    Collectors.toMap(
                        each -> each.path().toLowerCase(Locale.ROOT),
                        CataloguePoliciesTest::entity)),
            Map.of(),
            true);
  }

  private List<String> scopes(String name, String key) {
    return policies.openedBy(name, key.getBytes(StandardCharsets.UTF_8)).stream()
        .map(Policy::scope)
        .sorted()
        .toList();
  }

  @Test
  @Rule({"S-469", "S-470"})
  void whatIsBelowAnEntityIsReachedByItsPoliciesAndThoseAboveIt() {
    have(
        guarded("A", "one"),
        guarded("A/b", "two"),
        guarded("a/b/s").as(new QueueRole.Subscription("a/b", true)));

    assertThat(policies.reaching("a/b/$deadletterqueue"))
        .extracting(Policy::scope)
        .containsExactly("a/b", "a");
    assertThat(policies.reaching("ab")).isEmpty();
    assertThat(policies.reaching("a/".repeat(600))).isEmpty();
  }

  @Test
  @Rule({"S-464", "S-470"})
  void bothKeysOfEveryRuleAreKnownAndFollowTheCatalogue() {
    have(guarded("A", "one", "two"), guarded("b", "one"), guarded("c"), QueueDefinition.named("d"));
    assertThat(scopes("OF one", "one")).containsExactly("a", "b");
    assertThat(scopes("of two", "two-2")).containsExactly("a");
    assertThat(scopes("of two", "one")).isEmpty();

    have(guarded("A", "one"), guarded("b", "three"));

    assertThat(scopes("of one", "one-2")).containsExactly("a");
    assertThat(scopes("of two", "two")).isEmpty();
    assertThat(scopes("of three", "three")).containsExactly("b");
  }

  @Test
  @Rule("S-470")
  void aRuleOnASubscriptionOpensNothing() {
    have(guarded("t/subscriptions/s", "one").as(new QueueRole.Subscription("t", true)));

    assertThat(scopes("of one", "one")).isEmpty();
    assertThat(policies.reaching("t/subscriptions/s")).isEmpty();
  }
}
