package io.peeklock.http.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.http.admin.AdminFixture.Answer;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.access.AccessDecision;
import io.peeklock.runtime.access.Policy;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may do what, and the keys of entities. */
class AccessTest {
  private static final String QUEUE = "QueueDescription";
  private final AdminFixture admin = new AdminFixture();

  private Answer with(String token, String method, String path) {
    var body = method.equals("PUT") ? AdminFixture.entry(QUEUE, "") : "";
    return admin.send(method, path, token, "", body);
  }

  @Test
  @Rule({"S-476", "S-478"})
  void everythingButTheNamespaceItselfNeedsManage() {
    admin.create("/q", QUEUE, "");
    var listens = admin.token("https://localhost", "listener", AdminFixture.LISTEN_KEY, 60);

    for (var method : List.of("GET", "PUT", "DELETE")) {
      var refused = with(listens, method, "/q");
      assertThat(refused.status()).as(method).isEqualTo(401);
      assertThat(refused.body()).contains("Manage,Entity");
    }
    assertThat(with(listens, "GET", "/q").body())
        .contains("<Detail>Manage,EntityRead claims required for this operation. ");
    assertThat(with(listens, "PUT", "/q").body())
        .contains("Authorization failed for specified action: Manage,EntityWrite. ");
    assertThat(with(listens, "DELETE", "/q").body())
        .contains("Authorization failed for specified action: Manage,EntityDelete. ");
    assertThat(with(listens, "GET", "/none").body()).contains("Publicly Listed Services");
    assertThat(with(listens, "GET", "/$Resources/Queues").status()).isEqualTo(401);
    assertThat(with(listens, "GET", "/$namespaceinfo").status()).isEqualTo(200);
  }

  @Test
  @Rule("S-468")
  void eachFlawOfATokenIsSaidAndNothingOfIt() {
    var canary = "Canary7Qx";
    var wrong =
        List.of(
            "",
            "Bearer " + canary,
            "SharedAccessSignature " + canary + "=1",
            admin.token("https://localhost", Policy.ROOT_NAME, canary, 60),
            admin.token("https://localhost", canary, AdminFixture.KEY, 60),
            admin.token("https://localhost", Policy.ROOT_NAME, AdminFixture.KEY, -600),
            admin.token("https://localhost/other", Policy.ROOT_NAME, AdminFixture.KEY, 60));
    var answers = wrong.stream().map(token -> with(token, "PUT", "/q")).toList();

    assertThat(answers).extracting(Answer::status).containsOnly(401);
    assertThat(answers.stream().map(each -> each.body().substring(31, 70)))
        .satisfiesExactly(
            each -> assertThat(each).contains("40102"),
            each -> assertThat(each).contains("40103"),
            each -> assertThat(each).contains("40103"),
            each -> assertThat(each).contains("40103"),
            each -> assertThat(each).contains("40103"),
            each -> assertThat(each).contains("40106"),
            each -> assertThat(each).contains("40104"));
    assertThat(answers).noneMatch(each -> each.body().contains(canary));
    assertThat(admin.shard.catalogue().queues()).isEmpty();
  }

  /** admin-http.md 3.1: what each client signs for. */
  @Test
  @Rule("S-469")
  void theResourceIsNamedInEveryClientsWay() {
    for (var resource :
        List.of(
            "https://localhost",
            "https://localhost/",
            "https://localhost:5300/q1?api-version=2021-05",
            "HTTPS://LOCALHOST/Q1",
            "sb://localhost/q1",
            "localhost",
            "localhost/q1",
            "http://other/q1/")) {
      var token = admin.token(resource, Policy.ROOT_NAME, AdminFixture.KEY, 60);
      assertThat(with(token, "GET", "/q1?api-version=2021-05").status())
          .as(resource)
          .isEqualTo(200);
    }
    // JavaScript writes its escapes in lower case, and signs them so.
    var lower =
        "SharedAccessSignature sig="
            + "OtLgovpuUoLVdZGv%2fE9lY1Unm%2f9BCXmkQ05de3%2bJV0g%3d"
            + "&se=1900000000&skn=RootManageSharedAccessKey"
            + "&sr=https%3a%2f%2flocalhost%3a5300%2fq1%3fapi-version%3d2021-05";
    assertThat(with(lower, "GET", "/q1?api-version=2021-05").status()).isEqualTo(200);
  }

