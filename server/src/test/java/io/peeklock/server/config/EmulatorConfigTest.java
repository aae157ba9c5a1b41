package io.peeklock.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.filter.CorrelationFilter;
import io.peeklock.kernel.filter.Filter;
import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.SqlFilter;
import io.peeklock.kernel.filter.SystemProperty;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The Config.json of the vendor's emulator, as people write it. */
class EmulatorConfigTest {
  private static final String BEGINNING = "{\"UserConfig\": {\"Namespaces\": [{";
  private static final String END = "}]}}";

  private @TempDir Path folder;

  private ServerSettings read(String text, String... options) throws IOException {
    var file = Files.writeString(folder.resolve("Config.json"), text);
    var all = new java.util.ArrayList<>(List.of("--config", file.toString()));
    all.addAll(List.of(options));
    return among(Map.of(), all.toArray(String[]::new));
  }

  private Path mounted() {
    return folder.resolve("not-mounted.json");
  }

  private ServerSettings among(Map<String, String> variables, String... options) {
    return ServeOptions.read(List.of(options), variables, folder.resolve("not-mounted.json"));
  }

  /** What is inside the one namespace. */
  private ServerSettings namespace(String inside) throws IOException {
    return read(BEGINNING + inside.replace('\'', '"') + END);
  }

  private QueueDefinition queue(String properties) throws IOException {
    return namespace("'Queues': [{'Name': 'q', 'Properties': {" + properties + "}}]")
        .definitions()
        .getFirst();
  }

  private ServerSettings subscription(String rules) throws IOException {
    return namespace(
        "'Topics': [{'Name': 't', 'Subscriptions': [{'Name': 's', 'Rules': [" + rules + "]}]}]");
  }

  private Rule rule(String properties) throws IOException {
    var rules = rules(subscription("{'Name': 'r', 'Properties': {" + properties + "}}"));
    assertThat(rules).hasSize(1);
    return rules.getFirst();
  }

  /** Those of the entity that comes last. */
  private static List<Rule> rules(ServerSettings settings) {
    return Objects.requireNonNull(settings.entities().getLast().rules());
  }

