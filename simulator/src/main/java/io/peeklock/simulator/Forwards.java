package io.peeklock.simulator;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Auditor;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.SeenMessage;
import io.peeklock.simulator.history.SentMessage;
import io.peeklock.simulator.history.Violation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Judges that nothing waits for ever where messages are forwarded: once all is at rest, what is
 * active there has been moved, or is a dead letter (S-285, S-292, S-294). Where memory ran out they
 * may wait, and nobody judges.
 */
final class Forwards implements Auditor {
  private static final Set<String> OUT_OF_MEMORY = Set.of("StoreFull", "MemoryShareExceeded");

  private final Map<Long, Operation> asked = new HashMap<>();

  /** Entities that forward, by what was answered last. */
  private final Set<String> forwarding = new TreeSet<>();

  /** What somebody got, and may have a lock on. */
  private final Set<String> delivered = new HashSet<>();

  private long memory = Long.MAX_VALUE;
  private boolean isListing;
  private boolean ranOut;

  @Override
  public void memoryBounded(long bytes) {
    memory = bytes / 8; // dead bodies keep their blocks
  }

  @Override
  public void asked(long id, Operation operation, long nowMillis) {
    isListing &= operation instanceof Operation.Peek || operation instanceof Operation.Count;
    asked.put(id, operation);
    if (operation instanceof Operation.Send send) { // more than an entity's share may have come
      memory -= send.messages().stream().mapToLong(SentMessage::bytes).sum();
      ranOut |= memory < 0;
    }
  }

  @Override
  public void answered(long id, Answer answer, long nowMillis) {
    var operation = asked.remove(id);
    if (operation == null) {
      return;
    }
    ranOut |= answer instanceof Answer.Refused refused && OUT_OF_MEMORY.contains(refused.why());
    if (answer instanceof Answer.Each each) {
      ranOut |=
          each.refusals().stream().anyMatch(why -> why != null && OUT_OF_MEMORY.contains(why));
    }
    if (answer instanceof Answer.Done) {
      done(operation);
    } else if (operation instanceof Operation.Peek peek && answer instanceof Answer.Messages some) {
      listed(peek.path(), some.messages());
    }
  }

  @Override
  public void delivered(String receiver, List<SeenMessage> messages, long nowMillis) {
    messages.forEach(message -> delivered.add(message.tag()));
  }

  private void done(Operation operation) {
    switch (operation) {
      case Operation.CreateQueue create ->
          is(create.path(), create.properties().forwardTo() != null);
      case Operation.CreateSubscription create ->
          is(create.path(), create.properties().forwardTo() != null);
      case Operation.Update update -> is(update.path(), update.properties().forwardTo() != null);
      default -> {
        // It says nothing of where messages go.
      }
    }
  }

  private void is(String path, boolean forwards) {
    if (forwards) {
      forwarding.add(path);
    } else {
      forwarding.remove(path);
    }
  }

  private void listed(String path, List<SeenMessage> messages) {
    if (!isListing || ranOut || !forwarding.contains(path)) {
      return;
    }
    for (var message : messages) {
      if (message.state() == SeenMessage.State.ACTIVE && !delivered.contains(message.tag())) {
        throw new Violation("S-285", "it waits in " + path + " to be forwarded: " + message);
      }
    }
  }

  @Override
  public void inDoubt(long id, long nowMillis) {
    perhaps(asked.remove(id));
  }

  /** What was asked about entities may have happened: they are not judged. */
  @Override
  public void restarted(long nowMillis) {
    new TreeMap<>(asked).values().forEach(this::perhaps);
    asked.clear();
  }

  private void perhaps(@Nullable Operation operation) {
    if (operation instanceof Operation.CreateQueue
        || operation instanceof Operation.CreateSubscription
        || operation instanceof Operation.Update) {
      forwarding.remove(operation.path());
    }
  }

  @Override
  public void atRest(long nowMillis) {
    isListing = true;
  }
}
