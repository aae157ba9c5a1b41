package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Operation.Send;
import io.peeklock.simulator.history.Operation.Settle;
import io.peeklock.simulator.history.SentMessage;
import java.util.ArrayList;
import java.util.List;

/**
 * Pre-settled sends and settlements, to which no answer comes (S-018). They happen at some time
 * before the next answer to what was asked after them of the same entity, or never, if the broker
 * goes.
 */
final class Unanswered {
  private final World world;
  private final Sending sending;
  private final Settling settling;
  private final List<Part> parts = new ArrayList<>();

  /** One message, or one lock. */
  private static final class Part {
    final Asked asked;
    final int index;
    Doubt doubt = new Doubt("S-018", "what was sent settled");
    List<Copy> copies = List.of();

    Part(Asked asked, int index) {
      this.asked = asked;
      this.index = index;
    }
  }

  Unanswered(World world, Sending sending, Settling settling) {
    this.world = world;
    this.sending = sending;
    this.settling = settling;
  }

  void asked(Asked asked, long now) {
    int count =
        switch (asked.operation()) {
          case Send send -> send.messages().size();
          case Settle settle -> world.audits(settle) ? settle.lockIds().size() : 0;
          default -> 0;
        };
    for (int index = 0; index < count; index++) {
      Part part = new Part(asked, index);
      parts.add(part);
      begin(part, now);
    }
  }

  private void begin(Part part, long now) {
    part.doubt = new Doubt("S-018", "what was sent settled");
    if (part.asked.operation() instanceof Send send) {
      SentMessage sent = send.messages().get(part.index);
      part.copies = sending.unanswered(send, sent, part.asked, part.doubt);
    } else if (part.asked.operation() instanceof Settle settle) {
      long id = settle.lockIds().get(part.index);
      if (!settling.expect(settle, id, part.asked, now).surelyRefused()) {
        settling.settle(settle, id, part.doubt);
      }
    }
  }

  /** What did not happen up to the last observation may happen still. */
  void again(long now) {
    for (Part part : parts) {
      if (Boolean.FALSE.equals(part.doubt.truth())) {
        begin(part, now);
      }
    }
  }

  /** What was asked of this entity before has happened. */
  void done(String path, long beforeTick, long now) {
    List<Part> finished =
        parts.stream()
            .filter(
                part ->
                    part.asked.tick() < beforeTick
                        && Place.root(Paths.of(part.asked.operation(), world))
                            .equals(Place.root(path)))
            .toList();
    finished.forEach(part -> finish(part, now));
    parts.removeAll(finished);
  }

  void allDone(long now) {
    parts.forEach(part -> finish(part, now));
    parts.clear();
  }

  private void finish(Part part, long now) {
    boolean sure =
        switch (part.asked.operation()) {
          case Send send -> sending.surelyStored(send, send.messages().get(part.index));
          case Settle settle ->
              settling.surelyUnless(settle, settle.lockIds().get(part.index), now, part.doubt);
          default -> false;
        };
    came(part, now);
    if (sure && part.doubt.truth() == null) {
      part.doubt.settle(true);
    }
  }

  /** They are in doubt for ever. */
  void lost(long now) {
    parts.forEach(part -> came(part, now));
    parts.clear();
  }

  /** If it came, it has come by now. */
  private void came(Part part, long now) {
    long tick = world.nextTick();
    for (Copy copy : part.copies) {
      copy.lastTick = Math.min(copy.lastTick, tick);
      if (copy.place.kind == Place.Kind.QUEUE) {
        copy.enqueuedToMillis = Math.min(copy.enqueuedToMillis, now);
      }
    }
  }
}
