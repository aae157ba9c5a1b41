package io.peeklock.store;

import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The ledgers of a repair by number of the queue; dead-letter queues have their own. */
final class SequenceLedgers {
  private final TreeMap<Integer, SequenceLedger> byNumber = new TreeMap<>();
  private final Map<Integer, QueueId> queuesOfDeadLetters = new HashMap<>();

  private final Set<Integer> closed = new HashSet<>();

  /** The numbers by path in lower case, of known queues that are not closed. */
  private final TreeMap<String, Integer> byPath = new TreeMap<>();

  /** The roles of known queues. */
  private final Map<Integer, QueueRole> roles = new HashMap<>();

  /** The ledgers by number of the queue, in order of creation. */
  Map<Integer, SequenceLedger> byNumber() {
    return byNumber;
  }

  Collection<SequenceLedger> all() {
    return byNumber.values();
  }

  boolean has(int number) {
    return byNumber.containsKey(number);
  }

  /** Whether there is a topic with this path. */
  boolean haveTopic(String path) {
    var known = byPath.get(key(path));
    return known != null && roles.get(known) instanceof QueueRole.Topic;
  }

  private static String key(String path) {
    return path.toLowerCase(Locale.ROOT);
  }

  SequenceLedger of(QueueId queue) {
    return byNumber.computeIfAbsent(
        queue.number(), number -> new SequenceLedger("queue " + number));
  }

  /** The queue of a dead-letter queue; null for any other. */
  @Nullable QueueId queueOfDeadLetters(QueueId queue) {
    return queuesOfDeadLetters.get(queue.number());
  }

  /**
   * A queue is told of.
   *
   * @param fromItsFirst whether nothing earlier of it is missing
   */
  void open(Subjects.DefinedQueue defined, boolean fromItsFirst) {
    if (!has(defined.queue().number())) {
      var path = defined.definition().path();
      var dead = defined.deadLetterQueue().number();
      byNumber.put(defined.queue().number(), new SequenceLedger(path));
      byNumber.put(dead, SequenceLedger.ofDeadLetters(path + FactJson.DEAD_LETTERS));
      queuesOfDeadLetters.put(dead, defined.queue());
      roles.put(defined.queue().number(), defined.definition().role());
      byPath.put(key(path), defined.queue().number());
      if (fromItsFirst) {
        of(defined.queue()).begin(defined.next());
      }
    }
    of(defined.queue()).givenFrom(defined.next());
  }

  /**
   * Closes the queue that had the path of a new one, with everything below it, as its deletion is
   * lost.
   */
  void closeWhatWasAt(Subjects.DefinedQueue defined) {
    if (has(defined.queue().number())) {
      return;
    }
    var path = key(defined.definition().path());
    var below = path + "/subscriptions/";
    var gone = new ArrayList<>(byPath.subMap(below, below + Character.MAX_VALUE).values());
    var itself = byPath.get(path);
    if (itself != null) {
      gone.add(itself);
    }
    gone.forEach(number -> close(new QueueId(number)));
  }

  /** Notes that the rules of a subscription are lost; other queues have none. */
  void loseRules(Subjects.DefinedQueue defined) {
    if (defined.definition().role() instanceof QueueRole.Subscription) {
      of(defined.queue()).loseRules();
    }
  }

  /**
   * Notes that a queue has rules, so that it is a subscription, even if its definition is unknown.
   */
  void missRules(QueueId queue) {
    if (!(roles.get(queue.number()) instanceof QueueRole.Subscription)) {
      of(queue).loseRules();
    }
  }

  /** Closes a deleted entity, whose missing messages and dead letters no longer count. */
  void close(QueueId queue) {
    if (has(queue.number())) {
      byPath.remove(key(of(queue).name), queue.number());
    }
    for (var number : new int[] {queue.number(), queue.number() + 1}) {
      if (closed.add(number)) {
        byNumber.computeIfPresent(
            number, (any, was) -> SequenceLedger.ofDeadLetters(was.name + " (deleted)"));
      }
    }
  }

  /** Notes lost batches. A dead letter has the number that it had in its queue. */
  void doubt() {
    byNumber.forEach(
        (number, ledger) -> {
          var queue = queuesOfDeadLetters.get(number);
          ledger.doubt(queue == null ? ledger.next() : of(queue).next());
        });
  }

  boolean haveLoss() {
    return all().stream().anyMatch(SequenceLedger::hasLoss);
  }
}
