package io.peeklock.simulator;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Auditor;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.SeenMessage;
import io.peeklock.simulator.history.SentMessage;
import io.peeklock.simulator.history.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Judges times by the clock of the wall, which nobody else here sees: nothing that is scheduled
 * comes before the clock was there once (S-152), and what is sent long after somebody set it is
 * enqueued by it (R-11, S-144), as is what is sent right after a sleep.
 */
final class Times implements Auditor {
  private static final long SLACK_MILLIS = 5;

  /** How far the broker may be behind the clock without following it. */
  private static final long BEHIND_MILLIS = 1_000;

  /** How long the broker may take to believe a clock that was set. */
  private static final long DOUBT_MILLIS = 20_000;

  private static final long NEVER = Long.MIN_VALUE / 2;

  private final LongSupplier lead;
  private final Map<String, Sent> sent = new HashMap<>();
  private final Map<Long, Operation> asked = new HashMap<>();

  /** Of the clock before the steady one, from when on. */
  private final List<Lead> leads = new ArrayList<>();

  private long setAtMillis = NEVER;

  private record Lead(long fromMillis, long millis) {}

  private record Sent(String path, long dueAtMillis, long atMillis, boolean isBelieved) {}

  /**
   * A judge of a world.
   *
   * @param lead how far the clock of the wall is before the steady one now
   */
  Times(LongSupplier lead) {
    this.lead = lead;
    leads.add(new Lead(NEVER, lead.getAsLong()));
  }

  /** The clock of the wall is another one from now on. */
  void moved(long nowMillis, boolean isSet) {
    if (leads.getLast().millis() != lead.getAsLong()) {
      leads.add(new Lead(nowMillis, lead.getAsLong()));
      setAtMillis = isSet ? nowMillis : setAtMillis;
    }
  }

  /** The most that the clock showed between two times. */
  private long most(long fromMillis, long toMillis) {
    var most = Long.MIN_VALUE;
    var end = toMillis;
    for (var i = leads.size() - 1; i >= 0 && end >= fromMillis; i--) {
      most = Math.max(most, end + leads.get(i).millis());
      end = Math.min(end, leads.get(i).fromMillis());
    }
    return most;
  }

  /** The least that the clock showed at a time, or since. */
  private long least(long fromMillis) {
    var least = Long.MAX_VALUE;
    for (var each : leads.reversed()) {
      least = Math.min(least, Math.max(fromMillis, each.fromMillis()) + each.millis());
      if (each.fromMillis() < fromMillis) {
        break;
      }
    }
    return least;
  }

  @Override
  public void asked(long id, Operation operation, long nowMillis) {
    switch (operation) {
      case Operation.Send send -> sent(send.path(), send.messages(), nowMillis);
      case Operation.SendIn send -> sent(send.path(), send.messages(), nowMillis);
      case Operation.SendVia send -> sent(send.path(), send.messages(), nowMillis);
      case Operation.Peek ignored -> asked.put(id, operation);
      case Operation.ReceiveDeferred ignored -> asked.put(id, operation);
      default -> {
        // No message comes or is seen by it.
      }
    }
  }

  private void sent(String path, List<SentMessage> messages, long nowMillis) {
    var isBelieved = nowMillis - setAtMillis > DOUBT_MILLIS;
    for (var message : messages) {
      sent.put(message.tag(), new Sent(path, message.dueAtMillis(), nowMillis, isBelieved));
    }
  }

  @Override
  public void answered(long id, Answer answer, long nowMillis) {
    var operation = asked.remove(id);
    if (operation != null && answer instanceof Answer.Messages some) {
      some.messages().forEach(message -> seen(message, nowMillis));
      if (operation instanceof Operation.Peek) {
        inOrder(some.messages());
      }
    }
  }

  /** Who took numbers later was enqueued later: no process goes back behind another one (I-14). */
  private static void inOrder(List<SeenMessage> messages) {
    var latest = Long.MIN_VALUE;
    for (var message : messages) {
      if (message.state() != SeenMessage.State.SCHEDULED) {
        if (message.enqueuedAtMillis() < latest) {
          throw new Violation("I-14", "enqueued before what is before it: " + message);
        }
        latest = message.enqueuedAtMillis();
      }
    }
  }

  @Override
  public void delivered(String receiver, List<SeenMessage> messages, long nowMillis) {
    messages.forEach(message -> seen(message, nowMillis));
  }

  private void seen(SeenMessage message, long nowMillis) {
    var known = sent.get(message.tag());
    if (known == null || message.state() == SeenMessage.State.SCHEDULED) {
      return;
    }
    if (known.dueAtMillis() > most(known.atMillis(), nowMillis) + SLACK_MILLIS) {
      throw new Violation("S-152", "before its time " + known.dueAtMillis() + ": " + message);
    }
    var least = least(known.atMillis()) - BEHIND_MILLIS - SLACK_MILLIS;
    if (known.isBelieved() && message.enqueuedAtMillis() < least) {
      throw new Violation(
          "S-144", "enqueued by a clock that stood still, not after " + least + ": " + message);
    }
  }

  @Override
  public void restarted(long nowMillis) {
    asked.clear();
  }

  @Override
  public void inDoubt(long id, long nowMillis) {
    asked.remove(id);
  }
}
