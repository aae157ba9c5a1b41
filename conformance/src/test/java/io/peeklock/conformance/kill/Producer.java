package io.peeklock.conformance.kill;

import io.peeklock.conformance.kill.Event.SendAnswered;
import io.peeklock.conformance.kill.Event.SendTried;
import io.peeklock.conformance.raw.Described;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Sends bursts, up to a window of unanswered ones, and writes down each answer. To a queue that
 * detects duplicates it sends again what was not answered when the broker died, and now and then
 * what was.
 */
final class Producer implements Load.Work {
  private static final int WINDOW = 64;
  private static final int BURST = 16;
  private static final int REPEATED_ONE_IN = 20;

  private final Load load;
  private final String name;
  private final String queue;
  private final Random chance;
  private final Packing packing;
  private final boolean repeats;
  private final Map<Long, Parcel> unanswered = new HashMap<>();
  private final ArrayDeque<Parcel> again = new ArrayDeque<>();
  private final Set<String> stored = new HashSet<>();
  private long credit;
  private long sent;
  private int made;

  Producer(Load load, String name, String queue, long seed) {
    this(load, name, queue, seed, Packing.plain(queue, name));
  }

  Producer(Load load, String name, String queue, long seed, Packing packing) {
    this.load = load;
    this.packing = packing;
    this.repeats = queue.equals(Load.ONCE);
    this.name = name;
    this.queue = queue;
    this.chance = new Random(seed);
  }

  @Override
  public void on(RawConnection connection, int life) throws IOException {
    if (repeats) {
      again.addAll(unanswered.values());
    }
    unanswered.clear();
    credit = 0;
    sent = 0;
    RawLinks.attached(connection, RawLinks.sender(0, queue));
    while (!load.over()) {
      var burst = load.full(packing.last()) ? 0 : chance.nextInt(BURST);
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
    var parcel = again.poll();
    if (parcel == null) {
      var id = name + "-" + made++;
      parcel = packing.pack(load, id, Body.of(id, Body.size(chance)), chance);
    }
    for (var known : parcel.queues().entrySet()) {
      load.history.add(new SendTried(load.history.now(), known.getKey(), known.getValue()));
    }
    unanswered.put(RawLinks.transfer(connection, 0, false, parcel.message()), parcel);
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
      var parcel = unanswered.remove(delivery);
      if (parcel != null) {
        answered(parcel, accepted);
      }
    }
  }

  private void answered(Parcel parcel, boolean accepted) {
    for (var known : parcel.queues().entrySet()) {
      load.history.add(new SendAnswered(load.history.now(), known.getKey(), accepted));
      if (accepted && (!repeats || stored.add(known.getKey()))) {
        load.acceptedOne(known.getValue());
      }
    }
    if (repeats && chance.nextInt(REPEATED_ONE_IN) == 0) {
      again.add(parcel);
    }
  }
}
