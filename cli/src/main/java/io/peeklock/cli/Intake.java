package io.peeklock.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.jspecify.annotations.Nullable;

/**
 * What comes to a receiver, in batches. Credit is given ahead, never for more than are wanted; the
 * more, the faster they are taken: what has come and waits here is locked meanwhile.
 */
final class Intake {
  private static final int LEAST_AHEAD = 50;

  /** What receive-and-delete can lose with a process that ends at the wrong time. */
  static final int MOST_AHEAD = 1_000;

  /** In a batch, and of what is to come by the sizes of what came. */
  private static final long MOST_BYTES = 8L << 20;

  private static final long FAST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Receiver receiver;
  private final IncomingBytes incoming;
  private final long most;
  private final Duration wait;
  private int ahead = LEAST_AHEAD;
  private long asked;
  private long taken;
  private long takenBytes;
  private long askedAtNanos;
  private boolean isOver;

  /**
   * For a receiver without credit.
   *
   * @param most how many to take in all
   * @param wait for each of them; when none comes in it there is nothing more
   */
  Intake(Receiver receiver, IncomingBytes incoming, long most, Duration wait) {
    this.receiver = receiver;
    this.incoming = incoming;
    this.most = most;
    this.wait = wait;
  }

  /**
   * Waits for one, and takes what is there behind it; empty when there is nothing more.
   *
   * @param mostNow a batch has no more, and ends behind 8 MiB
   */
  List<Taken> next(int mostNow) throws ClientException {
    var batch = new ArrayList<Taken>();
    if (taken == most) {
      return batch;
    }
    incoming.taken();
    var delivery = isOver ? receiver.tryReceive() : first();
    var bytes = 0L;
    while (delivery != null) {
      var one = MessageBytes.of(delivery);
      batch.add(one);
      bytes += one.bytes();
      delivery = batch.size() < mostNow && bytes < MOST_BYTES ? receiver.tryReceive() : null;
    }
    taken += batch.size();
    takenBytes += bytes;
    return batch;
  }

  /** Asks for no more, and takes what is on its way; empty when that is all taken. */
  List<Taken> rest() throws ClientException {
    if (!isOver) {
      isOver = true;
      giveBack();
    }
    return next(LEAST_AHEAD);
  }

  private @Nullable Delivery first() throws ClientException {
    give();
    var first = receiver.receive(wait.toMillis(), TimeUnit.MILLISECONDS);
    if (first == null) {
      isOver = true;
      giveBack();
      return receiver.tryReceive();
    }
    return first;
  }

  private void give() throws ClientException {
    if (asked - taken > ahead / 2 || asked == most) {
      return;
    }
    var now = System.nanoTime();
    if (asked > 0) {
      ahead = now - askedAtNanos < FAST_NANOS ? Math.min(MOST_AHEAD, ahead * 2) : LEAST_AHEAD;
    }
    askedAtNanos = now;
    var more = (int) Math.min(most - asked, Math.min(ahead, fitting()) - (asked - taken));
    if (more > 0) {
      receiver.addCredit(more);
      asked += more;
    }
  }

  /** How many of the size that they had so far are no more than a bound, and at least one. */
  private long fitting() {
    return taken == 0 ? ahead : Math.max(1, MOST_BYTES * taken / Math.max(1, takenBytes));
  }

  /** What came while the credit was on its way back is there when this returns. */
  private void giveBack() throws ClientException {
    try {
      receiver.drain().get();
    } catch (ExecutionException failed) {
      throw new ClientException("the credit could not be taken back", failed.getCause());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw CliFailure.unreachable("interrupted");
    }
  }
}
