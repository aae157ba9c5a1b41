package io.peeklock.http.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.http.admin.atom.XmlNode;
import io.peeklock.proof.Rule;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Topics, and what is below them. */
class SubscriptionsTest {
  private static final String TOPIC = "TopicDescription";
  private static final String SUBSCRIPTION = "SubscriptionDescription";
  private static final String RULE = "RuleDescription";
  private static final String RED =
      "<Filter i:type=\"CorrelationFilter\"><Label>red</Label></Filter>";

  private final AdminFixture admin = new AdminFixture();

  @BeforeEach
  void topic() {
    admin.create("/Fruit/Events", TOPIC, "");
  }

  private static String ruleOf(String filter) {
    return filter + "<Name>r</Name>";
  }

  @Test
  void everyElementOfATopicIsThereInTheOrderOfTheService() {
    var all =
        "DefaultMessageTimeToLive MaxSizeInMegabytes RequiresDuplicateDetection"
            + " DuplicateDetectionHistoryTimeWindow EnableBatchedOperations SizeInBytes"
            + " FilteringMessagesBeforePublishing IsAnonymousAccessible AuthorizationRules Status"
            + " CreatedAt UpdatedAt AccessedAt UserMetadata SupportOrdering CountDetails"
            + " SubscriptionCount AutoDeleteOnIdle EnablePartitioning EntityAvailabilityStatus"
            + " EnableSubscriptionPartitioning EnableExpress MaxMessageSizeInKilobytes";

    admin.create(
        "/t",
        TOPIC,
        "<UserMetadata>x</UserMetadata>"
            + "<FilteringMessagesBeforePublishing>true</FilteringMessagesBeforePublishing>");
    var made = admin.get("/t");

    assertThat(made.description().children().stream().map(XmlNode::name))
        .containsExactly(all.split(" "));
    assertThat(made.of("FilteringMessagesBeforePublishing")).isEqualTo("true");
    assertThat(made.of("SupportOrdering")).isEqualTo("true");
  }

  @Test
  @Rule({"S-313", "S-060", "S-524"})
  void aSubscriptionIsMadeBelowItsTopicAndBeginsWithOneRule() {
    var all =
        "LockDuration RequiresSession DefaultMessageTimeToLive DeadLetteringOnMessageExpiration"
            + " DeadLetteringOnFilterEvaluationExceptions MessageCount MaxDeliveryCount"
            + " EnableBatchedOperations Status CreatedAt UpdatedAt AccessedAt"
            + " AutoDeleteOnIdle EntityAvailabilityStatus IsClientAffine";

    var made = admin.create("/fruit%2Fevents/subscriptions/First", SUBSCRIPTION, "");

    assertThat(made.status()).isEqualTo(201);
    assertThat(made.description().children().stream().map(XmlNode::name))
        .containsExactly(all.split(" "));
    assertThat(made.of("DeadLetteringOnFilterEvaluationExceptions")).isEqualTo("true");
    assertThat(made.body())
        .contains("<id>https://localhost:5300/fruit/events/Subscriptions/First?api-version=")
        .contains("<title type=\"text\">First</title>")
        .doesNotContain("<author>");
    var rules = admin.get("/fruit/events/Subscriptions/first/Rules/");
    assertThat(rules.titles()).containsExactly("$Default");
    assertThat(rules.body())
        .contains("/fruit/events/Subscriptions/First/Rules/$Default?")
        .contains("<Filter i:type=\"TrueFilter\"><SqlExpression>1=1</SqlExpression>")
        .contains("<Action i:type=\"EmptyRuleAction\"></Action>");
    assertThat(admin.get("/fruit/events").of("SubscriptionCount")).isEqualTo("1");
    assertThat(admin.get("/fruit/events/subscriptions").titles()).containsExactly("First");
  }

  @Test
  @Rule("S-314")
  void theFirstRuleIsTheOneThatIsDescribed() {
    admin.create(
        "/fruit/events/subscriptions/s",
        SUBSCRIPTION,
        "<DefaultRuleDescription>" + RED + "<Name>reds</Name></DefaultRuleDescription>");

    var rules = admin.get("/fruit/events/subscriptions/s/rules?$skip=0&$top=100");

    assertThat(rules.titles()).containsExactly("reds");
    assertThat(admin.get("/fruit/events/subscriptions/s").body())
        .doesNotContain("DefaultRuleDescription");
  }

