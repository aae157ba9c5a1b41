package io.peeklock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.server.config.ConfigurationException;
import io.peeklock.server.config.ServeOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The broker's time over HTTP. */
@Timeout(60)
class ClockPageTest {
  private static PeeklockServer start(String... options) throws IOException {
    var all = new ArrayList<>(List.of("--in-memory", "--port", "0"));
    all.addAll(List.of(options));
    return PeeklockServer.start(ServeOptions.read(all));
  }

  private static HttpResponse<String> ask(PeeklockServer server, HttpRequest.Builder request)
      throws IOException, InterruptedException {
    var uri = URI.create("http://127.0.0.1:" + server.port() + "/$peeklock/clock");
    try (var client = HttpClient.newHttpClient()) {
      return client.send(request.uri(uri).build(), HttpResponse.BodyHandlers.ofString());
    }
  }

  private static HttpResponse<String> post(PeeklockServer server, String type, String body)
      throws IOException, InterruptedException {
    return ask(
        server,
        HttpRequest.newBuilder()
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  private static Instant told(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body()).startsWith("{\"now\":\"").endsWith("\"}");
    return Instant.parse(answer.body().substring(8, answer.body().length() - 2));
  }

  @Test
  void timeIsToldAndMoved() throws Exception {
    try (var server = start("--test-clock")) {
      var before = told(ask(server, HttpRequest.newBuilder().GET()));
      assertThat(Duration.between(before, Instant.now()).abs()).isLessThan(Duration.ofSeconds(30));

      var after = told(post(server, "application/json", "{\"advance\":\"PT1H\"}"));
      assertThat(after).isAfterOrEqualTo(before.plusSeconds(3_600));

      var next = before.plusSeconds(7_200);
      var set = told(post(server, "application/json", "{\"set\":\"" + next + "\"}"));
      assertThat(Duration.between(next, set).abs()).isLessThan(Duration.ofSeconds(10));
    }
  }

  @Test
  void whatCannotBeIsRefused() throws Exception {
    try (var server = start("--test-clock")) {
      for (var body :
          List.of(
              "",
              "[]",
              "{\"advance\":30}",
              "{\"advance\":\"30\"}",
              "{\"advance\":\"PT1S\",\"set\":\"2030-01-01T00:00:00Z\"}",
              "{\"back\":\"PT1S\"}",
              "{\"advance\":\"-PT1S\"}",
              "{\"advance\":\"P106751991167D\"}",
              "{\"advance\":\"PT9223372036854775807S\"}",
              "{\"set\":\"+999999999-01-01T00:00:00Z\"}",
              "{\"set\":\"2001-01-01T00:00:00Z\"}")) {
        assertThat(post(server, "application/json", body).statusCode()).as(body).isEqualTo(400);
      }
      assertThat(post(server, "text/plain", "{\"advance\":\"PT1H\"}").statusCode()).isEqualTo(415);
      assertThat(server.now()).isBefore(Instant.now().plusSeconds(60));
    }
  }

  @Test
  void withoutTheSwitchThereIsNoClock() throws Exception {
    try (var server = start()) {
      var answer = post(server, "application/json", "{\"advance\":\"PT1H\"}");
      assertThat(answer.statusCode()).isGreaterThanOrEqualTo(400);
      assertThat(server.now()).isBefore(Instant.now().plusSeconds(60));
    }
  }

  @Test
  void aBrokerOnDiskHasNone() {
    assertThatThrownBy(
            () -> ServeOptions.read(new ArrayList<>(List.of("--data", "d", "--test-clock"))))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("only a broker in memory lets its time be moved");
  }
}
