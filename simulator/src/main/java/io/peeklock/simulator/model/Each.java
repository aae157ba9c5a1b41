package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Violation;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Answers of several locks or messages. */
final class Each {
  private Each() {}

  /** Checks them, and tells which are done. */
  static List<Integer> done(List<Expect> expects, Answer answer) {
    if (answer instanceof Answer.Refused refused) {
      boolean allowed = expects.stream().anyMatch(each -> each.mayBeRefused(refused.why()));
      if (!allowed) {
        (expects.isEmpty() ? new Expect("S-409") : expects.get(0)).check(refused.why());
      }
      return List.of();
    }
    @Nullable List<@Nullable String> refusals =
        answer instanceof Answer.Each each ? each.refusals() : null;
    if (refusals != null && refusals.size() != expects.size()) {
      throw new Violation("S-031", "not one answer for each");
    }
    for (int index = 0; index < expects.size(); index++) {
      expects.get(index).check(refusals == null ? null : refusals.get(index));
    }
    return IntStream.range(0, expects.size())
        .filter(index -> refusals == null || refusals.get(index) == null)
        .boxed()
        .toList();
  }
}
