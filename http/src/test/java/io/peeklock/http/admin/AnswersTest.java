package io.peeklock.http.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.http.admin.AdminFixture.Answer;
import io.peeklock.http.admin.atom.XmlNode;
import io.peeklock.proof.Rule;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers as the vendor's service was recorded to give them, element by element. */
class AnswersTest {
  private static final String QUEUE = "QueueDescription";
  private static final String TOPIC = "TopicDescription";
  private static final String SUBSCRIPTION = "SubscriptionDescription";

  /** Told to who asks; who makes or changes something hears of it only if it said so itself. */
  private static final List<String> MEASURED =
      List.of(
          "AccessedAt",
          "CountDetails",
          "SubscriptionCount",
          "SqlFilterCount",
          "CorrelationFilterCount");

  private static final List<String> OF_QUEUE =
      elements(
          "LockDuration MaxSizeInMegabytes RequiresDuplicateDetection RequiresSession"
              + " DefaultMessageTimeToLive DeadLetteringOnMessageExpiration"
              + " DuplicateDetectionHistoryTimeWindow MaxDeliveryCount EnableBatchedOperations"
              + " SizeInBytes MessageCount IsAnonymousAccessible AuthorizationRules Status CreatedAt"
              + " UpdatedAt AccessedAt SupportOrdering CountDetails AutoDeleteOnIdle"
              + " EnablePartitioning EntityAvailabilityStatus EnableExpress"
              + " MaxMessageSizeInKilobytes");

  private static final List<String> OF_TOPIC =
      elements(
          "DefaultMessageTimeToLive MaxSizeInMegabytes RequiresDuplicateDetection"
              + " DuplicateDetectionHistoryTimeWindow EnableBatchedOperations SizeInBytes"
              + " FilteringMessagesBeforePublishing IsAnonymousAccessible AuthorizationRules Status"
              + " CreatedAt UpdatedAt AccessedAt SupportOrdering CountDetails SubscriptionCount"
              + " SqlFilterCount CorrelationFilterCount AutoDeleteOnIdle EnablePartitioning"
              + " EntityAvailabilityStatus EnableSubscriptionPartitioning EnableExpress"
              + " MaxMessageSizeInKilobytes");

  private static final List<String> OF_SUBSCRIPTION =
      elements(
          "LockDuration RequiresSession DefaultMessageTimeToLive DeadLetteringOnMessageExpiration"
              + " DeadLetteringOnFilterEvaluationExceptions MessageCount MaxDeliveryCount"
              + " EnableBatchedOperations Status CreatedAt UpdatedAt AccessedAt CountDetails"
              + " AutoDeleteOnIdle EntityAvailabilityStatus IsClientAffine");

  private final AdminFixture admin = new AdminFixture();

  private static List<String> elements(String names) {
    return List.of(names.split(" "));
  }

  private static List<String> without(List<String> all, List<String> some) {
    var rest = new ArrayList<>(all);
    rest.removeAll(some);
    return rest;
  }

  private static List<String> names(XmlNode description) {
    return description.children().stream().map(XmlNode::name).toList();
  }

  /** What a version does not know yet. */
  private static List<String> unknownIn(String version) {
    var unknown = new ArrayList<String>();
    if (version.compareTo("2021-05") < 0) {
      unknown.addAll(List.of("MaxMessageSizeInKilobytes", "IsClientAffine"));
    }
    if (version.compareTo("2024-05") < 0) {
      unknown.addAll(List.of("SqlFilterCount", "CorrelationFilterCount"));
    }
    return unknown;
  }

