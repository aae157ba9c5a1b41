package io.peeklock.simulator.generate;

import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.SentMessage;
import io.peeklock.simulator.world.Chance;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is sent. */
final class Sends {
  private static final long FOREVER = Long.MAX_VALUE;

  /** What a head of tags, ids and properties takes at most, so that no size is below it. */
  static final int LEAST_BYTES = 200;

  private final Swarm swarm;
  private final Known known;
  private final Entities entities;
  private long tags;

  Sends(Swarm swarm, Known known, Entities entities) {
    this.swarm = swarm;
    this.known = known;
    this.entities = entities;
  }

  private SentMessage message(Chance chance, boolean inSessions, long dueAtMillis) {
    var properties = new TreeMap<String, Object>();
    if (chance.oneIn(2)) {
      properties.put("color", entities.color(chance));
    }
    if (chance.oneIn(4)) {
      properties.put("number", (long) chance.below(1_000));
    }
    if (chance.oneIn(6)) {
      properties.put("truth", chance.oneIn(2));
    }
    var sendsSession = inSessions ? !chance.oneIn(12) : swarm.sessions() && chance.oneIn(6);
    return new SentMessage(
        "m" + ++tags,
        chance.oneIn(3) ? null : "id" + chance.between(1, 3 * swarm.ids()),
        sendsSession ? entities.session(chance) : null,
        properties,
        swarm.timeToLive() && chance.oneIn(3) ? chance.of(500L, 2_000L, 15_000L) : FOREVER,
        dueAtMillis,
        Math.max(LEAST_BYTES, chance.of(swarm.sizes())));
  }

  private List<SentMessage> messages(
      Chance chance, Known.Entity to, int count, boolean isScheduled) {
    var messages = new ArrayList<SentMessage>();
    for (var i = 0; i < count; i++) {
      var due = isScheduled ? known.nowMillis() + chance.between(-100, 6_000) : 0;
      messages.add(message(chance, to.properties().requiresSession() || chance.oneIn(8), due));
    }
    return List.copyOf(messages);
  }

  @Nullable Operation one(Chance chance) {
    var to = entities.sendable(chance);
    return to == null
        ? null
        : new Operation.Send(to.path(), messages(chance, to, 1, false), false, !chance.oneIn(8));
  }

  @Nullable Operation several(Chance chance) {
    var to = entities.sendable(chance);
    return to == null
        ? null
        : new Operation.Send(
            to.path(),
            messages(chance, to, chance.between(2, chance.oneIn(10) ? 120 : 6), false),
            chance.oneIn(2),
            !chance.oneIn(8));
  }

  @Nullable Operation schedule(Chance chance) {
    var to = entities.sendable(chance);
    return to == null
        ? null
        : new Operation.Send(
            to.path(), messages(chance, to, chance.between(1, 3), true), !chance.oneIn(4), true);
  }

  @Nullable Operation cancel(Chance chance) {
    if (known.scheduled.isEmpty()) {
      return null;
    }
    var which = chance.of(known.scheduled);
    return new Operation.CancelScheduled(which.path(), List.of(which.sequenceNumber()));
  }

  @Nullable Operation inTransaction(Chance chance) {
    var to = entities.sendable(chance);
    if (to == null || known.transactions.isEmpty()) {
      return null;
    }
    return new Operation.SendIn(
        chance.of(known.transactions),
        to.path(),
        messages(chance, to, chance.between(1, 3), chance.oneIn(8)));
  }
}
