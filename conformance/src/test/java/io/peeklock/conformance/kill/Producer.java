package io.peeklock.conformance.kill;

import io.peeklock.conformance.kill.Event.SendAnswered;
import io.peeklock.conformance.kill.Event.SendTried;
import io.peeklock.conformance.raw.Described;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.conformance.raw.RawMessage;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/** Sends bursts, up to a window of unanswered ones, and writes down each answer. */
final class Producer implements Load.Work {
  private static final int WINDOW = 64;
  private static final int BURST = 16;

  private final Load load;
  private final String name;
  private final String queue;
  private final Random chance;
  private final Map<Long, String> unanswered = new HashMap<>();
  private long credit;
  private long sent;
  private int made;

  Producer(Load load, String name, String queue, long seed) {
    this.load = load;
    this.name = name;
    this.queue = queue;
    this.chance = new Random(seed);
  }

  @Override
  public void on(RawConnection connection, int life) throws IOException {
    unanswered.clear();
    credit = 0;
    sent = 0;
    RawLinks.attached(connection, RawLinks.sender(0, queue));
    while (!load.over()) {
      var burst = load.full() ? 0 : chance.nextInt(BURST);
      for (var i = 0; i < burst && credit > 0 && unanswered.size() < WINDOW; i++) {
        send(connection);
      }
      connection.flush();
      if (credit == 0 || unanswered.size() >= WINDOW) {
        answer(connection);
      }
      while (connection.readable()) {
        answer(connection);
      }
      Load.pause(chance, 6);
    }
  }

  private void send(RawConnection connection) throws IOException {
    var id = name + "-" + made++;
    var body = Body.of(id, Body.size(chance));
    load.history.add(new SendTried(load.history.now(), id, queue));
    var message = RawMessage.bytes(id, Map.of("from", name), body);
    unanswered.put(RawLinks.transfer(connection, 0, false, message), id);
    sent++;
    credit--;
  }

  private void answer(RawConnection connection) throws IOException {
    var frame = connection.readFrame();
    var performative = frame.performative();
    if (performative == null) {
      return;
    }
    switch ((int) frame.code()) {
      case (int) RawConnection.FLOW -> {
        if (performative.field(4) != null) {
          credit = performative.number(5, 0) + performative.number(6, 0) - sent;
        }
      }
      case (int) RawConnection.DISPOSITION -> settled(performative);
      default -> throw new IOException("the broker gave up: " + performative);
    }
  }

  private void settled(Described disposition) {
    var accepted = disposition.field(4) instanceof Described state && state.code() == 0x24;
    var first = disposition.number(1, 0);
    for (var delivery = first; delivery <= disposition.number(2, first); delivery++) {
      var id = unanswered.remove(delivery);
      if (id != null) {
        load.history.add(new SendAnswered(load.history.now(), id, accepted));
        if (accepted) {
          load.acceptedOne();
        }
      }
    }
  }
}