  @ParameterizedTest
  @ValueSource(strings = {"2015-01", "2017-04", "2021-05", "2024-05"})
  void whatIsMadeAnsweredListedAndChangedHasTheElementsOfItsVersion(String version) {
    var v = "?api-version=" + version;
    var unknown = unknownIn(version);
    var all = List.of(OF_QUEUE, OF_TOPIC, OF_SUBSCRIPTION);
    var paths = List.of("/q", "/t", "/t/subscriptions/s");
    var lists = List.of("/$Resources/queues", "/$Resources/topics", "/t/subscriptions");
    var kinds = List.of(QUEUE, TOPIC, SUBSCRIPTION);
    for (var i = 0; i < kinds.size(); i++) {
      var shown = without(all.get(i), unknown);
      // A new subscription says that it was never accessed, as nothing else does.
      var told = without(shown, i < 2 ? MEASURED : List.of("CountDetails"));

      var made = admin.create(paths.get(i) + v, kinds.get(i), "");
      var read = admin.get(paths.get(i) + v);
      var listed = admin.get(lists.get(i) + v);
      var changed = admin.update(paths.get(i) + v, kinds.get(i), "");

      assertThat(made.status()).isEqualTo(201);
      assertThat(names(made.description())).isEqualTo(told);
      assertThat(names(read.description())).isEqualTo(shown);
      assertThat(names(Answer.content(listed.all("entry").getFirst()))).isEqualTo(shown);
      assertThat(names(changed.description())).isEqualTo(told);
    }
  }

  @Test
  void anEntryOfWhatWasChangedDoesNotSayWhenItWasPublished() {
    var made = admin.create("/q", QUEUE, "");
    var changed = admin.update("/q", QUEUE, "");

    assertThat(names(made.xml()))
        .containsExactly("id", "title", "published", "updated", "author", "link", "content");
    assertThat(names(changed.xml()))
        .containsExactly("id", "title", "updated", "author", "link", "content");
  }

  @Test
  void whatAClientSaysAgainThoughItCannotBeSetIsToldAgain() {
    admin.create("/q", QUEUE, "");

    var changed =
        admin.update(
            "/q", QUEUE, "<AccessedAt>0001-01-01T00:00:00Z</AccessedAt><CountDetails/><X>1</X>");

    assertThat(names(changed.description()))
        .isEqualTo(without(OF_QUEUE, unknownIn("2021-05")))
        .contains("AccessedAt", "CountDetails");
  }

