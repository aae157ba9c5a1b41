package io.peeklock.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.exceptions.ClientException;

/**
 * What comes to a receiver, in batches. Credit is given ahead, never for more than are wanted; the
 * more, the faster they are taken: what has come and waits here is locked meanwhile.
 */
final class Intake {
  private static final int LEAST_AHEAD = 50;

  /** What receive-and-delete can lose with a process that ends at the wrong time. */
  static final int MOST_AHEAD = 1_000;

  private static final long FAST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Receiver receiver;
  private final IncomingBytes incoming;
  private final long most;
  private final Duration wait;
  private int ahead = LEAST_AHEAD;
  private long asked;
  private long taken;
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

  /** Waits for one, and takes what is there behind it; empty when there is nothing more. */
  List<Delivery> next(int mostNow) throws ClientException {
    var batch = new ArrayList<Delivery>();
    if (isOver || taken == most) {
      return batch;
    }
    give();
    incoming.taken();
    var first = receiver.receive(wait.toMillis(), TimeUnit.MILLISECONDS);
    if (first == null) {
      isOver = true;
      giveBack();
    } else {
      batch.add(first);
    }
    var limit = isOver ? Integer.MAX_VALUE : mostNow;
    while (batch.size() < limit) {
      var more = receiver.tryReceive();
      if (more == null) {
        break;
      }
      batch.add(more);
    }
    taken += batch.size();
    return batch;
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
    var more = (int) Math.min(most - asked, ahead - (asked - taken));
    if (more > 0) {
      receiver.addCredit(more);
      asked += more;
    }
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
