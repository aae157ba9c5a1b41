package io.peeklock.kernel.state;

import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Origin;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Receivers that are to be closed, when they are too many for one decision. Volatile. */
public final class DepartingReceivers {

  private final ArrayDeque<Crowd> crowds = new ArrayDeque<>();

  /** Receivers that are closed for one reason; some of them may have left already. */
  public record Crowd(List<Origin> receivers, Refusal reason) {}

  /** Adds receivers that are to be closed for this reason. */
  public void add(List<Origin> receivers, Refusal reason) {
    crowds.add(new Crowd(receivers, reason));
  }

  public boolean isEmpty() {
    return crowds.isEmpty();
  }

  /** The first {@code most} of them; null when there are none. */
  public @Nullable Crowd first(int most) {
    Crowd crowd = crowds.peek();
    return crowd == null
        ? null
        : new Crowd(
            crowd.receivers().subList(0, Math.min(most, crowd.receivers().size())), crowd.reason());
  }

  /** Removes the first {@code count}, which are closed. */
  public void left(int count) {
    Crowd crowd = crowds.removeFirst();
    if (count < crowd.receivers().size()) {
      crowds.addFirst(
          new Crowd(crowd.receivers().subList(count, crowd.receivers().size()), crowd.reason()));
    }
  }
}
