package io.peeklock.kernel.state;

import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Origin;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Receivers that are to be closed, when they are too many for one decision. Volatile. */
public final class DepartingReceivers {

  private final ArrayDeque<Group> groups = new ArrayDeque<>();

  /** Receivers that are closed for one reason; some of them may have left already. */
  public record Group(List<Origin> receivers, Refusal reason) {}

  /** Adds receivers that are to be closed for this reason. */
  public void add(List<Origin> receivers, Refusal reason) {
    groups.add(new Group(receivers, reason));
  }

  public boolean isEmpty() {
    return groups.isEmpty();
  }

  /** The first {@code most} of them; null when there are none. */
  public @Nullable Group first(int most) {
    Group group = groups.peek();
    return group == null
        ? null
        : new Group(
            group.receivers().subList(0, Math.min(most, group.receivers().size())), group.reason());
  }

  /** Removes the first {@code count}, which are closed. */
  public void left(int count) {
    Group group = groups.removeFirst();
    if (count < group.receivers().size()) {
      groups.addFirst(
          new Group(group.receivers().subList(count, group.receivers().size()), group.reason()));
    }
  }
}