  @Test
  void whatAVersionDoesNotKnowCannotBeSetInIt() {
    var large = "<MaxMessageSizeInKilobytes>2048</MaxMessageSizeInKilobytes>";

    var refused = admin.create("/q?api-version=2017-04", QUEUE, large);

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body())
        .contains(
            "<Detail>SubCode=40000. The entity description of type 'QueueDescription' has"
                + " unsupported properties for api-version '2017-04' in the request.");
    assertThat(admin.create("/q?api-version=2021-05", QUEUE, large).status()).isEqualTo(201);
    assertThat(admin.update("/q?api-version=2017-04", QUEUE, "").status()).isEqualTo(200);
    assertThat(admin.get("/q").of("MaxMessageSizeInKilobytes"))
        .as("a client of that version cannot say it again")
        .isEqualTo("2048");
    admin.update("/q?api-version=2021-05", QUEUE, "");
    assertThat(admin.get("/q").of("MaxMessageSizeInKilobytes")).isEqualTo("102400");
  }

  @Test
  @Rule("S-489")
  void laterChangesHaveLaterTimesWithinAMillisecondToo() {
    admin.create("/t", TOPIC, "");
    admin.update("/t", TOPIC, "");
    var changed = admin.get("/t");
    admin.create("/t/subscriptions/s", SUBSCRIPTION, "");
    var topic = admin.get("/t");
    var below = admin.get("/t/subscriptions/s");

    assertThat(changed.of("AccessedAt")).isEqualTo("0001-01-01T00:00:00Z");
    assertThat(changed.of("UpdatedAt")).isGreaterThan(changed.of("CreatedAt"));
    assertThat(topic.of("AccessedAt")).isGreaterThan(topic.of("UpdatedAt"));
    assertThat(below.of("AccessedAt")).isGreaterThan(below.of("UpdatedAt"));
  }

  @Test
  void aTopicTellsHowManyFiltersItHas() {
    admin.create("/t", TOPIC, "");
    admin.create("/t/subscriptions/a", SUBSCRIPTION, "");
    admin.create("/t/subscriptions/b", SUBSCRIPTION, "");
    admin.create(
        "/t/subscriptions/b/rules/r",
        "RuleDescription",
        "<Filter i:type=\"CorrelationFilter\"><Label>x</Label></Filter><Name>r</Name>");
    admin.create(
        "/t/subscriptions/b/rules/none",
        "RuleDescription",
        "<Filter i:type=\"FalseFilter\"><SqlExpression>1=0</SqlExpression></Filter>");

    var read = admin.get("/t?api-version=2024-05");

    assertThat(read.body())
        .contains(
            "<SubscriptionCount>2</SubscriptionCount><SqlFilterCount>3</SqlFilterCount>"
                + "<CorrelationFilterCount>1</CorrelationFilterCount>");
    admin.delete("/t/subscriptions/b");
    assertThat(admin.get("/t?api-version=2024-05").of("SqlFilterCount")).isEqualTo("1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/q/$DeadLetterQueue",
        "/q/$deadletterqueue",
        "/q/$Transfer/$DeadLetterQueue",
        "/q/$management",
        "/t/subscriptions/s/$DeadLetterQueue",
        "/t/subscriptions/s/other",
        "/none/$DeadLetterQueue"
      })
  void partsOfAnEntityHaveNoDescription(String path) {
    admin.create("/q", QUEUE, "");

    var read = admin.get(path);
    var made = admin.create(path, QUEUE, "");

    assertThat(read.status()).isEqualTo(400);
    assertThat(read.body())
        .startsWith("<Error><Code>400</Code><Detail>The specified HTTP verb (GET) is not valid. ");
    assertThat(made.body()).contains("<Detail>The specified HTTP verb (PUT) is not valid. ");
    assertThat(admin.get("/$Resources/queues").titles()).containsExactly("q");
  }

  @Test
  @Rule("S-067")
  void whatIsFixedIsSaidInTheWordsThatClientsLookFor() {
    admin.create("/q", QUEUE, "");
    admin.create("/t", TOPIC, "");
    admin.create("/t/subscriptions/s", SUBSCRIPTION, "");
    var session = "<RequiresSession>true</RequiresSession>";
    var parts = "<EnablePartitioning>true</EnablePartitioning>";

    assertThat(admin.update("/q", QUEUE, session).body())
        .contains(
            "<Detail>SubCode=40000. The value for the RequiresSession property of an existing"
                + " Queue cannot be changed. ");
    assertThat(admin.update("/t/subscriptions/s", SUBSCRIPTION, session).body())
        .contains("RequiresSession property of an existing Subscription cannot be changed. ");
    assertThat(admin.update("/t", TOPIC, parts).body())
        .contains("SubCode=40000. Partitioning cannot be changed for Topic. ");
  }

  @Test
  @Rule("S-061")
  void aSecondSubscriptionOrRuleIsRefusedInTheWordsThatClientsLookFor() {
    admin.create("/t", TOPIC, "");
    admin.create("/t/subscriptions/s", SUBSCRIPTION, "");

    var subscription = admin.create("/t/subscriptions/s", SUBSCRIPTION, "");
    var rule = admin.create("/t/subscriptions/s/rules/$Default", "RuleDescription", "");
    var named =
        admin.create("/t/subscriptions/s/rules/", "RuleDescription", "<Name>$Default</Name>");

    assertThat(subscription.status()).isEqualTo(409);
    assertThat(subscription.body())
        .startsWith(
            "<Error><Code>409</Code><Detail>The messaging entity 'localhost:Topic:t|s' already"
                + " exists. SubCode=40900. ");
    assertThat(rule.body())
        .contains("<Detail>The messaging entity 'localhost:Topic:t|s|$Default' already exists. ");
    assertThat(named.body()).contains("'localhost:Topic:t|s|$Default' already exists. ");
  }

  @Test
  void aNamespaceIsCalledByTheFirstLabelOfItsHost() {
    var info = atHost("shop.servicebus.localhost:5300", "/$namespaceinfo");
    var queues = atHost("shop.servicebus.localhost:5300", "/None/subscriptions");

    assertThat(info.of("Name")).isEqualTo("shop");
    assertThat(names(info.xml()))
        .containsExactly("id", "title", "updated", "author", "link", "content");
    assertThat(info.body())
        .contains("<title type=\"text\">shop</title>", "<author><name>shop</name></author>");
    assertThat(queues.body()).contains("'shop.servicebus.localhost:none/Subscriptions'");
    assertThat(atHost("127.0.0.1:5300", "/$namespaceinfo").of("Name")).isEqualTo("127.0.0.1");
    assertThat(atHost("[::1]:5300", "/$namespaceinfo").of("Name")).isEqualTo("[::1]");
  }

  private Answer atHost(String host, String path) {
    return admin.raw(
        "GET "
            + path
            + " HTTP/1.1\r\nHost: "
            + host
            + "\r\nAuthorization: "
            + admin.rootToken()
            + "\r\n\r\n");
  }

  @ParameterizedTest
  @CsvSource({
    "SB://Shop.Example.COM/Target, sb://shop.example.com/Target",
    "https://LOCALHOST:5300/target, https://localhost:5300/target",
    "Target, Target",
  })
  void whereMessagesMoveToIsToldWithItsHostInLowerCase(String given, String told) {
    admin.create("/target", QUEUE, "");

    var made = admin.create("/q", QUEUE, "<ForwardTo>" + given + "</ForwardTo>");

    assertThat(made.of("ForwardTo")).isEqualTo(told);
  }

  @Test
  @Rule("S-286")
  void whoForwardsToItselfIsToldSo() {
    admin.create("/q", QUEUE, "");

    var refused = admin.update("/q", QUEUE, "<ForwardTo>sb://localhost/Q</ForwardTo>");

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("SubCode=40000. 'q' cannot forward to itself");
  }

  @Test
  @Rule({"S-286", "S-294"})
  void nothingForwardsToASubscription() {
    admin.create("/t", TOPIC, "");
    admin.create("/t/subscriptions/a", SUBSCRIPTION, "");
    var there = "<ForwardTo>sb://localhost/t/subscriptions/a</ForwardTo>";

    for (var refused :
        List.of(
            admin.create("/q", QUEUE, there),
            admin.create("/t/subscriptions/b", SUBSCRIPTION, there),
            admin.create(
                "/q", QUEUE, there.replace("ForwardTo", "ForwardDeadLetteredMessagesTo")))) {
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.body()).contains("SubCode=40400. There is no queue and no topic 't/");
    }
  }

  @Test
  void expressIsKeptAndMayBeChanged() {
    var made = admin.create("/q", QUEUE, "<EnableExpress>true</EnableExpress>");
    var off = admin.update("/q", QUEUE, "<EnableExpress>false</EnableExpress>");
    var on = admin.update("/q", QUEUE, "<EnableExpress>true</EnableExpress>");
    var left = admin.update("/q", QUEUE, "");

    assertThat(List.of(made, off, on, left))
        .extracting(each -> each.of("EnableExpress"))
        .containsExactly("true", "false", "true", "false");
  }

  @Test
  @Rule("S-470")
  void authorizationRulesSayWhenTheyWereMadeOnlyIfTheirMakerDoes() {
    var rule =
        "<AuthorizationRules><AuthorizationRule i:type=\"SharedAccessAuthorizationRule\">"
            + "<Rights><AccessRights>Send</AccessRights></Rights>%s<KeyName>shop</KeyName>"
            + "<PrimaryKey>one</PrimaryKey><SecondaryKey>two</SecondaryKey></AuthorizationRule>"
            + "</AuthorizationRules>";
    var times =
        "<CreatedTime>2026-02-03T04:05:06.5Z</CreatedTime>"
            + "<ModifiedTime>2026-02-03T04:05:07</ModifiedTime>";

    var plain = admin.create("/a", QUEUE, rule.replace("%s", ""));
    var dated = admin.create("/b", QUEUE, rule.replace("%s", times));
    var again = admin.update("/b", QUEUE, rule.replace("%s", ""));
    var wrong = admin.create("/c", QUEUE, rule.replace("%s", "<CreatedTime>soon</CreatedTime>"));

    assertThat(plain.body()).contains("<KeyName>shop").doesNotContain("edTime>");
    assertThat(dated.body())
        .contains(
            "</Rights><CreatedTime>2026-02-03T04:05:06.5000000Z</CreatedTime>"
                + "<ModifiedTime>2026-02-03T04:05:07.0000000Z</ModifiedTime><KeyName>");
    assertThat(again.body()).doesNotContain("edTime>");
    assertThat(wrong.status()).isEqualTo(400);
  }
}
