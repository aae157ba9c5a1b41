package io.peeklock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the commands of administrators ask over HTTP, and what they make of the answers. */
@Timeout(300)
class AdministrationCommandsTest {
  private static final String QUEUE =
      """
      <entry xmlns="http://www.w3.org/2005/Atom"><title type="text">orders</title><content>
      <QueueDescription xmlns="http://schemas.microsoft.com/netservices/2010/10/servicebus/connect"
        xmlns:i="http://www.w3.org/2001/XMLSchema-instance">
      <LockDuration>PT30S</LockDuration><AuthorizationRules><AuthorizationRule>
      <Rights><AccessRights>Send</AccessRights><AccessRights>Listen</AccessRights></Rights>
      <KeyName>app</KeyName><PrimaryKey>topsecret</PrimaryKey></AuthorizationRule>
      </AuthorizationRules><Status>Active</Status><UserMetadata>a "b"</UserMetadata>
      <CountDetails xmlns:d="counts"><d:ActiveMessageCount>7</d:ActiveMessageCount>
      <d:DeadLetterMessageCount>2</d:DeadLetterMessageCount>
      <d:ScheduledMessageCount>1</d:ScheduledMessageCount></CountDetails>
      </QueueDescription></content></entry>
      """;
  private static final String RULE =
      """
      <entry xmlns="http://www.w3.org/2005/Atom"><title type="text">red</title><content>
      <RuleDescription xmlns="http://schemas.microsoft.com/netservices/2010/10/servicebus/connect"
        xmlns:i="http://www.w3.org/2001/XMLSchema-instance">
      <Filter i:type="CorrelationFilter"><Label>red</Label><Properties><pair><Key>n</Key>
      <Value>5</Value></pair></Properties></Filter><Action i:type="EmptyRuleAction"/>
      <Name>red</Name></RuleDescription></content></entry>
      """;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final List<String> asked = new ArrayList<>();
  private final List<String> queries = new ArrayList<>();
  private final List<String> hosts = new ArrayList<>();
  private final ArrayDeque<String> answers = new ArrayDeque<>();
  private final HttpServer broker;
  private int status = 200;

  AdministrationCommandsTest() throws IOException {
    broker = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    broker.createContext("/", this::answer);
    broker.start();
  }

