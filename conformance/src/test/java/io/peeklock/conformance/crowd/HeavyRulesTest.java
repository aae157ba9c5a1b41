package io.peeklock.conformance.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.SharedAccess;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Who may manage, and puts rules of many parts until no more are taken. */
@Isolated
class HeavyRulesTest {
  private static final int CREATED = 201;
  private static final int FORBIDDEN = 403;
  private static final String SPACES =
      " xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\""
          + " xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\"";

  /** They took a megabyte each, and were counted for 23 KB: two hundred ended such a broker. */
  private static final String FILTER = "a=1" + " OR a=1".repeat(3_300);

  private static final String RULE =
      "<RuleDescription"
          + SPACES
          + "><Filter i:type=\"SqlFilter\"><SqlExpression>"
          + FILTER
          + "</SqlExpression></Filter></RuleDescription>";

  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  @Rule("I-46")
  void theyAreRefusedBeforeTheyEndTheBroker() throws Exception {
    var memory = Map.of("PEEKLOCK_MEMORY", "512", "PEEKLOCK_PORT", "0");
    var options = BrokerProcess.queueOptions(List.of("q"));
    try (var broker = BrokerProcess.startWith(memory, Folders.fresh("heavy-rules"), options)) {
      var taken = 0;
      var refused = 0;
      for (var topic = 0; topic < 20; topic++) {
        var path = "/t" + topic;
        put(broker, path, "<TopicDescription" + SPACES + "/>");
        put(broker, path + "/subscriptions/s", "<SubscriptionDescription" + SPACES + "/>");
        var status = CREATED;
        while (status == CREATED && taken < 400) {
          status = put(broker, path + "/subscriptions/s/rules/r" + taken, RULE);
          taken += status == CREATED ? 1 : 0;
        }
        refused += status == FORBIDDEN ? 1 : 0;
      }

      assertThat(refused).as("topics that got no more").isEqualTo(20);
      assertThat(taken).isBetween(5, 15);
      assertThat(put(broker, "/q2", "<QueueDescription" + SPACES + "/>")).isEqualTo(CREATED);
      assertThat(broker.output().text()).doesNotContain("ERROR", "OutOf");
    }
  }

  private int put(BrokerProcess broker, String path, String description)
      throws IOException, InterruptedException {
    var token = SharedAccess.token("http://localhost/", BrokerProcess.KEY_NAME, BrokerProcess.KEY);
    var entry =
        "<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\">"
            + description
            + "</content></entry>";
    var request =
        HttpRequest.newBuilder(
                URI.create("http://localhost:" + broker.port() + path + "?api-version=2021-05"))
            .header("Authorization", token)
            .header("Content-Type", "application/atom+xml")
            .PUT(HttpRequest.BodyPublishers.ofString(entry))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }
}
