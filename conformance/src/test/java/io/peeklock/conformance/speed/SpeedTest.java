package io.peeklock.conformance.speed;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.raw.Described;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.conformance.raw.Unsigned;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Measures beside a plain queue, on one broker in rounds that take turns, and prints medians. A
 * build only proves that it runs; {@code -Dspeed=100000 -Dspeed.rounds=7} measures, on a machine
 * that does nothing else. {@code -Dspeed.flags=…} are flags of the broker's JVM.
 */
@Isolated
class SpeedTest {
  private static final int FEW = 10;
  private static final int SESSIONS = 100;

  private final int messages = Integer.getInteger("speed", 1_000);
  private final int rounds = Integer.getInteger("speed.rounds", 1);
  private final int many = Math.min(messages, 100_000);
  private final int accepts = Math.clamp(messages / 50, 20, 1_000);
  private final Map<String, List<Double>> figures = new LinkedHashMap<>();
  private int port;

  private interface Work {
    void run() throws IOException;
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void whatIsMeasuredBesideAPlainQueueArrives() throws IOException {
    var folder = Folders.fresh("speed");
    var flags = System.getProperty("speed.flags", "");
    try (var broker = BrokerProcess.start(folder, entities(), flags)) {
      port = broker.port();
      for (var round = 0; round <= rounds; round++) { // the first is for the compiler
        if (round == 1) {
          figures.clear();
        }
        round(round);
      }
    }
    System.out.println(report());

    assertThat(figures).allSatisfy((name, values) -> assertThat(values).hasSize(rounds));
  }

  private List<String> entities() {
    var options = new ArrayList<String>();
    var queues = new ArrayList<>(List.of("plain", "sessions,RequiresSession=true"));
    queues.add("unique,RequiresDuplicateDetection=true");
    for (var round = 0; round <= rounds; round++) {
      queues.add("few-" + round + ",RequiresSession=true");
      queues.add("many-" + round + ",RequiresSession=true");
    }
    options.addAll(BrokerProcess.queueOptions(queues));
    for (var topic : List.of(1, 2, 5)) {
      options.addAll(List.of("--topic", "topic-" + topic));
      for (var i = 0; i < topic; i++) {
        options.addAll(List.of("--subscription", "topic-" + topic + "/s" + i));
      }
    }
    return options;
  }

  private void round(int round) throws IOException {
    send("send to a queue", "plain", List.of("plain"));
    for (var count : List.of(1, 2, 5)) {
      var subscriptions = new ArrayList<String>();
      for (var i = 0; i < count; i++) {
        subscriptions.add("topic-" + count + "/Subscriptions/s" + i);
      }
      send("send to a topic with " + count, "topic-" + count, subscriptions);
    }
    through("through a queue", "plain", Receiving.plain(port, "plain"));
    through("through sessions", "sessions", Receiving.sessions(port, "sessions", SESSIONS));
    through("through a queue without duplicates", "unique", Receiving.plain(port, "unique"));
    enqueue("send to few sessions", "few-" + round, FEW);
    enqueue("send to many sessions", "many-" + round, many);
    accept("accept next of few sessions", "few-" + round);
    accept("accept next of many sessions", "many-" + round);
  }

  private void send(String name, String entity, List<String> drained) throws IOException {
    enqueue(name, entity, SESSIONS);
    for (var each : drained) { // so that what waits does not grow from round to round
      try (var receiving = Receiving.plain(port, each)) {
        receiving.take(messages);
      }
    }
  }

  private void enqueue(String name, String entity, int sessions) throws IOException {
    try (var sending = new Sending(port, entity)) {
      note(name, messages / seconds(() -> sending.send(messages, sessions)));
    }
  }

  private void through(String name, String queue, Receiving open) throws IOException {
    try (var sending = new Sending(port, queue);
        var receiving = open) {
      var taken =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return seconds(() -> receiving.take(messages));
                } catch (IOException failed) {
                  throw new java.io.UncheckedIOException(failed);
                }
              });
      sending.send(messages, SESSIONS);
      note(name, messages / taken.join());
    }
  }

  private void accept(String name, String queue) throws IOException {
    try (var connection = RawConnection.ready(port)) {
      note(
          name,
          accepts
              / seconds(
                  () -> {
                    for (var i = 0; i < accepts; i++) {
                      RawLinks.attached(connection, Receiving.attach(i, queue, null));
                      connection.send(
                          0, Described.list(RawConnection.DETACH, Unsigned.uint(i), true, null));
                      connection.flush();
                      connection.await(RawConnection.DETACH);
                    }
                  }));
    }
  }

  private static double seconds(Work work) throws IOException {
    var began = System.nanoTime();
    work.run();
    return (System.nanoTime() - began) / 1e9;
  }

  private void note(String name, double perSecond) {
    figures.computeIfAbsent(name, unknown -> new ArrayList<>()).add(perSecond);
  }

  private double median(String name) {
    var sorted = figures.getOrDefault(name, List.of()).stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }

  /** In costs of a message: how many times that of the other one. */
  private double cost(String name, String other) {
    return median(other) / median(name);
  }

  private String report() {
    var out = new StringBuilder("per second: median (least to most) of " + rounds + " rounds\n");
    figures.forEach(
        (name, values) -> {
          var sorted = values.stream().sorted().toList();
          var span = new Object[] {name, median(name), sorted.getFirst(), sorted.getLast()};
          out.append(String.format(Locale.ROOT, "%-36s %,10.0f (%,.0f to %,.0f)%n", span));
        });
    var one = cost("send to a topic with 1", "send to a queue");
    var two = cost("send to a topic with 2", "send to a queue");
    var five = cost("send to a topic with 5", "send to a queue");
    line(out, "a topic with one subscription costs", one, "at most 1.5");
    line(out, "the second subscription adds", two - one, "at most 0.2");
    line(out, "each from the second on adds", (five - one) / 4, "at most 0.2");
    line(out, "through sessions, of a queue", share("through sessions"), "at least 0.8");
    line(
        out,
        "without duplicates, of a queue",
        share("through a queue without duplicates"),
        "at least 0.8");
    var enqueue = cost("send to few sessions", "send to many sessions");
    line(out, "sends to many sessions, of few", enqueue, "near 1");
    var accept = cost("accept next of few sessions", "accept next of many sessions");
    line(out, "accept next of many, of few", accept, "near 1");
    return out.toString();
  }

  private double share(String name) {
    return median(name) / median("through a queue");
  }

  private static void line(StringBuilder out, String what, double value, String bar) {
    out.append(String.format(Locale.ROOT, "%-36s %10.2f (%s)%n", what, value, bar));
  }
}