  @Test
  void aFileWrittenForTheEmulatorIsTakenAsItIs() throws Exception {
    var settings =
        read(
            """
            \uFEFF// our team's emulator
            {
              "UserConfig": {
                "Namespaces": [
                  {
                    "Name": "sbemulatorns", /* the only one */
                    "Queues": [
                      {
                        "Name": "orders",
                        "Properties": {
                          "DeadLetteringOnMessageExpiration": true,
                          "DefaultMessageTimeToLive": "PT30M",
                          "DuplicateDetectionHistoryTimeWindow": "PT1M",
                          "ForwardDeadLetteredMessagesTo": "failed",
                          "ForwardTo": "",
                          "LockDuration": "PT30S",
                          "MaxDeliveryCount": 5,
                          "RequiresDuplicateDetection": true,
                          "RequiresSession": true,
                        }
                      },
                      { "Name": "failed" },
                    ],
                    "Topics": [
                      {
                        "Name": "events",
                        "Properties": { "RequiresDuplicateDetection": false },
                        "Subscriptions": [ { "Name": "audit", "Rules": [] } ]
                      }
                    ]
                  }
                ],
                "Logging": { "Type": "File,Console" }
              }
            }
            """);

    assertThat(settings.profile()).isEqualTo(Profile.EMULATOR);
    assertThat(settings.warnings()).isEmpty();
    assertThat(settings.definitions())
        .extracting(QueueDefinition::path)
        .containsExactly("failed", "orders", "events", "events/Subscriptions/audit");
    var orders = settings.definitions().get(1);
    assertThat(orders.deadLetteringOnExpiration()).isTrue();
    assertThat(orders.defaultTimeToLiveMillis()).isEqualTo(30 * 60_000);
    assertThat(orders.duplicateWindowMillis()).isEqualTo(60_000);
    assertThat(orders.forwardDeadLettersTo()).isEqualTo("failed");
    assertThat(orders.forwardTo()).isNull();
    assertThat(orders.lockDurationMillis()).isEqualTo(30_000);
    assertThat(orders.maxDeliveryCount()).isEqualTo(5);
    assertThat(orders.requiresSession()).isTrue();
    assertThat(settings.entities())
        .allMatch(entity -> entity.difference() == Entity.Difference.DEMANDED);
    assertThat(settings.entities().getLast().rules()).as("the one that selects all").isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"emulator", "standard", "relaxed"})
  void whatIsNotSaidIsAsInTheEmulatorWhateverTheProfile(String profile) throws Exception {
    var settings =
        read(
            BEGINNING
                + "\"Queues\": [{\"Name\": \"q\", \"Properties\":"
                + " {\"RequiresDuplicateDetection\": true}}], \"Topics\": [{\"Name\": \"t\","
                + " \"Subscriptions\": [{\"Name\": \"s\"}]}]"
                + END,
            "--profile",
            profile);

    assertThat(settings.profile().word()).isEqualTo(profile);
    var queue = settings.definitions().getFirst();
    assertThat(queue.defaultTimeToLiveMillis()).isEqualTo(3_600_000);
    assertThat(queue.duplicateWindowMillis()).isEqualTo(20_000);
    assertThat(queue.lockDurationMillis()).isEqualTo(60_000);
    assertThat(queue.maxDeliveryCount()).isEqualTo(3);
    assertThat(queue.deadLetteringOnExpiration()).isFalse();
    assertThat(settings.definitions().get(1).defaultTimeToLiveMillis()).isEqualTo(3_600_000);
    var subscription = settings.definitions().getLast();
    assertThat(subscription.role()).isInstanceOf(QueueRole.Subscription.class);
    assertThat(subscription.defaultTimeToLiveMillis()).isEqualTo(3_600_000);
    assertThat(subscription.lockDurationMillis()).isEqualTo(60_000);
    assertThat(subscription.maxDeliveryCount()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"UserConfig\": {\"Namespaces\": [{}]}}",
        "{\"userconfig\": {\"namespaces\": [{\"Queues\": null, \"Topics\": []}]}}",
        "{\"UserConfig\": {\"Namespaces\": [], \"Logging\": {\"Type\": \"Console\"}}}"
      })
  void listsThatAreMissingHoldNothing(String text) throws Exception {
    var settings = read(text);

    assertThat(settings.entities()).isEmpty();
    assertThat(settings.profile()).isEqualTo(Profile.EMULATOR);
    assertThat(settings.warnings()).isEmpty();
  }

  @Test
  void otherFilesAreYaml() throws Exception {
    assertThat(read("{\"port\": 0, \"queues\": {\"a\": {}}}").profile()).isEqualTo(Profile.RELAXED);
    assertThat(read("# \"UserConfig\":\nport: 1\n").address().getPort()).isEqualTo(1);
    assertThat(read("").entities()).isEmpty();
  }

  @Test
  void targetsOfForwardingMayComeLater() throws Exception {
    var settings =
        namespace(
            "'Queues': [{'Name': 'a', 'Properties': {'ForwardTo': 'b'}}, {'Name': 'b'}],"
                + " 'Topics': [{'Name': 't', 'Subscriptions': [{'Name': 's',"
                + " 'Properties': {'ForwardTo': 'a'}}]}]");

    assertThat(settings.definitions())
        .extracting(QueueDefinition::path)
        .containsExactly("b", "a", "t", "t/Subscriptions/s");
  }

  // --- rules ---

  @Test
  void rulesHaveFiltersOfBothKindsAndActions() throws Exception {
    var sql =
        rule(
            "'FilterType': 'Sql', 'SqlFilter': {'SqlExpression': 'a > 1'},"
                + " 'Action': {'SqlExpression': 'SET b = 2'}");
    assertThat(((SqlFilter) sql.filter()).text()).isEqualTo("a > 1");
    assertThat(sql.action()).isNotNull();

    var correlation =
        rule(
            "'FilterType': 'Correlation', 'CorrelationFilter': {'Label': 'red', 'To': '',"
                + " 'MessageId': 7, 'Properties': {'n': 3, 'big': 99999999999, 'half': 0.5,"
                + " 'yes': true, 'word': ''}}");
    var filter = (CorrelationFilter) correlation.filter();
    assertThat(filter.system())
        .isEqualTo(Map.of(SystemProperty.LABEL, "red", SystemProperty.MESSAGE_ID, "7"));
    assertThat(filter.user())
        .isEqualTo(
            Map.of(
                "n", FilterValue.of(3),
                "big", FilterValue.of(99_999_999_999L),
                "half", FilterValue.of(0.5),
                "yes", FilterValue.of(true),
                "word", FilterValue.of("")));
    assertThat(correlation.action()).isNull();
  }

  @Test
  void aSubscriptionHasTheRulesThatAreThereAndNoOther() throws Exception {
    var settings =
        subscription(
            "{'Name': 'a', 'Properties': {'FilterType': 'Sql', 'SqlFilter':"
                + " {'SqlExpression': '1 = 1'}}}, {'Name': 'b', 'Properties': {'FilterType':"
                + " 'Correlation', 'CorrelationFilter': {'Subject': 'x'}}}");

    assertThat(settings.entities().getLast().rules())
        .extracting(Rule::name)
        .containsExactly("a", "b");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'FilterType': 'SqlFilter', 'SqlFilter': {'SqlExpression': 'a = 1'} | SqlFilter is taken for sql
          'SqlFilter': {'SqlExpression': 'a = 1'} | is missing; the filter that is there is taken
          'FilterTyp': 'Sql', 'SqlFilter': {'SqlExpression': 'a = 1'} | FilterTyp: is taken for FilterType
          'FilterType': 'Sql', 'SQL-Filter': {'sqlexpression': 'a = 1'} | SQL-Filter: is taken for SqlFilter
          'FilterType': 'Sql', 'SqlFilter': 'a = 1' | its text is taken
          'FilterType': 'Sql', 'SqlExpression': 'a = 1' | belongs into SqlFilter, and is taken
          'FilterType': 'Sql', 'SqlFilter': {'SqlExpression': 'a = 1', 'Compat': 20} | Compat: is not known, and left out
          'FilterType': 'Sql', 'SqlFilter': {'SqlExpression': 'a = 1'}, 'CorrelationFilter': {'To': 'x'} | CorrelationFilter: is left out
          """)
  void aRuleThatIsNearlyRightIsTakenWithAWarning(String properties, String warning)
      throws Exception {
    var settings = subscription("{'Name': 'r', 'Properties': {" + properties + "}}");

    assertThat(settings.warnings()).hasSize(1);
    assertThat(settings.warnings().getFirst())
        .contains("Config.json, line 1, $.UserConfig.Namespaces[0].Topics[0].Subscriptions[0]")
        .contains(".Rules[0].Properties.")
        .contains(warning);
    assertThat(rules(settings)).hasSize(1);
    assertThat(rules(settings).getFirst().filter()).isInstanceOf(SqlFilter.class);
  }

  @Test
  void aRuleWithoutPropertiesAroundItsFilterIsTaken() throws Exception {
    var settings =
        subscription("{'Name': 'r', 'FilterType': 'Sql', 'SqlFilter': {'SqlExpression': 'a=1'}}");
    assertThat(rules(settings).getFirst().filter()).isInstanceOf(SqlFilter.class);
    assertThat(rule("'FilterType': 'True'").filter()).isInstanceOf(Filter.True.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'Name': 'r'} | Rules[0].Properties: has no FilterType, and no filter
          {'Properties': {'FilterType': 'Sql'}} | Rules[0]: has no Name
          {'Name': 'r', 'Properties': {'FilterType': 'Sql'}} | Rules[0].Properties.SqlFilter: has no SqlExpression
          {'Name': 'r', 'Properties': {'FilterType': 'Sql', 'SqlFilter': {'Expression': 'x'}}} | has no SqlExpression
          {'Name': 'r', 'Properties': {'FilterType': 'Sql', 'SqlFilter': {'SqlExpression': 'a ='}}} | Rules[0]: rule r: its filter is wrong
          {'Name': 'r', 'Properties': {'FilterType': 'Sql', 'SqlFilter': {'SqlExpression': 'a=1'}, 'Action': {'SqlExpression': 'SETT a'}}} | rule r: its action is wrong
          {'Name': 'r', 'Properties': {'FilterType': 'Correlation'}} | a correlation filter needs at least one property
          {'Name': 'r', 'Properties': {'FilterType': 'Correlation', 'CorrelationFilter': {'To': ''}}} | needs at least one property
          {'Name': 'r', 'Properties': {'FilterType': 'Correlation', 'CorrelationFilter': {'Properties': {'a': [1]}}}} | a should be a text, number or truth
          {'Name': 'r', 'Properties': {'FilterType': 'Correlation', 'CorrelationFilter': {'Properties': 'a'}}} | CorrelationFilter.Properties: should be an object
          {'Name': 'r', 'Properties': {'FilterType': 'Regex'}} | should be Sql or Correlation, not Regex
          {'Name': 'r', 'Properties': {'SqlFilter': {'SqlExpression': 'a=1'}, 'CorrelationFilter': {'To': 'x'}}} | filters of both kinds
          {'Name': 'r', 'Properties': {'FilterType': 'True'}}, {'Name': 'R', 'Properties': {'FilterType': 'True'}} | Rules[1].Name: there is a rule R already
          """)
  void aRuleThatCannotBeUnderstoodEndsTheStart(String rules, String sentence) {
    assertThatThrownBy(() -> subscription(rules))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("Config.json, line 1, $.UserConfig")
        .hasMessageContaining(sentence);
  }

  // --- what is wrong ---

  @Test
  void aWrongValueIsNamedWithItsPlaceAndRange() {
    var text =
        """
        {
          "UserConfig": { "Namespaces": [ { "Queues": [
            { "Name": "fine" },
            { "Name": "orders", "Properties": {
                "LockDuration": "PT1M",
                "MaxDeliveryCount": 11
            } } ] } ] }
        }
        """;

    assertThatThrownBy(() -> read(text))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(
            "Config.json, line 6,"
                + " $.UserConfig.Namespaces[0].Queues[1].Properties.MaxDeliveryCount: ")
        .hasMessageContaining("11 is out of range; from 1 to 10 is taken");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'LockDuration': 'PT4S' | takes PT5S to PT5M
          'LockDuration': '00:01:00' | is not an ISO-8601 duration
          'LockDuration': ['PT5S'] | should have one value
          'DefaultMessageTimeToLive': 'PT2H' | is longer than the profile emulator takes, which is 3600 seconds
          'DefaultMessageTimeToLive': 'PT1M' | is shorter than 300 seconds
          'RequiresDuplicateDetection': true, 'DuplicateDetectionHistoryTimeWindow': 'PT4S' | is out of range
          'RequiresDuplicateDetection': true, 'DuplicateDetectionHistoryTimeWindow': 'PT6M' | PT20S to PT5M
          'RequiresSession': 'maybe' | is neither true nor false
          'ForwardTo': 'q' | cannot forward to itself
          'ForwardTo': 'a b' | a character that is not allowed
          """)
  void valuesAreJudgedByTheProfile(String properties, String sentence) {
    assertThatThrownBy(() -> queue(properties))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("$.UserConfig.Namespaces[0].Queues[0].Properties.")
        .hasMessageContaining(sentence);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"UserConfig": {"Namespaces": [{"Queues": [{}]}]}} | Queues[0]: has no Name
          {"UserConfig": {"Namespaces": [{"Queues": {}}]}} | Queues: should be a list
          {"UserConfig": {"Namespaces": [3]}} | Namespaces[0]: should be an object
          {"UserConfig": {"Namespaces": [{"Topics": [{"Name": "t", "Subscriptions": [{}]}]}]}} | Subscriptions[0]: has no Name
          {"UserConfig": {"Namespaces": [{"Queues": [{"Name": "a?"}]}]}} | Queues[0].Name: the queue name "a?"
          {"UserConfig": {"Namespaces": [{"Queues": [ | line 1: not readable as JSON
          {"A": {"UserConfig": {}}} | $: has no UserConfig
          {"UserConfig": {"Namespaces": [{"Properties": {"MaxAllowedConnections": "x"}}]}} | MaxAllowedConnections: "x" is not a whole number
          """)
  void whatCannotBeReadIsNamedWithItsPlace(String text, String sentence) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("Config.json, line 1")
        .hasMessageContaining(sentence);
  }

  // --- what people write all the same ---

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'Queue': [{'Name': 'q'}] | Queue: is taken for Queues
          'Queues': [{'Name': 'q', 'Propertys': {}}] | Propertys: is taken for Properties
          'Queues': [{'Name': 'q', 'Properties': {'lock_duration': 'PT1M'}}] | lock_duration: is taken for LockDuration
          'Queues': [{'Name': 'q', 'Properties': {'Colour': 'red'}}] | Colour: is not known, and left out
          'Queues': [{'Name': 'q', 'Subscriptions': []}] | Subscriptions: is not known, and left out
          'Queues': [{'Name': 'q', 'MaxDeliveryCount': 4}] | belongs into Properties, and is taken
          'Queues': [{'Name': 'a', 'Name': 'q'}] | is there twice; the last one is taken
          'Queues': [{'Name': 'q'}], 'Region': 'west' | Region: is not known, and left out
          'Queues': [{'Name': 'q', 'Properties': {'MaxSizeInMegabytes': 1024}}] | from 1 to 100 is taken; left out
          'Queues': [{'Name': 'q', 'Properties': {'RequiresDuplicateDetection': true, 'DuplicateDetectionHistoryTimeWindow': 'PT5S'}}] | PT5S is taken for PT20S
          """)
  void whatIsNearlyRightIsTakenAndWhatIsUnknownIsLeftOutWithAWarning(String inside, String warning)
      throws Exception {
    var settings = namespace(inside);

    assertThat(settings.warnings()).hasSize(1);
    assertThat(settings.warnings().getFirst())
        .startsWith(folder.resolve("Config.json") + ", line 1, $.UserConfig.Namespaces[0].")
        .contains(warning);
    assertThat(settings.definitions()).extracting(QueueDefinition::path).containsExactly("q");
  }

  @Test
  void numbersAndTruthsMayBeTexts() throws Exception {
    var queue = queue("'MaxDeliveryCount': '4', 'requiressession': 'True'");

    assertThat(queue.maxDeliveryCount()).isEqualTo(4);
    assertThat(queue.requiresSession()).isTrue();
    assertThat(queue("'MaxDeliveryCount': null, 'MaxSizeInMegabytes': 50").maxSizeBytes())
        .isEqualTo(50L << 20);
  }

  @Test
  void theConnectionsOfANamespaceAreLimitedAsItSays() throws Exception {
    var settings = namespace("'Properties': {'MaxAllowedConnections': 25}");

    assertThat(settings.limits().connections()).isEqualTo(25);
    assertThat(namespace("'Name': 'mine'").limits().connections()).isEqualTo(10);
  }

  @Test
  void severalNamespacesAreOne() throws Exception {
    var settings =
        read(
            "{\"UserConfig\": {\"Namespaces\": [{\"Queues\": [{\"Name\": \"a\"}]},"
                + " {\"Queues\": [{\"Name\": \"b\"}]}]}}");

    assertThat(settings.definitions()).extracting(QueueDefinition::path).containsExactly("a", "b");
    assertThat(settings.warnings()).hasSize(1);
    assertThat(settings.warnings().getFirst()).contains("there is one namespace here");
  }

  // --- surroundings ---

  @Test
  void theMountedFileIsReadWhenNoOtherIsNamed() throws Exception {
    var mounted =
        Files.writeString(
            folder.resolve("mounted.json"),
            "{\"UserConfig\": {\"Namespaces\": [{\"Queues\": [{\"Name\": \"mounted\"}]}]}}");
    var other = Files.writeString(folder.resolve("other.yaml"), "queues:\n  other:\n");

    assertThat(ServeOptions.read(List.of(), Map.of(), mounted).definitions())
        .extracting(QueueDefinition::path)
        .containsExactly("mounted");
    assertThat(ServeOptions.read(List.of("--config=" + other), Map.of(), mounted).definitions())
        .extracting(QueueDefinition::path)
        .containsExactly("other");
  }

  @Test
  void theVariableThatNamesTheFileLeadsToAnEmulatorsFileOrNowhere() throws Exception {
    var file =
        Files.writeString(
            folder.resolve("named.json"),
            "{\"UserConfig\": {\"Namespaces\": [{\"Queues\": [{\"Name\": \"named\"}]}]}}");
    var other = Files.writeString(folder.resolve("other.json"), "{\"a\": 1}");

    assertThat(among(Map.of("CONFIG_PATH", file.toString())).definitions())
        .extracting(QueueDefinition::path)
        .containsExactly("named");
    for (var elsewhere : List.of(other.toString(), folder.toString(), "/no/such/file", "\0")) {
      var settings = among(Map.of("CONFIG_PATH", elsewhere));
      assertThat(settings.entities()).isEmpty();
      assertThat(settings.profile()).isEqualTo(Profile.RELAXED);
      assertThat(settings.warnings()).singleElement().asString().contains("CONFIG_PATH");
    }
  }

  @Test
  void theEmulatorsVariablesChooseItsProfileAndPorts() {
    var http = among(Map.of("EMULATOR_HTTP_PORT", "5301"));
    assertThat(http.profile()).isEqualTo(Profile.EMULATOR);
    assertThat(http.listening().ports()).containsExactly(5_672, 5_301);
    var amqp = among(Map.of("EMULATOR_AMQP_PORT", " 5673 "));
    assertThat(amqp.listening().ports()).containsExactly(5_672, 5_300, 5_673);
    assertThat(among(Map.of("EMULATOR_AMQP_PORT", "5672")).listening().ports())
        .containsExactly(5_672, 5_300);

    var over = among(Map.of("EMULATOR_HTTP_PORT", "5301"), "--port=1", "--profile=premium");
    assertThat(over.profile()).isEqualTo(Profile.PREMIUM);
    assertThat(over.listening().ports()).containsExactly(1);
    assertThatThrownBy(() -> among(Map.of("EMULATOR_HTTP_PORT", "web")))
        .hasMessageContaining("EMULATOR_HTTP_PORT: \"web\" is not a whole number");
  }

  @Test
  void whatOthersSetTooDoesNotOpenTheBroker() {
    for (var yes : List.of("Y", "y", "yes", "True", "1")) {
      assertThat(among(Map.of("ACCEPT_EULA", yes)).profile()).isEqualTo(Profile.EMULATOR);
    }
    for (var no : List.of("N", "false", "", "perhaps")) {
      assertThat(among(Map.of("ACCEPT_EULA", no)).profile()).isEqualTo(Profile.RELAXED);
    }
    for (var one : List.of("SQL_SERVER", "MSSQL_SA_PASSWORD", "SQL_WAIT_INTERVAL")) {
      assertThat(among(Map.of(one, "Y")).profile()).isEqualTo(Profile.RELAXED);
    }
    assertThat(among(Map.of("EMULATOR_HTTP_PORT", "")).profile()).isEqualTo(Profile.RELAXED);
  }

  @Test
  void theEmulatorHasItsDefaultEntitiesWhereNoFileIsGiven() throws IOException {
    var consent = Map.of("ACCEPT_EULA", "Y", "SQL_SERVER", "db");

    var settings = among(consent);

    assertThat(settings.definitions())
        .extracting(QueueDefinition::path)
        .containsExactlyInAnyOrder(
            "queue.1",
            "topic.1",
            "topic.1/Subscriptions/subscription.1",
            "topic.1/Subscriptions/subscription.2",
            "topic.1/Subscriptions/subscription.3",
            "topic.1/Subscriptions/subscription.4");
    assertThat(settings.warnings()).singleElement().asString().contains("no Config.json was given");
    assertThat(among(consent, "--queue=mine").definitions()).hasSize(1);
    assertThat(among(Map.of()).definitions()).isEmpty();
    var named = new HashMap<>(consent);
    named.put("PEEKLOCK_QUEUES", "mine");
    assertThat(among(named).definitions()).hasSize(1);
    Files.writeString(mounted(), "{\"UserConfig\": {\"Namespaces\": []}}");
    assertThat(among(consent).definitions()).isEmpty();
  }

  @Test
  void theTextOfTheFileMayBeAVariable() {
    var text =
        "{\"UserConfig\": {\"Namespaces\": [{\"Queues\": [{\"Name\": \"a\"},{\"Name\": \"b\"}]}]}}";
    for (var name : List.of("CONFIG_JSON", "PEEKLOCK_CONFIG_JSON")) {
      var settings = among(Map.of(name, text));
      assertThat(settings.definitions())
          .extracting(QueueDefinition::path)
          .containsExactly("a", "b");
      assertThat(settings.profile()).isEqualTo(Profile.EMULATOR);
      assertThatThrownBy(() -> among(Map.of(name, text.replace("\"a\"", "5a!"))))
          .hasMessageContaining("CONFIG_JSON, line 1: not readable as JSON");
    }
    assertThat(among(Map.of("CONFIG_JSON", "{\"of\": \"others\"}")).warnings()).hasSize(1);
    assertThatThrownBy(() -> among(Map.of("PEEKLOCK_CONFIG_JSON", "queues: a")))
        .hasMessageContaining("PEEKLOCK_CONFIG_JSON holds no Config.json");
  }

  @Test
  void whatIsNoFileWhereTheFileShouldBeIsSaid() throws IOException {
    var place = mounted();
    Files.createDirectory(place);
    assertThat(among(Map.of()).warnings()).singleElement().asString().contains("is a folder");
    Files.delete(place);
    Files.writeString(place, " \n");
    assertThat(among(Map.of()).warnings()).singleElement().asString().contains("is empty");
    Files.delete(place);
    var small = place.resolveSibling(place.getFileName().toString().toUpperCase(Locale.ROOT));
    Files.writeString(
        small, "{\"UserConfig\": {\"Namespaces\": [{\"Queues\": [{\"Name\": \"a\"}]}]}}");
    var settings = among(Map.of());
    assertThat(settings.definitions()).hasSize(1);
    assertThat(settings.warnings()).singleElement().asString().contains("is taken for");
  }

  @Test
  void whatMeansNothingHereIsTakenWithoutAWord() throws IOException {
    Files.writeString(
        mounted(),
        """
        {"UserConfig": {"Namespaces": [{"Queues": [{"Name": "a", "Properties": {
          "RequiresDuplicateDetection": false,
          "DuplicateDetectionHistoryTimeWindow": "PT10M",
          "EnableBatchedOperations": true}}]}]}}
        """);

    var settings = among(Map.of());

    assertThat(settings.warnings()).isEmpty();
    assertThat(settings.definitions().getFirst().duplicateWindowMillis()).isZero();
  }

  @Test
  void aTextThatBreaksOffIsSaidInPlainWords() throws IOException {
    Files.writeString(mounted(), "{\"UserConfig\": {\n\"Namespaces\": [");

    assertThatThrownBy(() -> among(Map.of()))
        .hasMessageContaining("not readable as JSON")
        .hasMessageNotContaining("REDACTED");
  }
}
