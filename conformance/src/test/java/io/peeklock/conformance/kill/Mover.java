package io.peeklock.conformance.kill;

import io.peeklock.conformance.kill.Event.Disposition;
import io.peeklock.conformance.kill.Event.Mode;
import io.peeklock.conformance.kill.Event.MoveTried;
import io.peeklock.conformance.kill.Event.SendAnswered;
import io.peeklock.conformance.kill.Event.SendTried;
import io.peeklock.conformance.kill.Event.SettleAnswered;
import io.peeklock.conformance.kill.Event.SettleTried;
import io.peeklock.conformance.kill.Event.Together;
import io.peeklock.conformance.raw.Described;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.conformance.raw.RawMessage;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Takes some messages out of one queue and sends as many to another, in a transaction. Every fifth
 * is rolled back; what it held comes back with the next life.
 */
final class Mover implements Load.Work {
  private static final long FROM = 0;
  private static final long TO = 1;
  private static final long COORDINATOR = 2;
  private static final int MOST_MESSAGES = 3;
  private static final Described ACCEPTED = Described.list(0x24);

  private final Load load;
  private final Random chance;
  private final ArrayDeque<Held> waiting = new ArrayDeque<>();
  private int made;

  /** A message that is locked. */
  private record Held(long delivery, String id) {}

  Mover(Load load, long seed) {
    this.load = load;
    this.chance = new Random(seed);
  }

  @Override
  public void on(RawConnection connection, int life) throws IOException {
    waiting.clear();
    RawLinks.attached(connection, RawLinks.coordinator(COORDINATOR));
    RawLinks.attached(connection, RawLinks.sender(TO, Load.MOVED));
    var link = new Deliveries(connection, FROM, RawLinks.receiver(FROM, Load.MOVES));
    var settlements = new Settlements(load, Load.MOVES, life);
    while (!load.over()) {
      link.topUp();
      connection.flush();
      if (waiting.isEmpty()) {
        read(connection, link, settlements);
      } else {
        transact(connection, link, settlements, life);
      }
    }
  }

  /** Reads a frame; what the broker says of a delivery of ours. */
  private Described read(RawConnection connection, Deliveries link, Settlements settlements)
      throws IOException {
    var frame = connection.readFrame();
    var performative = frame.performative();
    if (performative == null || frame.code() == RawConnection.FLOW) {
      return Described.list(0);
    }
    if (frame.code() == RawConnection.TRANSFER) {
      var delivery = link.take(frame, performative);
      if (delivery != null) {
        waiting.add(new Held(delivery.id(), settlements.came(delivery.message(), Mode.PEEK_LOCK)));
      }
      return Described.list(0);
    }
    if (frame.code() != RawConnection.DISPOSITION) {
      throw new IOException("the broker gave up: " + performative);
    }
    return performative;
  }

  /** Until the broker has said what became of a delivery of ours. */
  private Described outcome(
      RawConnection connection, Deliveries link, Settlements settlements, long delivery)
      throws IOException {
    connection.flush();
    while (true) {
      var said = read(connection, link, settlements);
      var isOurs = said.code() == RawConnection.DISPOSITION && said.truth(0);
      if (isOurs
          && said.number(1, -1) <= delivery
          && said.number(2, said.number(1, -1)) >= delivery
          && said.field(4) instanceof Described state) {
        return state;
      }
    }
  }

  private void transact(
      RawConnection connection, Deliveries link, Settlements settlements, int life)
      throws IOException {
    var declared =
        outcome(connection, link, settlements, tell(connection, Described.list(0x31))).field(0);
    if (!(declared instanceof byte[] transaction)) {
      throw new IOException("a transaction was not declared: " + declared);
    }
    var rollsBack = chance.nextInt(5) == 0;
    var moves = moves(rollsBack, life);
    for (var move : moves) {
      var body = Body.of(move.to(), 8 + chance.nextInt(800));
      var message = RawMessage.bytes(move.to(), Map.of(), body);
      RawLinks.transfer(connection, TO, false, message, RawLinks.within(transaction, null));
      var done = RawLinks.within(transaction, ACCEPTED);
      connection.send(0, RawLinks.settle(move.held().delivery(), false, done));
    }
    var discharge = tell(connection, Described.list(0x32, transaction, rollsBack));
    var accepted = outcome(connection, link, settlements, discharge).code() == ACCEPTED.code();
    if (!rollsBack) {
      moves.forEach(move -> answered(move, accepted));
    }
  }

  private static long tell(RawConnection connection, Described command) throws IOException {
    return RawLinks.transfer(connection, COORDINATOR, false, RawMessage.command(command));
  }

  /** One message instead of another. */
  private record Move(Held held, String to) {}

  /** What the next transaction does; written down before a byte of it leaves. */
  private List<Move> moves(boolean rollsBack, int life) {
    var moves = new ArrayList<Move>();
    for (var most = 1 + chance.nextInt(MOST_MESSAGES); most > 0 && !waiting.isEmpty(); most--) {
      var held = waiting.remove();
      moves.add(new Move(held, held.id() + ">" + made++));
    }
    if (!rollsBack) {
      var history = load.history;
      for (var move : moves) {
        history.add(new MoveTried(history.now(), move.held().id(), move.to()));
        history.add(new SendTried(history.now(), move.to(), Load.MOVED));
        history.add(
            new SettleTried(history.now(), move.held().id(), Disposition.COMPLETE, life, 0));
      }
      history.add(new Together(history.now(), moves.stream().map(Move::to).toList()));
    }
    return moves;
  }

  private void answered(Move move, boolean accepted) {
    var history = load.history;
    history.add(new SendAnswered(history.now(), move.to(), accepted));
    history.add(
        new SettleAnswered(history.now(), move.held().id(), Disposition.COMPLETE, 0, accepted));
    if (accepted) {
      load.acceptedOne(Load.MOVED);
      load.tookOne(Load.MOVES);
    }
  }
}
