package io.peeklock.simulator;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Auditor;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.Properties;
import io.peeklock.simulator.history.SeenMessage;
import io.peeklock.simulator.history.SentMessage;
import io.peeklock.simulator.history.Violation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Judges sizes of queues: whatever is found in one and in its dead-letter queue, once all is at
 * rest, has had room in it (S-187). Messages may have grown since, never shrunk.
 */
final class Quotas implements Auditor {
  private static final String DEAD_LETTERS = "/$DeadLetterQueue";

  private final Map<Long, Operation> asked = new HashMap<>();
  private final Map<String, Integer> bytes = new HashMap<>();

  /** The most that each queue could hold since it was made. */
  private final Map<String, Long> bounds = new TreeMap<>();

  private final Map<String, Map<Long, Integer>> listed = new TreeMap<>();

  @Override
  public void asked(long id, Operation operation, long nowMillis) {
    switch (operation) {
      case Operation.Peek ignored -> asked.put(id, operation);
      case Operation.Count ignored -> {}
      default -> {
        listed.clear();
        changes(id, operation);
      }
    }
  }

  private void changes(long id, Operation operation) {
    switch (operation) {
      case Operation.CreateQueue ignored -> asked.put(id, operation);
      case Operation.Update update ->
          bounds.computeIfPresent(
              update.path(), (path, most) -> Math.max(most, update.properties().maxBytes()));
      case Operation.Delete delete -> bounds.remove(delete.path());
      case Operation.EmptyNamespace empty -> {
        if (!empty.keepsEntities()) {
          bounds.clear();
        }
      }
      case Operation.Send send -> sent(send.messages());
      case Operation.SendIn send -> sent(send.messages());
      case Operation.SendVia send -> sent(send.messages());
      default -> {
        // Nothing comes in by it.
      }
    }
  }

  private void sent(List<SentMessage> messages) {
    messages.forEach(message -> bytes.put(message.tag(), message.bytes()));
  }

  @Override
  public void answered(long id, Answer answer, long nowMillis) {
    var operation = asked.remove(id);
    if (operation instanceof Operation.CreateQueue create && answer instanceof Answer.Done) {
      made(create.path(), create.properties());
    } else if (operation instanceof Operation.Peek peek && answer instanceof Answer.Messages some) {
      seen(peek.path(), some.messages());
    }
  }

  /** One that was there already keeps its bound. */
  private void made(String path, Properties properties) {
    bounds.merge(path, properties.maxBytes(), Math::max);
  }

  private void seen(String path, List<SeenMessage> messages) {
    var queue = queueOf(path);
    var most = bounds.get(queue);
    if (most == null) {
      return;
    }
    var all = listed.computeIfAbsent(queue, key -> new HashMap<>());
    for (var message : messages) {
      all.put(message.sequenceNumber(), bytes.getOrDefault(message.tag(), 0));
    }
    var sum = all.values().stream().mapToLong(Integer::longValue).sum();
    if (sum > most) {
      throw new Violation("S-187", queue + " holds " + sum + " bytes, and may hold " + most);
    }
  }

  private static String queueOf(String path) {
    return path.endsWith(DEAD_LETTERS)
        ? path.substring(0, path.length() - DEAD_LETTERS.length())
        : path;
  }

  @Override
  public void delivered(String receiver, List<SeenMessage> messages, long nowMillis) {
    listed.clear();
  }

  /** What was asked about entities may have happened. */
  @Override
  public void restarted(long nowMillis) {
    asked.values().forEach(this::perhaps);
    asked.clear();
    listed.clear();
  }

  @Override
  public void inDoubt(long id, long nowMillis) {
    perhaps(asked.remove(id));
  }

  private void perhaps(@Nullable Operation operation) {
    if (operation instanceof Operation.CreateQueue create) {
      bounds.remove(create.path());
    }
  }

  @Override
  public void atRest(long nowMillis) {
    listed.clear();
  }
}