  private static String rule(String name, String key, String... rights) {
    var claims = new StringBuilder();
    for (var right : rights) {
      claims.append("<AccessRights>").append(right).append("</AccessRights>");
    }
    return "<AuthorizationRule i:type=\"SharedAccessAuthorizationRule\"><ClaimType>SharedAccessKey"
        + "</ClaimType><ClaimValue>None</ClaimValue><Rights>"
        + claims
        + "</Rights><KeyName>"
        + name
        + "</KeyName>"
        + (key.isEmpty() ? "" : "<PrimaryKey>" + key + "</PrimaryKey>")
        + "</AuthorizationRule>";
  }

  private static String rules(String... rules) {
    return "<AuthorizationRules>" + String.join("", rules) + "</AuthorizationRules>";
  }

  @Test
  @Rule({"S-469", "S-470", "S-476"})
  void thePolicyOfAnEntityManagesItAndNothingElse() {
    var made =
        admin.create(
            "/mine", QUEUE, rules(rule("owner", "Canary7Qx-own", "Manage", "Send", "Listen")));
    admin.create("/other", QUEUE, "");
    var token = admin.token("https://localhost/mine", "owner", "Canary7Qx-own", 60);

    assertThat(made.body())
        .contains(
            "<AuthorizationRule i:type=\"SharedAccessAuthorizationRule\">",
            "<Rights><AccessRights>Manage</AccessRights><AccessRights>Send</AccessRights>"
                + "<AccessRights>Listen</AccessRights></Rights>",
            "<KeyName>owner</KeyName><PrimaryKey>Canary7Qx-own</PrimaryKey><SecondaryKey>");
    assertThat(with(token, "GET", "/mine").status()).isEqualTo(200);
    assertThat(with(token, "GET", "/other").status()).isEqualTo(401);
    assertThat(with(token, "GET", "/$Resources/Queues").status()).isEqualTo(401);
    assertThat(with(token, "PUT", "/mine").status()).as("making is the namespace's").isEqualTo(401);
    assertThat(with(token, "DELETE", "/mine").status()).isEqualTo(200);
  }

  @Test
  @Rule("S-476")
  void aLargerBodyIsHeldForAGoodTokenOnly() {
    var body = AdminFixture.entry(QUEUE, "") + " ".repeat(100_000);
    var good = admin.token("https://localhost", "RootManageSharedAccessKey", AdminFixture.KEY, 60);

    assertThat(admin.send("PUT", "/q", "", "", body).status()).isEqualTo(401);
    assertThat(admin.send("PUT", "/q", good, "", body).status()).isEqualTo(201);
  }

  @Test
  @Rule("S-473")
  void aKeyThatIsReplacedOpensNothingFromThenOn() {
    var old = rules(rule("owner", "Canary7Qx-old", "Manage", "Send", "Listen"));
    var next = rules(rule("owner", "Canary7Qx-new", "Manage", "Send", "Listen"));
    var before = admin.create("/q", QUEUE, old);
    var token = admin.token("https://localhost/q", "owner", "Canary7Qx-old", 60);
    assertThat(with(token, "GET", "/q").status()).isEqualTo(200);

    var after = admin.update("/q", QUEUE, next);

    assertThat(with(token, "GET", "/q").status()).isEqualTo(401);
    var newer = admin.token("https://localhost/q", "owner", "Canary7Qx-new", 60);
    assertThat(with(newer, "GET", "/q").status()).isEqualTo(200);
    assertThat(admin.access.verify(newer, "sb://localhost/q", admin.clock.wallMillis()))
        .isInstanceOf(AccessDecision.Granted.class);
    assertThat(secondary(after)).isEqualTo(secondary(before));
  }

  private static String secondary(Answer answer) {
    var body = answer.body();
    return body.substring(body.indexOf("<SecondaryKey>"), body.indexOf("</SecondaryKey>"));
  }

