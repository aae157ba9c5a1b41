package io.peeklock.conformance.kill;

import io.peeklock.conformance.kill.Event.Disposition;
import io.peeklock.conformance.kill.Event.Mode;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import java.io.IOException;
import java.util.Random;

/**
 * Receives and settles at random: mostly completes, sometimes abandons, defers, dead-letters, keeps
 * the lock until the kill, or settles without waiting for an answer.
 */
final class Consumer implements Load.Work {
  private final Load load;
  private final Mode mode;
  private final String queue;
  private final Random chance;

  Consumer(Load load, Mode mode, String queue, long seed) {
    this.load = load;
    this.mode = mode;
    this.queue = queue;
    this.chance = new Random(seed);
  }

  @Override
  public void on(RawConnection connection, int life) throws IOException {
    var settlements = new Settlements(load, queue, life);
    var attach = mode == Mode.PEEK_LOCK ? RawLinks.receiver(0, queue) : RawLinks.taker(0, queue);
    var link = new Deliveries(connection, 0, attach);
    while (!load.over()) {
      link.topUp();
      connection.flush();
      do {
        read(connection, link, settlements);
      } while (connection.readable());
    }
  }

  private void read(RawConnection connection, Deliveries link, Settlements settlements)
      throws IOException {
    var frame = connection.readFrame();
    var performative = frame.performative();
    if (performative == null || frame.code() == RawConnection.FLOW) {
      return;
    }
    switch ((int) frame.code()) {
      case (int) RawConnection.TRANSFER -> {
        var delivery = link.take(frame, performative);
        if (delivery != null) {
          delivered(connection, delivery, settlements);
        }
      }
      case (int) RawConnection.DISPOSITION -> settlements.answered(performative);
      default -> throw new IOException("the broker gave up: " + performative);
    }
  }

  private void delivered(
      RawConnection connection, Deliveries.Delivery delivery, Settlements settlements)
      throws IOException {
    var id = settlements.came(delivery.message(), mode);
    if (mode == Mode.RECEIVE_AND_DELETE) {
      load.tookOne(queue);
    } else if (chance.nextInt(50) > 0) { // else it keeps the lock until the kill
      var silently = chance.nextInt(50) == 0;
      settlements.settle(connection, delivery.id(), id, disposition(chance), silently);
    }
  }

  /** What a receiver wants of a message. */
  static Disposition disposition(Random chance) {
    var dice = chance.nextInt(98);
    return dice < 12
        ? Disposition.ABANDON
        : dice < 16
            ? Disposition.DEFER
            : dice < 20 ? Disposition.DEAD_LETTER : Disposition.COMPLETE;
  }
}
