package io.peeklock.kernel.filter;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A filter that is evaluated, or some that are looked up at once. */
abstract class RuleTask {
  private int place;

  /** Adds those that match. */
  abstract void match(Evaluation evaluation, RuleMatches into);

  /** Adds all of them as failed. */
  abstract void fail(String sentence, RuleMatches into);

  /** Some of them, in an order that changes when one goes: none is looked for. */
  static final class Some {
    private @Nullable RuleTask[] tasks = new @Nullable RuleTask[4];
    private int count;

    void add(RuleTask task) {
      if (count == tasks.length) {
        tasks = Arrays.copyOf(tasks, count * 2);
      }
      task.place = count;
      tasks[count++] = task;
    }

    void remove(RuleTask task) {
      RuleTask last = at(--count);
      last.place = task.place;
      tasks[task.place] = last;
      tasks[count] = null;
    }

    int count() {
      return count;
    }

    /** One of those below the count. */
    RuleTask at(int i) {
      RuleTask task = tasks[i];
      if (task == null) {
        throw new IndexOutOfBoundsException(i);
      }
      return task;
    }
  }
}
