package io.peeklock.conformance.kill;

import io.peeklock.conformance.kill.Event.Mode;
import io.peeklock.conformance.kill.Event.StateAnswered;
import io.peeklock.conformance.kill.Event.StateTried;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Accepts whatever message session is free, reads its state, receives and settles some of its
 * messages, sets the state, and lets it go.
 */
final class SessionHolder implements Load.Work {
  private static final long HANDLE = 0;
  private static final long WAIT_MILLIS = 300;
  private static final int MOST_MESSAGES = 20;

  private final Load load;
  private final String name;
  private final Random chance;
  private int accepted;

  SessionHolder(Load load, String name, long seed) {
    this.load = load;
    this.name = name;
    this.chance = new Random(seed);
  }

  @Override
  public void on(RawConnection connection, int life) throws IOException {
    while (!load.over()) {
      var attach =
          RawLinks.sessionReceiver(name + accepted++, HANDLE, Load.CARTS, null, WAIT_MILLIS, false);
      var session = accept(connection, attach);
      if (session != null) {
        hold(connection, session, life);
        connection.send(0, RawLinks.detach(HANDLE));
        connection.flush();
        connection.await(RawConnection.DETACH);
      }
    }
  }

  /** The session that was accepted; null when none is free. */
  static @Nullable String accept(
      RawConnection connection, io.peeklock.conformance.raw.Described attach) throws IOException {
    connection.send(0, attach);
    connection.flush();
    var session = RawLinks.sessionOf(connection.await(RawConnection.ATTACH));
    if (session == null) {
      connection.await(RawConnection.DETACH);
      connection.send(0, RawLinks.detach(HANDLE));
      connection.flush();
    }
    return session;
  }

  private void hold(RawConnection connection, String session, int life) throws IOException {
    var states = new States(connection, load.history);
    var settlements = new Settlements(load, Load.CARTS, life);
    var link = new Deliveries(connection, HANDLE);
    states.read(session);
    for (var turns = 1 + chance.nextInt(3); turns > 0 && !load.over(); turns--) {
      for (var delivery : received(connection, link)) {
        var id = settlements.came(delivery.message(), Mode.PEEK_LOCK);
        settlements.settle(connection, delivery.id(), id, Consumer.disposition(chance), false);
      }
      connection.flush();
      while (settlements.open()) {
        settlements.answered(connection.await(RawConnection.DISPOSITION));
      }
      var value = load.states.computeIfAbsent(session, fresh -> new AtomicLong()).incrementAndGet();
      load.history.add(new StateTried(load.history.now(), session, value));
      states.set(session, value);
      load.history.add(new StateAnswered(load.history.now(), session, value));
    }
  }

  /** What is there now, up to some. */
  private List<Deliveries.Delivery> received(RawConnection connection, Deliveries link)
      throws IOException {
    var all = new ArrayList<Deliveries.Delivery>();
    link.drain(1 + chance.nextInt(MOST_MESSAGES));
    while (true) {
      var frame = connection.readFrame();
      var performative = frame.performative();
      if (performative == null) {
        continue;
      }
      if (frame.code() == RawConnection.FLOW && performative.truth(8)) {
        link.drained(performative);
        return all;
      }
      if (frame.code() == RawConnection.TRANSFER) {
        var delivery = link.take(frame, performative);
        if (delivery != null) {
          all.add(delivery);
        }
      } else if (frame.code() != RawConnection.FLOW) {
        throw new IOException("the broker gave up: " + performative);
      }
    }
  }
}
