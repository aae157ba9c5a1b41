package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Violation;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which answers an operation may get. */
final class Expect {
  /** An operation that the kind of entity does not have is refused with one of these. */
  private static final String[] WRONG_KIND = {
    "FeatureNotAvailable", "EntityNotFound", "SessionIdMissing", "SessionLockLost"
  };

  private final String rule;
  private final Set<String> allowed =
      new LinkedHashSet<>(List.of("StoreFull", "MemoryShareExceeded", "TooMany"));
  private @Nullable String broken;
  private String because = "";

  /** The rule is the one that a refusal without need breaks. */
  Expect(String rule) {
    this.rule = rule;
  }

  /** It is to be refused, with this or another allowed refusal. */
  Expect must(String brokenRule, String... whys) {
    if (broken == null) {
      broken = brokenRule;
      because = String.join(" or ", whys);
    }
    return may(whys);
  }

  Expect wrongKind(String brokenRule) {
    return must(brokenRule, WRONG_KIND);
  }

  /** It may be refused so. */
  Expect may(String... whys) {
    allowed.addAll(List.of(whys));
    return this;
  }

  Expect mustWhen(boolean sure, boolean possible, String brokenRule, String why) {
    if (sure) {
      return must(brokenRule, why);
    }
    return possible ? may(why) : this;
  }

  boolean surelyRefused() {
    return broken != null;
  }

  boolean mayBeRefused(String why) {
    return allowed.contains(why);
  }

  /** Checks one answer; null for done. */
  void check(@Nullable String refusal) {
    String name = broken == null ? rule : broken;
    if (refusal == null) {
      if (broken != null) {
        throw new Violation(name, "done, and should be refused with " + because);
      }
    } else if (!allowed.contains(refusal)) {
      throw new Violation(name, "refused with " + refusal + ", allowed is only " + allowed);
    }
  }

  /** Checks an answer that is one for all; true when it is no refusal. */
  boolean done(Answer answer) {
    String refusal = answer instanceof Answer.Refused refused ? refused.why() : null;
    check(refusal);
    return refusal == null;
  }
}