  @Test
  @Rule("S-062")
  void whatIsMissingBelowATopicIsNotFound() {
    admin.create("/fruit/events/subscriptions/s", SUBSCRIPTION, "");
    for (var path :
        List.of(
            "/fruit/events/subscriptions/none",
            "/none/subscriptions",
            "/none/subscriptions/s",
            "/fruit/events/subscriptions/s/rules/none",
            "/fruit/events/subscriptions/none/rules")) {
      var answer = admin.get(path);
      assertThat(answer.status()).as(path).isEqualTo(404);
      assertThat(answer.body()).startsWith("<Error><Code>404</Code><Detail>The messaging entity");
    }
    assertThat(admin.create("/none/subscriptions/s", SUBSCRIPTION, "").status()).isEqualTo(404);
    assertThat(admin.update("/fruit/events/subscriptions/x", SUBSCRIPTION, "").status())
        .isEqualTo(404);
    assertThat(admin.create("/fruit/events/subscriptions/x/rules/r", RULE, ruleOf(RED)).status())
        .isEqualTo(404);
    assertThat(admin.update("/fruit/events/subscriptions/s/rules/r", RULE, ruleOf(RED)).status())
        .isEqualTo(404);
    assertThat(admin.delete("/fruit/events/subscriptions/s/rules/r").status()).isEqualTo(404);
  }

  @Test
  @Rule({"S-317", "S-315"})
  void aRuleIsMadeOnceReadReplacedInOneStepAndDeleted() {
    admin.create("/fruit/events/subscriptions/s", SUBSCRIPTION, "");
    var path = "/fruit/events/subscriptions/s/rules/r";

    assertThat(admin.create(path, RULE, ruleOf(RED)).status()).isEqualTo(201);
    assertThat(admin.create(path, RULE, ruleOf(RED)).status()).isEqualTo(409);
    var changed =
        admin.update(
            path,
            RULE,
            "<Filter i:type=\"SqlFilter\"><SqlExpression>a &lt; 3</SqlExpression></Filter>"
                + "<Action i:type=\"SqlRuleAction\"><SqlExpression>SET b = 1</SqlExpression>"
                + "</Action><Name>r</Name>");

    assertThat(changed.status()).isEqualTo(200);
    assertThat(changed.body())
        .contains(
            "<Filter i:type=\"SqlFilter\"><SqlExpression>a &lt; 3</SqlExpression>"
                + "<CompatibilityLevel>20</CompatibilityLevel></Filter>"
                + "<Action i:type=\"SqlRuleAction\"><SqlExpression>SET b = 1</SqlExpression>"
                + "<CompatibilityLevel>20</CompatibilityLevel></Action><CreatedAt>");
    assertThat(admin.get(path).body()).isEqualTo(changed.body());
    assertThat(admin.delete(path).status()).isEqualTo(200);
    assertThat(admin.get("/fruit/events/subscriptions/s/rules").titles())
        .containsExactly("$Default");
  }

  @Test
  void aRuleThatIsNamedInItsBodyAloneIsMadeToo() {
    admin.create("/t", TOPIC, "");
    admin.create("/t/subscriptions/s", SUBSCRIPTION, "");
    admin.delete("/t/subscriptions/s/rules/$Default");

    var made = admin.create("/t/Subscriptions/s/Rules/", RULE, RED + "<Name>$Default</Name>");

    assertThat(made.status()).isEqualTo(201);
    assertThat(admin.get("/t/subscriptions/s/rules").titles()).containsExactly("$Default");
  }

