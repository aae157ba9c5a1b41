package io.peeklock.conformance.kill;

import io.peeklock.conformance.kill.Event.Delivered;
import io.peeklock.conformance.kill.Event.Mode;
import io.peeklock.conformance.kill.Event.SettleAnswered;
import io.peeklock.conformance.kill.Event.SettleTried;
import io.peeklock.conformance.kill.Event.Wish;
import io.peeklock.conformance.raw.Described;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.conformance.raw.RawMessage;
import io.peeklock.conformance.raw.Symbol;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/**
 * Receives and settles at random: mostly completes, sometimes abandons, defers, dead-letters, keeps
 * the lock until the kill, or settles without waiting for an answer.
 */
final class Consumer implements Load.Work {
  /** The application property that a settlement writes. */
  static final String MARK = "mark";

  private static final Described COMPLETED = Described.list(0x24);

  private final Load load;
  private final Mode mode;
  private final String queue;
  private final Random chance;
  private final Map<Long, SettleTried> unanswered = new HashMap<>();

  Consumer(Load load, Mode mode, String queue, long seed) {
    this.load = load;
    this.mode = mode;
    this.queue = queue;
    this.chance = new Random(seed);
  }

  @Override
  public void on(RawConnection connection, int life) throws IOException {
    unanswered.clear();
    var attach = mode == Mode.PEEK_LOCK ? RawLinks.receiver(0, queue) : RawLinks.taker(0, queue);
    var link = new Deliveries(connection, 0, attach);
    while (!load.over()) {
      link.topUp();
      connection.flush();
      do {
        read(connection, link, life);
      } while (connection.readable());
    }
  }

  private void read(RawConnection connection, Deliveries link, int life) throws IOException {
    var frame = connection.readFrame();
    var performative = frame.performative();
    if (performative == null || frame.code() == RawConnection.FLOW) {
      return;
    }
    switch ((int) frame.code()) {
      case (int) RawConnection.TRANSFER -> {
        var delivery = link.take(frame, performative);
        if (delivery != null) {
          delivered(connection, delivery, life);
        }
      }
      case (int) RawConnection.DISPOSITION -> answered(performative);
      default -> throw new IOException("the broker gave up: " + performative);
    }
  }

  private void delivered(RawConnection connection, Deliveries.Delivery delivery, int life)
      throws IOException {
    var message = delivery.message();
    var id = message.messageId();
    load.history.add(
        new Delivered(
            load.history.now(),
            id,
            queue,
            mode,
            life,
            message.sequenceNumber(),
            message.deliveryCount(),
            Body.whole(id, message.data()),
            mark(message)));
    if (mode == Mode.RECEIVE_AND_DELETE) {
      load.tookOne();
      return;
    }
    settle(connection, delivery.id(), id, life);
  }

  /** What the last settlement wrote into a message; 0 without. */
  static long mark(RawMessage message) {
    return message.properties().get(MARK) instanceof Long mark ? mark : 0;
  }

  private void settle(RawConnection connection, long delivery, String id, int life)
      throws IOException {
    var dice = chance.nextInt(100);
    if (dice < 2) {
      return; // keeps the lock until the kill
    }
    var wish =
        dice < 14
            ? Wish.ABANDON
            : dice < 18 ? Wish.DEFER : dice < 22 ? Wish.DEAD_LETTER : Wish.COMPLETE;
    var silently = chance.nextInt(50) == 0;
    var now = load.history.now();
    var tried = new SettleTried(now, id, wish, life, wish == Wish.COMPLETE ? 0 : now);
    load.history.add(tried);
    if (!silently) {
      unanswered.put(delivery, tried);
    }
    if (wish != Wish.ABANDON) {
      load.tookOne();
    }
    connection.send(0, RawLinks.settle(delivery, silently, outcome(tried)));
  }

  private static Described outcome(SettleTried tried) {
    var properties = new LinkedHashMap<Object, Object>();
    properties.put(new Symbol(MARK), tried.mark());
    return switch (tried.wish()) {
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

  private void answered(Described disposition) {
    var first = disposition.number(1, 0);
    for (var delivery = first; delivery <= disposition.number(2, first); delivery++) {
      var tried = unanswered.remove(delivery);
      if (tried != null) {
        load.history.add(
            new SettleAnswered(
                load.history.now(),
                tried.id(),
                tried.wish(),
                tried.mark(),
                done(tried.wish(), disposition)));
      }
    }
  }

  private static boolean done(Wish wish, Described disposition) {
    if (!disposition.truth(3) || !(disposition.field(4) instanceof Described state)) {
      return false;
    }
    return switch (wish) {
      case COMPLETE -> state.code() == 0x24;
      case ABANDON, DEFER -> state.code() == 0x27;
      case DEAD_LETTER -> state.code() == 0x25 && state.field(0) == null;
    };
  }
}
