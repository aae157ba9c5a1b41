package io.peeklock.simulator.generate;

import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.SentMessage;
import io.peeklock.simulator.world.RandomSource;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is sent. */
final class SendGenerator {
  private static final long FOREVER = Long.MAX_VALUE;

  /** What a head of tags, ids and properties takes at most, so that no size is below it. */
  static final int LEAST_BYTES = 200;

  private static final int LARGE_BYTES = 1_000_000;

  private final Swarm swarm;
  private final ObservedState known;
  private final EntityGenerator entities;
  private long tags;

  SendGenerator(Swarm swarm, ObservedState known, EntityGenerator entities) {
    this.swarm = swarm;
    this.known = known;
    this.entities = entities;
  }

  private SentMessage message(RandomSource random, boolean inSessions, long dueAtMillis) {
    var properties = new TreeMap<String, Object>();
    if (random.oneIn(2)) {
      properties.put("color", entities.color(random));
    }
    if (random.oneIn(4)) {
      properties.put("number", (long) random.below(1_000));
    }
    if (random.oneIn(6)) {
      properties.put("truth", random.oneIn(2));
    }
    var sendsSession = inSessions ? !random.oneIn(12) : swarm.sessions() && random.oneIn(6);
    return new SentMessage(
        "m" + ++tags,
        random.oneIn(3) ? null : "id" + random.between(1, 3 * swarm.ids()),
        sendsSession ? entities.session(random) : null,
        properties,
        swarm.timeToLive() && random.oneIn(3) ? random.of(500L, 2_000L, 15_000L) : FOREVER,
        dueAtMillis,
        size(random));
  }

  /** Large ones are few, as each costs as much as hundreds of others. */
  private int size(RandomSource random) {
    var size = random.of(swarm.sizes());
    return size < LARGE_BYTES || random.oneIn(4) ? Math.max(LEAST_BYTES, size) : LEAST_BYTES;
  }

  private List<SentMessage> messages(
      RandomSource random, ObservedState.Entity to, int count, boolean isScheduled) {
    var messages = new ArrayList<SentMessage>();
    for (var i = 0; i < count; i++) {
      var due = isScheduled ? known.nowMillis() + random.between(-100, 6_000) : 0;
      messages.add(message(random, to.properties().requiresSession() || random.oneIn(8), due));
    }
    return List.copyOf(messages);
  }

  @Nullable Operation one(RandomSource random) {
    var to = entities.sendable(random);
    return to == null
        ? null
        : new Operation.Send(to.path(), messages(random, to, 1, false), false, !random.oneIn(8));
  }

  @Nullable Operation several(RandomSource random) {
    var to = entities.sendable(random);
    return to == null
        ? null
        : new Operation.Send(
            to.path(),
            messages(
                random,
                to,
                random.between(2, random.oneIn(swarm.batch() > 120 ? 4 : 10) ? swarm.batch() : 6),
                false),
            random.oneIn(2),
            !random.oneIn(8));
  }

  @Nullable Operation schedule(RandomSource random) {
    var to = entities.sendable(random);
    return to == null
        ? null
        : new Operation.Send(
            to.path(), messages(random, to, random.between(1, 3), true), !random.oneIn(4), true);
  }

  Operation.@Nullable CancelScheduled cancel(RandomSource random) {
    if (known.scheduled.isEmpty()) {
      return null;
    }
    var which = random.of(known.scheduled);
    return new Operation.CancelScheduled(which.path(), List.of(which.sequenceNumber()));
  }

  @Nullable Operation cancelIn(RandomSource random) {
    var cancel = cancel(random);
    return cancel == null || known.transactions.isEmpty()
        ? null
        : new Operation.CancelIn(random.of(known.transactions), cancel);
  }

  /** Through another entity, which judges it later. */
  @Nullable Operation via(RandomSource random) {
    var to = entities.sendable(random);
    var via = entities.sendable(random);
    return to == null || via == null || !swarm.forwarding() || known.transactions.isEmpty()
        ? null
        : new Operation.SendVia(
            random.of(known.transactions),
            via.path(),
            to.path(),
            messages(random, to, random.between(1, 3), false));
  }

  @Nullable Operation inTransaction(RandomSource random) {
    var to = entities.sendable(random);
    if (to == null || known.transactions.isEmpty()) {
      return null;
    }
    return new Operation.SendIn(
        random.of(known.transactions),
        to.path(),
        messages(random, to, random.between(1, 3), random.oneIn(8)));
  }
}