  @Test
  @Rule({"S-441", "S-471"})
  void rulesHaveALimitANameAndRightsThatGoTogether() {
    var many =
        IntStream.range(0, 13).mapToObj(i -> rule("r" + i, "", "Send")).toArray(String[]::new);

    assertThat(admin.create("/a", QUEUE, rules(many)).status()).isEqualTo(403);
    assertThat(admin.create("/b", QUEUE, rules(Arrays.copyOf(many, 12))).status()).isEqualTo(201);
    for (var wrong :
        List.of(
            rules(rule("a", "Canary7Qx", "Manage", "Send")),
            rules(rule("a", "Canary7Qx")),
            rules(rule("a", "Canary7Qx", "Own")),
            rules(rule("a", "Canary7Qx", "Send"), rule("A", "Canary7Qx", "Send")),
            rules(rule("", "Canary7Qx", "Send")),
            rules(rule("a", "Canary7Qx".repeat(30), "Send")))) {
      var refused = admin.create("/c", QUEUE, wrong);
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.body()).doesNotContain("Canary7Qx");
    }
  }

  @Test
  @Rule("S-287")
  void whoMakesAForwardNeedsManageOnItsDestinationToo() {
    admin.create("/target", QUEUE, "");
    admin.create("/mine", QUEUE, rules(rule("owner", "key-1", "Manage", "Send", "Listen")));
    var owner = admin.token("https://localhost/mine", "owner", "key-1", 60);
    var body =
        AdminFixture.entry(
            QUEUE,
            rules(rule("owner", "key-1", "Manage", "Send", "Listen"))
                + "<ForwardTo>sb://localhost/target</ForwardTo>");

    var alone = admin.send("PUT", "/mine", owner, "If-Match: *\r\n", body);
    assertThat(alone.status()).isEqualTo(401);
    for (var resource : List.of("localhost:5300", "sb://localhost/target", "https://localhost")) {
      var header =
          "ServiceBusSupplementaryAuthorization: "
              + admin.token(resource, Policy.ROOT_NAME, AdminFixture.KEY, 60)
              + "\r\n";
      var both = admin.send("PUT", "/mine", owner, "If-Match: *\r\n" + header, body);
      assertThat(both.status()).as(resource).isEqualTo(200);
    }
    var listens = admin.token("localhost", "listener", AdminFixture.LISTEN_KEY, 60);
    var weak = "ServiceBusSupplementaryAuthorization: " + listens + "\r\n";
    assertThat(
            admin.send("PUT", "/mine", admin.rootToken(), "If-Match: *\r\n" + weak, body).status())
        .isEqualTo(401);
    var dead = body.replace("ForwardTo>", "ForwardDeadLetteredMessagesTo>");
    assertThat(admin.send("PUT", "/mine", owner, "If-Match: *\r\n", dead).status()).isEqualTo(401);
  }

  /** The words of the service, which one client's tests compare. */
  @ParameterizedTest
  @Rule({"S-476", "S-478"})
  @CsvSource({
    "GET, /t/subscriptions/s, GetSubscription",
    "GET, /t/subscriptions/none, GetSubscription",
    "GET, /t/subscriptions, EnumerateSubscriptions",
    "PUT, /t/subscriptions/s, CreateOrUpdateSubscription",
    "DELETE, /t/subscriptions/s, DeleteSubscription",
    "GET, /t/subscriptions/s/rules, EnumerateRules",
    "GET, /t/subscriptions/s/rules/r, GetRule",
    "PUT, /t/subscriptions/s/rules/r, CreateOrUpdateRule",
    "DELETE, /t/subscriptions/s/rules/r, DeleteRule",
  })
  void belowATopicWhatIsLackingIsNamedByTheOperation(String method, String path, String named) {
    admin.create("/t", "TopicDescription", "");
    var listens = admin.token("https://localhost", "listener", AdminFixture.LISTEN_KEY, 60);

    var refused = with(listens, method, path);

    assertThat(refused.status()).isEqualTo(401);
    assertThat(refused.body())
        .contains(
            "<Detail>401 SubCode=40100: Unauthorized : Unauthorized access for '"
                + named
                + "' operation");
  }
}
