package io.peeklock.conformance.speed;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.PlainHttp;
import io.peeklock.conformance.SharedAccess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * How long one call takes that empties a namespace of 100 queues with 1,000 messages, data on disk,
 * beside one durable send through the same client. A build only proves that it empties; {@code
 * -Dempty=200} measures, on a machine that does nothing else.
 */
@Isolated
class EmptyingTest {
  private static final int QUEUES = 100;
  private static final String TEN =
      "[" + "{\"Body\":\"a message\"},".repeat(9) + "{\"Body\":\"\"}]";
  private static final String BATCH = "application/vnd.microsoft.servicebus.json";
  private static final String HEAD = "/q5/messages/head?timeout=0";
  private static final String ENTRY = "application/atom+xml";
  private static final String ENTITIES = "/$peeklock/entities";

  private final int rounds = Integer.getInteger("empty", 2);
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private String address = "";
  private String token = "";

  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void oneCallEmptiesANamespace() throws IOException, InterruptedException {
    var queues = IntStream.range(0, QUEUES).mapToObj(i -> "q" + i).toList();
    try (var broker =
        BrokerProcess.start(Folders.fresh("emptying"), BrokerProcess.queueOptions(queues))) {
      address = "http://localhost:" + broker.port();
      token = SharedAccess.token(address, BrokerProcess.KEY_NAME, BrokerProcess.KEY);
      report("a send", measured(() -> {}, () -> status("POST", "/q1/messages", "", ""), 201));
      report("entities kept", measured(this::fill, this::emptied, 200));
      report("entities too", measured(this::makeAndFill, this::deleted, 200));
      assertThat(status("DELETE", HEAD, "", "")).as("the queue is gone").isEqualTo(404);
    }
  }

  private interface Step {
    void go() throws IOException, InterruptedException;
  }

  private interface Call {
    int status() throws IOException, InterruptedException;
  }

  private List<Double> measured(Step before, Call call, int expected)
      throws IOException, InterruptedException {
    var millis = new ArrayList<Double>();
    for (var round = 0; round < rounds; round++) {
      before.go();
      var began = System.nanoTime();
      var status = call.status();
      millis.add((System.nanoTime() - began) / 1e6);
      assertThat(status).isEqualTo(expected);
    }
    return millis;
  }

  private void fill() throws IOException, InterruptedException {
    assertThat(status("DELETE", HEAD, "", "")).as("nothing is left").isEqualTo(204);
    for (var i = 0; i < QUEUES; i++) {
      assertThat(status("POST", "/q" + i + "/messages", TEN, BATCH)).isEqualTo(201);
    }
  }

  private void makeAndFill() throws IOException, InterruptedException {
    for (var i = 0; i < QUEUES; i++) {
      var made = status("PUT", "/q" + i + "?api-version=2021-05", PlainHttp.queue(""), ENTRY);
      assertThat(made).isIn(201, 409);
    }
    fill();
  }

  private int emptied() throws IOException, InterruptedException {
    return status("DELETE", ENTITIES + "?keep=entities", "", "");
  }

  private int deleted() throws IOException, InterruptedException {
    return status("DELETE", ENTITIES, "", "");
  }

  private int status(String method, String path, String body, String type)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(address + path))
            .header("Authorization", token)
            .method(method, BodyPublishers.ofString(body));
    if (!type.isEmpty()) {
      request.header("Content-Type", type);
    }
    HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
    return answer.statusCode();
  }

  private static void report(String what, List<Double> millis) {
    var sorted = new ArrayList<>(millis);
    Collections.sort(sorted);
    System.out.printf(
        Locale.ROOT,
        "%-14s ms: first %.2f, median %.2f, nine in ten %.2f, longest %.2f, of %d%n",
        what,
        millis.getFirst(),
        sorted.get(sorted.size() / 2),
        sorted.get(sorted.size() * 9 / 10),
        sorted.getLast(),
        sorted.size());
  }
}
