package io.peeklock.conformance.lossless;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Rounds in which each client sends to every client, and each looks at what came. A message goes
 * four ways: to a queue, through one that forwards, through a topic, and scheduled. From the queue
 * it is peeked, received, deferred, received by its number, and dead.
 */
final class Matrix {
  private static final Duration LATER = Duration.ofSeconds(2);

  /** What the receivers do, in order, with an entity of theirs. */
  private interface Step {
    Map<String, List<Description>> of(Member member) throws IOException;
  }

  private interface Task {
    void run() throws IOException;
  }

  /** What happens to the broker between sending and receiving. */
  interface Trouble {
    void happen() throws IOException;
  }

  private final List<Member> members;
  private final Random random;
  private final Map<Client, List<Description>> sent = new EnumMap<>(Client.class);
  private final Map<Client, List<Client>> senders = new EnumMap<>(Client.class);
  private final ConcurrentLinkedQueue<String> differences = new ConcurrentLinkedQueue<>();
  private int messages;

  Matrix(List<Member> members, long seed) {
    this.members = List.copyOf(members);
    this.random = new Random(seed);
  }

  /** The entities that it uses, as a configuration file has them. */
  static String entities() {
    var queues = new StringBuilder("queues:\n  filler: {}\n");
    var topics = new StringBuilder("topics:\n");
    for (var client : Client.values()) {
      var name = client.language();
      for (var queue : List.of("-queue", "-end", "-later")) {
        queues.append("  ").append(name).append(queue).append(": {LockDuration: PT5M}\n");
      }
      queues.append("  ").append(name).append("-start: {ForwardTo: ").append(name);
      queues.append("-end}\n");
      topics.append("  ").append(name).append("-topic:\n    subscriptions:\n");
      topics.append("      s: {LockDuration: PT5M}\n");
    }
    return queues.append(topics).toString();
  }

  /** How many messages were sent. */
  int messages() {
    return messages;
  }

  /** What was not the same; the first of them. */
  List<String> differences() {
    return differences.stream().limit(5).toList();
  }

  /**
   * A round.
   *
   * @param each how many messages each client sends to each
   */
  void round(int each, List<Trouble> troubles) throws IOException {
    connect();
    sent.clear();
    senders.clear();
    for (var shift = 0; shift < members.size(); shift++) {
      send(shift, each);
    }
    look("peeked", member -> member.peek(name(member, "-queue"), count(member)));
    for (var trouble : troubles) {
      trouble.happen();
      connect();
      look("peeked later", member -> member.peek(name(member, "-queue"), count(member)));
    }
    look("from a queue", member -> member.defer(name(member, "-queue"), count(member)));
    look("set aside", member -> member.bury(name(member, "-queue")));
    look("forwarded", member -> member.take(name(member, "-end"), count(member)));
    look("copied", member -> member.take(name(member, "-topic/Subscriptions/s"), count(member)));
    look("scheduled", member -> member.take(name(member, "-later"), count(member)));
  }

  private static String name(Member member, String entity) {
    return member.client().language() + entity;
  }

  private int count(Member member) {
    return sent.getOrDefault(member.client(), List.of()).size();
  }

  private void connect() {
    together(members.stream().<Task>map(member -> member::connect).toList());
  }

  /** Each sends to one other, so that each receiver hears one at a time. */
  private void send(int shift, int each) {
    var tasks = new ArrayList<Task>();
    for (var i = 0; i < members.size(); i++) {
      var sender = members.get(i);
      var receiver = members.get((i + shift) % members.size());
      var some = new MessageGenerator(random, sender.client(), receiver.client()).messages(each);
      sent.computeIfAbsent(receiver.client(), client -> new ArrayList<>()).addAll(some);
      some.forEach(
          one ->
              senders
                  .computeIfAbsent(receiver.client(), client -> new ArrayList<>())
                  .add(sender.client()));
      messages += some.size();
      tasks.add(
          () -> {
            sender.send(name(receiver, "-queue"), true, some);
            sender.send(name(receiver, "-start"), false, some);
            sender.send(name(receiver, "-topic"), false, some);
            sender.schedule(name(receiver, "-later"), LATER, some);
          });
    }
    together(tasks);
  }

  private void look(String way, Step step) {
    together(
        members.stream().<Task>map(member -> () -> judge(way, member, step.of(member))).toList());
  }

  private void judge(String way, Member member, Map<String, List<Description>> shown) {
    var receiver = member.client();
    var all = sent.getOrDefault(receiver, List.of());
    shown.forEach(
        (how, got) -> {
          var title = way + ", " + how + ", by " + receiver;
          if (got.size() != all.size()) {
            differences.add(title + ": " + got.size() + " messages instead of " + all.size());
            return;
          }
          for (var i = 0; i < got.size(); i++) {
            var from = senders.getOrDefault(receiver, List.of()).get(i);
            new Comparison(from, receiver, how)
                .difference(all.get(i), got.get(i))
                .ifPresent(what -> differences.add(title + " from " + from + ":" + what));
          }
        });
  }

  private static void together(List<Task> tasks) {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var all = new ArrayList<Future<?>>();
      for (var task : tasks) {
        all.add(
            threads.submit(
                () -> {
                  task.run();
                  return null;
                }));
      }
      for (var each : all) {
        each.get();
      }
    } catch (ExecutionException failed) {
      throw new UncheckedIOException(new IOException(failed.getCause()));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", interrupted);
    }
  }
}
