package io.peeklock.simulator;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Auditor;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.Properties;
import io.peeklock.simulator.history.SeenMessage;
import io.peeklock.simulator.history.SentMessage;
import io.peeklock.simulator.history.Violation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Judges runs in which answers come in any order: nothing is invented, what was accepted stays
 * until somebody takes it, and what was taken is gone (I-01, I-02, I-05, I-07). What is stored it
 * knows from the listing of all queues once all is at rest.
 */
final class Conservation implements Auditor {
  private static final String DEAD_LETTERS = "/$DeadLetterQueue";

  private final Map<Long, Operation> asked = new HashMap<>();
  private final Map<String, Queue> queues = new TreeMap<>();
  private final Map<Long, Queue> sentTo = new HashMap<>();
  private final Set<String> sent = new HashSet<>();
  private final Set<String> refused = new HashSet<>();
  private final Map<String, String> receivers = new HashMap<>();
  private final Map<String, String> takers = new HashMap<>(); // who receives and deletes, and where
  private final Map<Long, Place> locks = new HashMap<>();
  private final Set<Place> taken = new HashSet<>();
  private final Map<String, Listing> listings = new TreeMap<>();

  /** A message where it was seen. */
  private record Place(String path, long sequenceNumber, String tag) {
    static Place of(String path, SeenMessage message) {
      return new Place(path, message.sequenceNumber(), message.tag());
    }
  }

  /** A queue from which nothing goes but what clients take, as far as it is judged. */
  private static final class Queue {
    private final Set<String> accepted = new TreeSet<>();
    private boolean isJudged;

    Queue(Properties properties) {
      isJudged = isPlain(properties);
    }

    static boolean isPlain(Properties properties) {
      return properties.forwardTo() == null
          && properties.forwardDeadLettersTo() == null
          && properties.timeToLiveMillis() == Long.MAX_VALUE
          && properties.duplicateWindowMillis() == 0;
    }
  }

  /** What is found in a queue, page by page. */
  private static final class Listing {
    private final Set<String> tags = new HashSet<>();
    private long next = 1;
    private boolean isWhole;
  }

  private @Nullable Queue queue(String path) {
    return queues.get(
        path.endsWith(DEAD_LETTERS)
            ? path.substring(0, path.length() - DEAD_LETTERS.length())
            : path);
  }

  private void takesFrom(String path) {
    var queue = queue(path);
    if (queue != null) {
      queue.isJudged = false;
    }
  }

  private void takesFrom(String receiver, String path, Operation.Mode mode) {
    if (mode == Operation.Mode.RECEIVE_AND_DELETE) {
      takers.put(receiver, path);
      takesFrom(path);
    }
  }

  private void takes(List<Long> lockIds) {
    for (var id : lockIds) {
      var place = locks.get(id);
      if (place != null) {
        queues.values().forEach(queue -> queue.accepted.remove(place.tag()));
      }
    }
  }

  // ---- what is asked

  @Override
  public void asked(long id, Operation operation, long nowMillis) {
    asked.put(id, operation);
    if (!(operation instanceof Operation.Peek || operation instanceof Operation.Count)) {
      listings.clear();
    }
    switch (operation) {
      case Operation.Send send -> sends(id, send.path(), send.messages());
      case Operation.SendIn send -> send.messages().forEach(message -> sent.add(message.tag()));
      case Operation.Delete delete ->
          queues
              .keySet()
              .removeIf(path -> path.equals(delete.path()) || path.startsWith(delete.path() + "/"));
      case Operation.Update update -> {
        var queue = queues.get(update.path());
        if (queue != null) {
          queue.isJudged &= Queue.isPlain(update.properties());
        }
      }
      default -> takes(operation);
    }
  }

  private void sends(long id, String path, List<SentMessage> messages) {
    messages.forEach(message -> sent.add(message.tag()));
    var queue = queues.get(path);
    if (queue != null) {
      sentTo.put(id, queue);
    }
  }

  private void takes(Operation operation) {
    switch (operation) {
      case Operation.OpenReceiver open -> {
        receivers.put(open.receiver(), open.path());
        takesFrom(open.receiver(), open.path(), open.mode());
      }
      case Operation.AcceptSession accept -> {
        receivers.put(accept.receiver(), accept.path());
        takesFrom(accept.receiver(), accept.path(), accept.mode());
      }
      case Operation.ReceiveDeferred receive -> {
        if (receive.mode() == Operation.Mode.RECEIVE_AND_DELETE) {
          takesFrom(receive.path());
        }
      }
      case Operation.DeleteMessages delete -> takesFrom(delete.path());
      case Operation.CancelScheduled cancel -> takesFrom(cancel.path());
      case Operation.Settle settle -> takes(settle);
      case Operation.SettleIn settle -> takes(settle.settle());
      default -> {
        // It takes nothing.
      }
    }
  }

  private void takes(Operation.Settle settle) {
    if (settle.settlement() == Operation.Settlement.COMPLETE) {
      takes(settle.lockIds());
    }
  }

