package io.peeklock.runtime.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.proof.Rule;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tokens against the vectors of the wire dossier, and what they cover. */
class AccessControlTest {
  private static final long NOW = 1_767_225_600_000L;
  private static final String UPPER = "sb%3A%2F%2Flocalhost%2Forders";
  private static final String UPPER_SIG = "AcsLFPvYmMHJ1V8fv8kh19uR7GtcEi7a8p1%2FDwjsbrk%3D";
  private static final String LOWER = "sb%3a%2f%2flocalhost%2forders";
  private static final String LOWER_SIG = "tGNMp5ccKqWBRDXRxR2nCQlcqRI1FJj87byjkJ9YliY%3d";

  private final AccessControl access =
      new AccessControl(List.of(Policy.root(Secret.of("SAS_KEY_VALUE"))));

  private static String token(String resource, String signature) {
    return "SharedAccessSignature sr="
        + resource
        + "&sig="
        + signature
        + "&se=1893456000&skn=RootManageSharedAccessKey";
  }

  private boolean opens(String token, String audience) {
    return access.verify(token, audience, NOW) instanceof AccessDecision.Granted;
  }

  @Test
  @Rule({"S-468", "T-56"})
  void bothVectorsVerifyOverTheTextAsSent() {
    assertThat(opens(token(UPPER, UPPER_SIG), "amqp://localhost/orders")).isTrue();
    assertThat(opens(token(LOWER, LOWER_SIG), "amqp://localhost/orders")).isTrue();
    assertThat(opens(token(LOWER, UPPER_SIG), "amqp://localhost/orders")).isFalse();
  }

  @Test
  @Rule("T-56")
  void fieldsComeInAnyOrderAndNamesInAnyCase() {
    var shuffled =
        "SharedAccessSignature skn=rootmanagesharedaccesskey&se=1893456000&sig="
            + UPPER_SIG
            + "&sr="
            + UPPER;

    assertThat(opens(shuffled, "orders")).isTrue();
  }

  @Test
  @Rule({"S-469", "T-57"})
  void aTokenOpensItsPathAndAllBelowAndNothingBeside() {
    var token = token(UPPER, UPPER_SIG);

    assertThat(opens(token, "sb://other:99/ORDERS/$management")).isTrue();
    assertThat(opens(token, "/orders/$DeadLetterQueue")).isTrue();
    assertThat(opens(token, "%6frders")).isTrue();
    assertThat(opens(token, "orders2")).isFalse();
    assertThat(opens(token, "orders/../other")).isFalse();
    assertThat(opens(token, "")).isFalse();
    assertThat(opens(token, "sb://localhost/")).isFalse();
  }

  @Test
  @Rule("S-468")
  void theAllowanceForSkewedClocksIsFiveMinutes() {
    var token = token(UPPER, UPPER_SIG);
    var expiry = 1_893_456_000_000L;

    assertThat(access.verify(token, "orders", expiry + 299_999))
        .isEqualTo(
            new AccessDecision.Granted(
                new Credential(Policy.ROOT_NAME, "", Secret.of("SAS_KEY_VALUE")),
                Set.of(Right.values()),
                expiry + 300_000));
    assertThat(access.verify(token, "orders", expiry + 300_000))
        .isInstanceOf(AccessDecision.Denied.class);
  }

  @Test
  void whatIsNoTokenIsDenied() {
    for (var text :
        new String[] {
          "",
          "SharedAccessSignature ",
          "SharedAccessSignature sr=a&sig=%%%&se=1&skn=x",
          token(UPPER, UPPER_SIG) + "&sr=twice",
          token(UPPER, UPPER_SIG).replace("1893456000", "99999999999999999999"),
          token(UPPER, UPPER_SIG).replace("Root", "Boot"),
          "SharedAccessSignature " + "x".repeat(10_000),
        }) {
      assertThat(opens(text, "orders")).isFalse();
    }
  }

  @Test
  @Rule({"S-464", "S-473"})
  void eitherKeyOfAPolicyIsItsPasswordUntilItIsReplaced() {
    var policy = new Policy("p", "", Secret.of("one"), Secret.of("two"), Set.of(Right.LISTEN));
    access.replace(List.of(policy));

    assertThat(access.authenticate("P", "one".getBytes(StandardCharsets.UTF_8))).isEqualTo(policy);
    assertThat(access.authenticate("p", "two".getBytes(StandardCharsets.UTF_8))).isEqualTo(policy);
    assertThat(access.authenticate("p", "three".getBytes(StandardCharsets.UTF_8))).isNull();
    assertThat(access.authenticate("q", "one".getBytes(StandardCharsets.UTF_8))).isNull();
    access.replace(List.of());
    assertThat(access.authenticate("p", "one".getBytes(StandardCharsets.UTF_8))).isNull();
  }

  @Test
  @Rule({"S-471", "S-472"})
  void manageComesWithBothOtherRightsAndTheFirstPolicyHasAllThree() {
    var key = Secret.of("key");

    assertThat(Policy.root(key).rights()).containsExactlyInAnyOrder(Right.values());
    assertThat(Policy.ROOT_NAME).isEqualTo("RootManageSharedAccessKey");
    assertThatThrownBy(() -> new Policy("p", "", key, key, Set.of(Right.MANAGE, Right.SEND)))
        .hasMessageContaining("Manage must come with Send and Listen");
    assertThatThrownBy(() -> new Policy("p", "", key, key, Set.of(Right.MANAGE, Right.LISTEN)))
        .hasMessageContaining("Manage must come with Send and Listen");
  }

  @Test
  void aSecretNeverShowsItself() {
    assertThat(Policy.root(Secret.of("canary")).toString()).doesNotContain("canary");
    assertThat(String.valueOf(SasToken.parse(token(UPPER, UPPER_SIG)))).doesNotContain("Acs");
  }
}
