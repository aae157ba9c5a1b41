package io.peeklock.conformance.kill;

import io.peeklock.conformance.kill.Event.DueAt;
import io.peeklock.conformance.kill.Event.InSession;
import io.peeklock.conformance.kill.Event.Together;
import io.peeklock.conformance.raw.RawMessage;
import io.peeklock.conformance.raw.Symbol;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** What a producer sends to one kind of queue. */
interface Packing {
  /** The annotation that schedules a message. */
  Symbol DUE = new Symbol("x-opt-scheduled-enqueue-time");

  /** How many sessions a round has. */
  int SESSIONS = 8;

  /** A message, and in the history what is special about it. */
  Parcel pack(Load load, String id, byte[] body, Random chance);

  /** The queue that is looked at to see whether enough is waiting. */
  String last();

  /** To a queue like any other. */
  static Packing plain(String queue, String from) {
    return of(
        queue,
        (load, id, body, chance) ->
            new Parcel(RawMessage.bytes(id, Map.of("from", from), body), Map.of(id, queue)));
  }

  /** To a queue that forwards: from its acceptance on a message belongs to the other one. */
  static Packing forwarded(String from) {
    return of(
        Load.RELAYED,
        (load, id, body, chance) ->
            new Parcel(RawMessage.bytes(id, Map.of("from", from), body), Map.of(id, Load.RELAYED)));
  }

  /** To message sessions whose names begin so. */
  static Packing sessions(String prefix) {
    return of(
        Load.CARTS,
        (load, id, body, chance) -> {
          var session = prefix + chance.nextInt(SESSIONS);
          load.states.computeIfAbsent(session, fresh -> new AtomicLong());
          load.history.add(new InSession(load.history.now(), id, session));
          return new Parcel(RawMessage.bytes(id, session, Map.of(), body), Map.of(id, Load.CARTS));
        });
  }

  /** To be active up to some seconds later. */
  static Packing scheduled() {
    return of(
        Load.LATER,
        (load, id, body, chance) ->
            new Parcel(due(load, id, body, chance), Map.of(id, Load.LATER)));
  }

  /** The bytes of a message that is due within some seconds. */
  static byte[] due(Load load, String id, byte[] body, Random chance) {
    var at = System.currentTimeMillis() + 50 + chance.nextInt(3_000);
    load.lastDueMillis.accumulateAndGet(at, Math::max);
    load.history.add(new DueAt(load.history.now(), id, at));
    return RawMessage.bytes(id, null, Map.of(DUE, Instant.ofEpochMilli(at)), body);
  }

  /** To the topic: every third is red. */
  static Packing topic() {
    return of(
        Load.ALL,
        (load, id, body, chance) -> {
          var red = chance.nextInt(3) == 0;
          var copies = new LinkedHashMap<String, String>();
          copies.put(Load.known(Load.ALL, id), Load.ALL);
          if (red) {
            copies.put(Load.known(Load.RED, id), Load.RED);
          }
          load.history.add(new Together(load.history.now(), List.copyOf(copies.keySet())));
          var properties = Map.<String, Object>of("colour", red ? "red" : "blue");
          return new Parcel(RawMessage.bytes(id, properties, body), copies);
        });
  }

  private static Packing of(String last, Packer packer) {
    return new Packing() {
      @Override
      public Parcel pack(Load load, String id, byte[] body, Random chance) {
        return packer.pack(load, id, body, chance);
      }

      @Override
      public String last() {
        return last;
      }
    };
  }

  /** Packs one message. */
  @FunctionalInterface
  interface Packer {
    Parcel pack(Load load, String id, byte[] body, Random chance);
  }
}
