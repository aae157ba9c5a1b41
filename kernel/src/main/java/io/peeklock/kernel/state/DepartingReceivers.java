package io.peeklock.kernel.state;

import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Origin;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Receivers that are to be sent away, of so many at once that one decision does not do. Volatile.
 */
public final class DepartingReceivers {

  private final ArrayDeque<Crowd> crowds = new ArrayDeque<>();

  /** Some that leave for the same reason; one that has left by itself is still among them. */
  public record Crowd(List<Origin> receivers, Refusal reason) {}

  public void add(List<Origin> receivers, Refusal reason) {
    crowds.add(new Crowd(receivers, reason));
  }

  public boolean isEmpty() {
    return crowds.isEmpty();
  }

  /** The first of them, at most so many; null when there are none. */
  public @Nullable Crowd first(int most) {
    Crowd crowd = crowds.peek();
    return crowd == null
        ? null
        : new Crowd(
            crowd.receivers().subList(0, Math.min(most, crowd.receivers().size())), crowd.reason());
  }

  /** So many of the first ones were sent away. */
  public void left(int count) {
    Crowd crowd = crowds.removeFirst();
    if (count < crowd.receivers().size()) {
      crowds.addFirst(
          new Crowd(crowd.receivers().subList(count, crowd.receivers().size()), crowd.reason()));
    }
  }
}
