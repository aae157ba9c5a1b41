package io.peeklock.cli;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.DeliveryState;
import org.apache.qpid.protonj2.client.Rejected;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.jspecify.annotations.Nullable;

/** Settlements that are under way: each batch is sent while the one before it is confirmed. */
final class Settlements {
  private static final long CONFIRM_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long LOOK_AGAIN_NANOS = 200_000;

  private final ArrayDeque<Delivery> underWay = new ArrayDeque<>();

  /** Settles, and waits until what was settled before is confirmed. */
  void settle(List<Taken> batch, DeliveryState outcome) throws ClientException {
    for (var taken : batch) {
      taken.delivery().disposition(outcome, false);
    }
    await();
    batch.forEach(taken -> underWay.add(taken.delivery()));
  }

  /**
   * Waits until all are confirmed.
   *
   * @throws CliFailure when one is refused, or the broker does not say anything for 10 s
   */
  void await() throws ClientException {
    while (!underWay.isEmpty()) {
      var outcome = awaitOne(underWay.remove());
      if (outcome instanceof Rejected rejected && rejected.getCondition() != null) {
        throw BrokerOption.refused(rejected);
      }
    }
  }

  /** Waits until all are answered, whether they are confirmed or refused. */
  void awaitAny() throws ClientException {
    while (!underWay.isEmpty()) {
      awaitOne(underWay.remove());
    }
  }

  /** The client library has no future for this, so it is looked at until it is there. */
  private static @Nullable DeliveryState awaitOne(Delivery delivery) throws ClientException {
    var deadline = System.nanoTime() + CONFIRM_NANOS;
    while (!delivery.remoteSettled()) {
      if (System.nanoTime() - deadline > 0) {
        throw CliFailure.unreachable("the broker did not confirm the settlement in 10 s");
      }
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
    delivery.settle();
    return delivery.remoteState();
  }
}
