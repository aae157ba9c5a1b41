package io.peeklock.kernel.filter;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A filter that is evaluated, or several that are looked up together. */
abstract class RuleTask {
  private int place;

  /** Adds the matching rules. */
  abstract void match(Evaluation evaluation, RuleMatches into);

  /** Adds all its rules as failed. */
  abstract void fail(String sentence, RuleMatches into);

  /** A collection of tasks whose order changes when one is removed, which needs no search. */
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

    /** The task at an index below the count. */
    RuleTask at(int i) {
      RuleTask task = tasks[i];
      if (task == null) {
        throw new IndexOutOfBoundsException(i);
      }
      return task;
    }
  }
}
