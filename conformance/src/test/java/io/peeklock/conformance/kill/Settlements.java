package io.peeklock.conformance.kill;

import io.peeklock.conformance.kill.Event.CameAt;
import io.peeklock.conformance.kill.Event.Delivered;
import io.peeklock.conformance.kill.Event.Disposition;
import io.peeklock.conformance.kill.Event.Mode;
import io.peeklock.conformance.kill.Event.SettleAnswered;
import io.peeklock.conformance.kill.Event.SettleTried;
import io.peeklock.conformance.raw.Described;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.conformance.raw.RawMessage;
import io.peeklock.conformance.raw.Symbol;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** What comes from one queue over one connection: written down, settled, and the answers too. */
final class Settlements {
  /** The application property that a settlement writes. */
  static final String MARK = "mark";

  private static final Described COMPLETED = Described.list(0x24);

  private final Load load;
  private final String queue;
  private final int life;
  private final Map<Long, SettleTried> unanswered = new HashMap<>();

  Settlements(Load load, String queue, int life) {
    this.load = load;
    this.queue = queue;
    this.life = life;
  }

  /** Writes down that a message came; the id under which it is known. */
  String came(RawMessage message, Mode mode) {
    var id = Load.known(queue, message.messageId());
    load.history.add(
        new Delivered(
            load.history.now(),
            id,
            queue,
            mode,
            life,
            message.sequenceNumber(),
            message.deliveryCount(),
            Body.whole(message.messageId(), message.data()),
            mark(message)));
    if (queue.equals(Load.LATER)) {
      load.history.add(new CameAt(load.history.now(), id, System.currentTimeMillis()));
    }
    return id;
  }

  /** What the last settlement wrote into a message; 0 without. */
  static long mark(RawMessage message) {
    return message.properties().get(MARK) instanceof Long mark ? mark : 0;
  }

  /** Settles, and waits for an answer unless it is done silently. */
  void settle(
      RawConnection connection, long delivery, String id, Disposition disposition, boolean silently)
      throws IOException {
    var now = load.history.now();
    var tried =
        new SettleTried(now, id, disposition, life, disposition == Disposition.COMPLETE ? 0 : now);
    load.history.add(tried);
    if (!silently) {
      unanswered.put(delivery, tried);
    }
    if (disposition != Disposition.ABANDON) {
      load.tookOne(queue);
    }
    connection.send(0, RawLinks.settle(delivery, silently, outcome(tried)));
  }

  private static Described outcome(SettleTried tried) {
    var properties = new LinkedHashMap<Object, Object>();
    properties.put(new Symbol(MARK), tried.mark());
    return switch (tried.disposition()) {
      case COMPLETE -> COMPLETED;
      case ABANDON -> Described.list(0x27, null, null, properties);
      case DEFER -> Described.list(0x27, null, true, properties);
      case DEAD_LETTER -> {
        properties.put(new Symbol("DeadLetterReason"), reason(tried.mark()));
        properties.put(new Symbol("DeadLetterErrorDescription"), "the rig said so");
        yield Described.list(
            0x25, Described.list(0x1d, new Symbol("com.microsoft:dead-letter"), null, properties));
      }
    };
  }

  /** The reason that belongs to a mark. */
  static String reason(long mark) {
    return "because of " + mark;
  }

  /** Whether answers are still to come. */
  boolean open() {
    return !unanswered.isEmpty();
  }

  /** Takes in an answer. */
  void answered(Described disposition) {
    var first = disposition.number(1, 0);
    for (var delivery = first; delivery <= disposition.number(2, first); delivery++) {
      var tried = unanswered.remove(delivery);
      if (tried != null) {
        load.history.add(
            new SettleAnswered(
                load.history.now(),
                tried.id(),
                tried.disposition(),
                tried.mark(),
                done(tried.disposition(), disposition)));
      }
    }
  }

  private static boolean done(Disposition wanted, Described disposition) {
    if (!disposition.truth(3) || !(disposition.field(4) instanceof Described state)) {
      return false;
    }
    return switch (wanted) {
      case COMPLETE -> state.code() == 0x24;
      case ABANDON, DEFER -> state.code() == 0x27;
      case DEAD_LETTER -> state.code() == 0x25 && state.field(0) == null;
    };
  }
}
