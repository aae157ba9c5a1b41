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

  private final ArrayDeque<Group> groups = new ArrayDeque<>();

  /** Some that leave for the same reason; one that has left by itself is still among them. */
  public record Group(List<Origin> receivers, Refusal reason) {}

  public void add(List<Origin> receivers, Refusal reason) {
    groups.add(new Group(receivers, reason));
  }

  public boolean isEmpty() {
    return groups.isEmpty();
  }

  /** The first of them, at most so many; null when there are none. */
  public @Nullable Group first(int most) {
    Group group = groups.peek();
    return group == null
        ? null
        : new Group(
            group.receivers().subList(0, Math.min(most, group.receivers().size())), group.reason());
  }

  /** So many of the first ones were sent away. */
  public void left(int count) {
    Group group = groups.removeFirst();
    if (count < group.receivers().size()) {
      groups.addFirst(
          new Group(group.receivers().subList(count, group.receivers().size()), group.reason()));
    }
  }
}
