package io.peeklock.conformance.kill;

import io.peeklock.conformance.kill.Event.CancelAnswered;
import io.peeklock.conformance.kill.Event.CancelTried;
import io.peeklock.conformance.kill.Event.SendAnswered;
import io.peeklock.conformance.kill.Event.SendTried;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.conformance.raw.RawMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Schedules messages through the management node, which tells their numbers, and cancels some. */
final class Canceller implements Load.Work {
  private static final String NODE = Load.LATER + "/$management";

  private final Load load;
  private final String name;
  private final Random chance;
  private int made;

  Canceller(Load load, String name, long seed) {
    this.load = load;
    this.name = name;
    this.chance = new Random(seed);
  }

  @Override
  public void on(RawConnection connection, int life) throws IOException {
    while (!load.over()) {
      if (!load.full(Load.LATER)) {
        schedule(connection);
      }
      Load.pause(chance, 50);
    }
  }

  private void schedule(RawConnection connection) throws IOException {
    var ids = new ArrayList<String>();
    var messages = new ArrayList<Map<String, byte[]>>();
    for (var count = 1 + chance.nextInt(4); count > 0; count--) {
      var id = name + "-" + made++;
      var body = Body.of(id, 8 + chance.nextInt(500));
      ids.add(id);
      messages.add(Map.of("message", Packing.due(load, id, body, chance)));
      load.history.add(new SendTried(load.history.now(), id, Load.LATER));
    }
    var reply = ask(connection, "schedule-message", Map.of("messages", messages));
    var accepted = isDone(reply);
    for (var id : ids) {
      load.history.add(new SendAnswered(load.history.now(), id, accepted));
      if (accepted) {
        load.acceptedOne(Load.LATER);
      }
    }
    if (accepted
        && reply.value() instanceof Map<?, ?> body
        && body.get("sequence-numbers") instanceof List<?> numbers) {
      Load.pause(chance, 100);
      cancelSome(connection, ids, numbers);
    }
  }

  private void cancelSome(RawConnection connection, List<String> ids, List<?> numbers)
      throws IOException {
    for (var i = 0; i < ids.size(); i++) {
      if (chance.nextBoolean() && numbers.get(i) instanceof Long number) {
        load.history.add(new CancelTried(load.history.now(), ids.get(i)));
        var reply =
            ask(
                connection,
                "cancel-scheduled-message",
                Map.of("sequence-numbers", new long[] {number}));
        var accepted = isDone(reply);
        load.history.add(new CancelAnswered(load.history.now(), ids.get(i), accepted));
        if (accepted) {
          load.tookOne(Load.LATER);
        }
      }
    }
  }

  private static boolean isDone(RawMessage reply) {
    return Integer.valueOf(200).equals(reply.properties().get("statusCode"));
  }

  private static RawMessage ask(RawConnection connection, String operation, Map<String, ?> body)
      throws IOException {
    return RawLinks.ask(connection, NODE, Map.of("operation", "com.microsoft:" + operation), body);
  }
}