  @AfterEach
  void stop() {
    broker.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      var match = exchange.getRequestHeaders().getFirst("If-Match");
      queries.add(exchange.getRequestURI().getQuery());
      hosts.add(exchange.getRequestHeaders().getFirst("Host"));
      asked.add(
          exchange.getRequestMethod()
              + " "
              + exchange.getRequestURI().getPath()
              + (match == null ? "" : " If-Match:" + match)
              + " "
              + body);
      var next = answers.poll();
      var bytes = (next == null ? "" : next).getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      if (bytes.length > 0) {
        exchange.getResponseBody().write(bytes);
      }
    }
  }

  private int run(String... arguments) {
    return runAt("127.0.0.1", arguments);
  }

  private int runAt(String host, String... arguments) {
    var all = new ArrayList<>(List.of(arguments));
    all.add("--connection");
    all.add(
        "Endpoint=sb://"
            + host
            + ":"
            + broker.getAddress().getPort()
            + ";SharedAccessKeyName=n;SharedAccessKey=k;UseDevelopmentEmulator=true");
    return CliMain.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(all.toArray(String[]::new));
  }

  private static String feed(String... entries) {
    return "<feed xmlns=\"http://www.w3.org/2005/Atom\">" + String.join("", entries) + "</feed>";
  }

  @Test
  void aNamespaceIsEmptiedWithOrWithoutItsEntities() {
    assertThat(run("namespace", "empty")).isZero();
    assertThat(run("namespace", "empty", "--keep-entities")).isZero();

    assertThat(asked).containsExactly("DELETE /$peeklock/entities ", "DELETE /$peeklock/entities ");
    assertThat(queries).containsExactly("api-version=2021-05", "keep=entities&api-version=2021-05");
    assertThat(out).hasToString("all entities and messages deleted\nall messages deleted\n");
  }

  @Test
  void aNamespaceOfThisMachineIsReachedByItsNameWhoeverResolvesIt() {
    answers.add(QUEUE);

    assertThat(runAt("tests.localhost", "queue", "show", "orders")).isZero();

    assertThat(hosts).containsExactly("tests.localhost:" + broker.getAddress().getPort());
  }

  @Test
  void aQueueIsMadeWithItsPropertiesInOrder() {
    answers.add(QUEUE);

    assertThat(run("queue", "create", "orders", "status=Active", "LockDuration=PT30S")).isZero();

    assertThat(out).hasToString("queue orders made\n");
    assertThat(asked).hasSize(1);
    assertThat(asked.getFirst())
        .startsWith("PUT /orders <entry")
        .containsSubsequence("<LockDuration>PT30S<", "<Status>Active<");
  }

  @Test
  void anUpdateSendsAllThatIsThereWithTheChanges() {
    answers.add(QUEUE);
    answers.add(QUEUE);

    assertThat(run("queue", "update", "orders", "LockDuration=PT1M", "UserMetadata=")).isZero();

    assertThat(asked.get(1))
        .startsWith("PUT /orders If-Match:* ")
        .contains("<LockDuration>PT1M<", "Active")
        .doesNotContain("UserMetadata");
  }

  @Test
  void allIsShownButKeys() {
    answers.add(QUEUE);
    answers.add(QUEUE);

    assertThat(run("queue", "show", "orders")).isZero();
    assertThat(run("queue", "show", "orders", "--json")).isZero();

    assertThat(out.toString())
        .containsPattern("(?m)^LockDuration +PT30S$")
        .containsPattern("(?m)^CountDetails.ActiveMessageCount +7$")
        .contains("app (Send, Listen)")
        .contains("\"CountDetails\":{\"ActiveMessageCount\":7,")
        .contains("\"UserMetadata\":\"a \\\"b\\\"\"")
        .doesNotContain("topsecret");
  }

  @Test
  void listsAreTablesOrALineEach() {
    answers.add(feed(QUEUE, QUEUE));
    answers.add(feed(QUEUE));
    answers.add(feed());
    answers.add(feed(RULE));

    run("queue", "list");
    run("queue", "list", "--json");
    run("topic", "list");
    run("rule", "list", "t/s");

    assertThat(out.toString())
        .containsPattern("NAME +STATUS +ACTIVE +DEAD-LETTERS +SCHEDULED\n")
        .containsPattern("(?m)^orders +Active +7 +2 +1$")
        .contains("{\"Name\":\"orders\",")
        .contains("red   Label=red, Properties={n=5}");
    assertThat(asked.getLast()).startsWith("GET /t/Subscriptions/s/Rules ");
  }

  @Test
  void connectionsAreListedPageByPageAndTheirLinks() {
    var first =
        """
        {"connections":[{"id":7,"peer":"127.0.0.1:5","container":"c","product":"java 7.1",
        "policies":["root","shop"],"since":"2026-01-01T00:00:00Z","linkCount":1,"links":
        [{"name":"l","kind":"receiver","entity":"orders","credit":10,"unsettled":3}]}],"next":7}
        """;
    var second =
        """
        {"connections":[{"id":9,"peer":"[::1]:6","container":"me","product":null,"policies":[],
        "since":"2026-01-01T00:00:01Z","linkCount":0,"links":[]}]}
        """;
    answers.add(first);
    answers.add(second);

    assertThat(run("connections")).isZero();

    assertThat(queries).last().asString().contains("after=7");
    assertThat(out.toString())
        .contains("7", "127.0.0.1:5", "java 7.1", "root shop", "me", "[::1]:6");
    answers.add(first);
    answers.add(second);
    assertThat(run("connections", "--links", "--output", "jsonl")).isZero();
    assertThat(out.toString())
        .contains("\"kind\":\"receiver\",\"entity\":\"orders\",\"credit\":10,\"unsettled\":3");
  }

  @Test
  void rulesAreMadeOfOneFilterAndAnAction() {
    answers.add(RULE);
    answers.add(RULE);
    answers.add(RULE);

    run("rule", "create", "t/s/dear", "--filter", "price > 1", "--action", "SET a = 1");
    run("rule", "create", "t/Subscriptions/s/Rules/red", "--correlation", "label=red", "--json");
    run("rule", "update", "t/s/all");

    assertThat(asked.get(0))
        .startsWith("PUT /t/Subscriptions/s/Rules/dear <entry")
        .contains("SqlFilter", "price &gt; 1", "SqlRuleAction");
    assertThat(asked.get(1))
        .startsWith("PUT /t/Subscriptions/s/Rules/red <entry")
        .contains("CorrelationFilter", "<Label>red<");
    assertThat(asked.get(2)).contains(" If-Match:* ", "TrueFilter");
  }

  @Test
  void whatTheBrokerRefusesIsSaidAsItSaysIt() {
    status = 409;
    answers.add("<Error><Code>409</Code><Detail>SubCode=40900. It exists</Detail></Error>");
    answers.add("no XML");

    assertThat(run("queue", "create", "orders")).isEqualTo(3);
    assertThat(run("queue", "delete", "orders")).isEqualTo(3);

    assertThat(err.toString())
        .contains("peeklock: SubCode=40900. It exists (409)")
        .contains("peeklock: the broker refused (409)");
  }

  @Test
  void nothingIsThereAndNothingIsDescribed() {
    answers.add(feed());
    answers.add("<a/>");
    answers.add("<broken");

    assertThat(run("queue", "show", "orders")).isEqualTo(3);
    assertThat(run("queue", "create", "orders")).isEqualTo(4);
    assertThat(run("queue", "create", "orders")).isEqualTo(4);

    assertThat(err.toString())
        .contains("there is no queue orders")
        .contains("describes nothing")
        .contains("cannot be read");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "queue create q Colour=red | a queue has no property Colour; there are LockDuration",
        "queue create q Colour | should read Property=value",
        "subscription show t | a subscription is called TOPIC/SUBSCRIPTION",
        "subscription list | say whose subscriptions",
        "rule list | say whose rules",
        "rule create t/s/r --correlation colour=red | --correlation knows",
        "rule create t/s/r --filter a --correlation label=x | a rule has one filter",
      })
  void whatIsWrongIsSaidBeforeAnythingIsAsked(String arguments, String sentence) {
    assertThat(run(arguments.split(" ", -1))).isEqualTo(2);

    assertThat(err.toString()).contains(sentence);
    assertThat(asked).isEmpty();
  }
}