  /** What came is shown with the type that it came with. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "string|red",
        "int|5",
        "long|9223372036854775807",
        "double|1.5",
        "double|-INF",
        "float|0.25",
        "boolean|true",
        "decimal|1.10",
        "short|-3",
        "unsignedByte|255",
        "dateTime|2026-01-01T00:00:00.1234567Z",
      })
  void aValueKeepsItsType(String typed) {
    admin.create("/fruit/events/subscriptions/s", SUBSCRIPTION, "");
    var type = typed.substring(0, typed.indexOf('|'));
    var text = typed.substring(typed.indexOf('|') + 1);

    var made =
        admin.create(
            "/fruit/events/subscriptions/s/rules/r", RULE, correlation("l28", SCHEMA, type, text));

    assertThat(made.status()).isEqualTo(201);
    assertThat(made.body())
        .contains(
            "<KeyValueOfstringanyType><Key>n</Key><Value i:type=\"d6p1:"
                + type
                + "\" xmlns:d6p1=\"http://www.w3.org/2001/XMLSchema\">"
                + text
                + "</Value></KeyValueOfstringanyType>");
  }

  private static final String SCHEMA = "http://www.w3.org/2001/XMLSchema";

  /** A zone would make another time of it for who writes local times. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-01-01T00:00:00",
        "2026-01-01T00:00:00.5",
        "2026-01-01T00:00:00Z",
        "2026-01-01T02:00:00+02:00"
      })
  void aTimeComesBackAsItWasWritten(String text) {
    admin.create("/fruit/events/subscriptions/s", SUBSCRIPTION, "");
    var path = "/fruit/events/subscriptions/s/rules/";
    var value = ">" + text + "</Value>";
    var parameters =
        "<Parameters>"
            + pair("y", SCHEMA, "dateTime", text).replace(">n<", ">@n<")
            + "</Parameters>";

    admin.create(path + "p", RULE, correlation("l28", SCHEMA, "dateTime", text));
    admin.create(
        path + "q",
        RULE,
        "<Filter i:type=\"SqlFilter\"><SqlExpression>a = @n</SqlExpression>"
            + parameters
            + "</Filter><Action i:type=\"SqlRuleAction\"><SqlExpression>SET b = @n</SqlExpression>"
            + parameters
            + "</Action>");

    assertThat(admin.get(path + "p").body()).contains(value);
    assertThat(admin.get(path + "q").body().split(Pattern.quote(value), -1))
        .as("in filter and action")
        .hasSize(3);
    assertThat(admin.get(path).body().split(Pattern.quote(value), -1)).hasSize(4);
    admin.update(path + "p", RULE, RED);
    assertThat(admin.get(path + "p").body()).doesNotContain(value);
  }

  @Test
  void whetherATextIsPreparedIsKeptWhereItWasSaid() {
    admin.create("/fruit/events/subscriptions/s", SUBSCRIPTION, "");
    var said = "<RequiresPreprocessing>true</RequiresPreprocessing>";
    var filter = "<Filter i:type=\"SqlFilter\"><SqlExpression>a = 1</SqlExpression>%s</Filter>";
    var action =
        "<Action i:type=\"SqlRuleAction\"><SqlExpression>SET a = 1</SqlExpression>%s</Action>";
    var path = "/fruit/events/subscriptions/s/rules/";

    var both = admin.create(path + "a", RULE, (filter + action).replace("%s", said));
    var neither = admin.create(path + "b", RULE, (filter + action).replace("%s", ""));
    var elsewhere = admin.create(path + "c", RULE, RED.replace("</Filter>", said + "</Filter>"));

    assertThat(both.body())
        .contains(
            "<CompatibilityLevel>20</CompatibilityLevel>" + said + "</Filter><Action",
            "<CompatibilityLevel>20</CompatibilityLevel>" + said + "</Action>");
    assertThat(neither.body() + elsewhere.body()).doesNotContain("RequiresPreprocessing");
  }

  @Test
  void aDurationIsOfItsOwnNamespaceAndAParameterKeepsItsTypeToo() {
    admin.create("/fruit/events/subscriptions/s", SUBSCRIPTION, "");
    var serialization = "http://schemas.microsoft.com/2003/10/Serialization/";

    var duration =
        admin.create(
            "/fruit/events/subscriptions/s/rules/d",
            RULE,
            correlation("x", serialization, "duration", "P1DT2H"));
    var parameter =
        admin.create(
            "/fruit/events/subscriptions/s/rules/p",
            RULE,
            "<Filter i:type=\"SqlFilter\"><SqlExpression>a = @n</SqlExpression><Parameters>"
                + pair("y", SCHEMA, "int", "7").replace(">n<", ">@n<")
                + "</Parameters></Filter>");

    assertThat(duration.body())
        .contains("i:type=\"d6p1:duration\" xmlns:d6p1=\"" + serialization + "\">P1DT2H<");
    assertThat(parameter.body())
        .contains("<Parameters><KeyValueOfstringanyType><Key>@n</Key><Value i:type=\"d6p1:int\"");
  }

  private static String correlation(String prefix, String namespace, String type, String text) {
    return "<Filter i:type=\"CorrelationFilter\"><Properties>"
        + pair(prefix, namespace, type, text)
        + "</Properties></Filter>";
  }

  private static String pair(String prefix, String namespace, String type, String text) {
    return "<KeyValueOfstringanyType><Key>n</Key><Value i:type=\""
        + prefix
        + ":"
        + type
        + "\" xmlns:"
        + prefix
        + "=\""
        + namespace
        + "\">"
        + text
        + "</Value></KeyValueOfstringanyType>";
  }

  @ParameterizedTest
  @Rule({"S-325", "S-327"})
  @ValueSource(
      strings = {
        "<Filter i:type=\"SqlFilter\"><SqlExpression>a =\n"
            + "= 3</SqlExpression></Filter>|line 2, column 1",
        "<Filter i:type=\"CorrelationFilter\"></Filter>|at least one property",
        "<Filter i:type=\"MagicFilter\"></Filter>|The type of a filter",
        "<Filter><SqlExpression>1=1</SqlExpression></Filter>|The type of a filter",
        "<Action i:type=\"SqlRuleAction\"><SqlExpression>SETT a = 1</SqlExpression></Action>|line"
            + " 1",
        "<Action i:type=\"Magic\"/>|The type of an action",
      })
  void whatIsNoRuleIsRefusedWithItsPlace(String rule) {
    admin.create("/fruit/events/subscriptions/s", SUBSCRIPTION, "");
    var parts = rule.split("\\|", -1);

    var refused = admin.create("/fruit/events/subscriptions/s/rules/r", RULE, parts[0]);

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("SubCode=40000. ", parts[1]);
  }

  @Test
  @Rule("S-059")
  void namesOfSubscriptionsAndRulesHaveAtMost50Characters() {
    var name = "n".repeat(50);
    assertThat(admin.create("/fruit/events/subscriptions/x" + name, SUBSCRIPTION, "").status())
        .isEqualTo(400);
    assertThat(admin.create("/fruit/events/subscriptions/" + name, SUBSCRIPTION, "").status())
        .isEqualTo(201);
    var rules = "/fruit/events/subscriptions/" + name + "/rules/";
    assertThat(admin.create(rules + "x" + name, RULE, RED).status()).isEqualTo(400);
    assertThat(admin.create(rules + name, RULE, RED).status()).isEqualTo(201);
  }

  @Test
  @Rule("S-071")
  void aTopicTakesItsSubscriptionsWithIt() {
    admin.create("/fruit/events/subscriptions/s", SUBSCRIPTION, "");

    admin.delete("/fruit/events");

    assertThat(admin.shard.catalogue().queues()).isEmpty();
  }

  /** Clients take a page with less than a hundred for the last, so it cannot end early. */
  @Test
  void aPageOfLargeRulesIsWrittenPieceByPiece() {
    admin.create("/fruit/events/subscriptions/s", SUBSCRIPTION, "");
    for (var i = 0; i < 100; i++) {
      var path = String.format(Locale.ROOT, "/fruit/events/subscriptions/s/rules/r%02d", i);
      var filter =
          "<Filter i:type=\"SqlFilter\"><SqlExpression>a = '"
              + "x".repeat(60_000)
              + "'</SqlExpression></Filter>";
      assertThat(admin.create(path, RULE, filter).status()).isEqualTo(201);
    }
    admin.largestPart = 0;

    var page = admin.get("/fruit/events/subscriptions/s/rules?$skip=0&$top=100");

    assertThat(page.titles()).hasSize(100).contains("$Default", "r98");
    assertThat(page.body()).contains("rel=\"next\"").hasSizeGreaterThan(99 * 60_000);
    assertThat(admin.largestPart).isLessThanOrEqualTo(FeedRest.PIECE_BYTES);
  }
}