  // ---- what is answered

  @Override
  public void answered(long id, Answer answer, long nowMillis) {
    var operation = asked.remove(id);
    var queue = sentTo.remove(id);
    if (operation != null) {
      answered(operation, queue, answer);
    }
  }

  private void answered(Operation operation, @Nullable Queue queue, Answer answer) {
    switch (operation) {
      case Operation.CreateQueue create -> {
        if (answer instanceof Answer.Done) {
          queues.put(create.path(), new Queue(create.properties()));
          // whoever asked for it before it was made again may take from it
          takers.values().stream()
              .filter(
                  path -> path.equals(create.path()) || path.equals(create.path() + DEAD_LETTERS))
              .forEach(this::takesFrom);
        }
      }
      case Operation.Send send -> sent(send, queue, answer);
      case Operation.Settle settle -> {
        if (answer instanceof Answer.Done) {
          completed(settle);
        }
      }
      case Operation.ReceiveDeferred receive ->
          messages(answer).forEach(message -> seen(receive.path(), message));
      case Operation.Peek peek -> {
        if (answer instanceof Answer.Messages some) {
          listed(peek, some.messages());
        }
      }
      default -> {
        // It says nothing about messages.
      }
    }
  }

  private void completed(Operation.Settle settle) {
    if (settle.settlement() == Operation.Settlement.COMPLETE) {
      settle.lockIds().stream().map(locks::get).filter(Objects::nonNull).forEach(taken::add);
    }
  }

  private static List<SeenMessage> messages(Answer answer) {
    return answer instanceof Answer.Messages some ? some.messages() : List.of();
  }

  private void sent(Operation.Send send, @Nullable Queue queue, Answer answer) {
    for (var i = 0; i < send.messages().size(); i++) {
      var message = send.messages().get(i);
      var isRefused =
          answer instanceof Answer.Refused
              || (answer instanceof Answer.Each each && each.refusals().get(i) != null);
      if (isRefused) {
        refused.add(message.tag());
      } else if (queue != null && message.timeToLiveMillis() == Long.MAX_VALUE) {
        queue.accepted.add(message.tag());
      }
    }
  }

  @Override
  public void inDoubt(long id, long nowMillis) {
    asked.remove(id);
    sentTo.remove(id);
  }

  // ---- what is seen

  @Override
  public void delivered(String receiver, List<SeenMessage> messages, long nowMillis) {
    var path = Objects.requireNonNull(receivers.get(receiver));
    messages.forEach(message -> seen(path, message));
  }

  private void seen(String path, SeenMessage message) {
    check(message);
    var place = Place.of(path, message);
    if (message.lockId() != 0) {
      locks.put(message.lockId(), place);
    } else if (!taken.add(place)) {
      throw new Violation("I-07", "it was received and deleted twice: " + place);
    }
  }

  private void check(SeenMessage message) {
    if (!sent.contains(message.tag())) {
      throw new Violation("I-02", "nobody sent " + message);
    }
    if (refused.contains(message.tag())) {
      throw new Violation("I-02", "it was refused, and is there: " + message);
    }
  }

  // ---- what is stored

  @Override
  public void atRest(long nowMillis) {
    for (var path : queues.keySet()) {
      listings.put(path, new Listing());
      listings.put(path + DEAD_LETTERS, new Listing());
    }
  }

  private void listed(Operation.Peek peek, List<SeenMessage> messages) {
    messages.forEach(this::check);
    var listing = listings.get(peek.path());
    if (listing == null
        || listing.isWhole
        || peek.sessionId() != null
        || peek.fromSequenceNumber() != listing.next) {
      return;
    }
    for (var message : messages) {
      var place = Place.of(peek.path(), message);
      if (taken.contains(place)) {
        throw new Violation("I-05", "it was taken, and is there: " + place);
      }
      listing.tags.add(message.tag());
      listing.next = message.sequenceNumber() + 1;
    }
    listing.isWhole = messages.isEmpty();
    if (listing.isWhole) {
      compare(peek.path());
    }
  }

  private void compare(String path) {
    var queue = queues.get(path);
    var dead = listings.get(path + DEAD_LETTERS);
    var living = listings.get(path);
    if (path.endsWith(DEAD_LETTERS)) {
      compare(path.substring(0, path.length() - DEAD_LETTERS.length()));
    } else if (queue != null
        && queue.isJudged
        && living != null
        && living.isWhole
        && dead != null
        && dead.isWhole) {
      for (var tag : queue.accepted) {
        if (!living.tags.contains(tag) && !dead.tags.contains(tag)) {
          throw new Violation("I-01", "it was accepted, and is not in " + path + ": " + tag);
        }
      }
    }
  }

  @Override
  public void receiverEnded(String receiver, String why, long nowMillis) {
    takers.remove(receiver);
  }

  @Override
  public void restarted(long nowMillis) {
    takers.clear();
    asked.clear();
    sentTo.clear();
    locks.clear();
  }
}
