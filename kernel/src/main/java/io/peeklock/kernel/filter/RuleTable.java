package io.peeklock.kernel.filter;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The filters of many rules, ready to say which of them match a message: a topic has one for the
 * rules of all its subscriptions. True filters are listed; SQL filters are evaluated, and
 * correlation filters looked up by hash, all that ask for the same properties at once, each with
 * its part of the {@link Allowance}. Nothing is made per message.
 *
 * <p>Rules are known by small numbers that the caller gives. Not for two threads.
 */
public final class RuleTable {
  /** How many names that nobody uses are worth being swept out of what rules share. */
  private static final int SWEEP = 64;

  /** To sweep, all rules are looked at: of so many, a name must have gone. */
  private static final int RULES_PER_NAME = 4;

  private final Map<Integer, Filter> filters = new TreeMap<>();
  private Slots slots = new Slots();
  private Evaluation evaluation = new Evaluation(slots);
  private CorrelationIndex correlations = new CorrelationIndex();
  private final Map<Integer, Evaluated> conditions = new TreeMap<>();
  private final Set<Integer> always = new TreeSet<>();
  private Ready ready = new Ready(new int[0], new Task[0]);
  private final Allowance allowance = Allowance.ofSteps();
  private int[] costly = new int[4]; // places of those that need more than an equal part
  private int costlyCount;
  private boolean changed;
  private int correlationFilters;

  /** A filter's twin, and the names that it uses. */
  private record Evaluated(Condition condition, int[] names) {}

  /** True filters, and what is to be evaluated. */
  private record Ready(int[] always, Task[] tasks) {}

  /** A filter that is evaluated, or some that are looked up at once. */
  interface Task {
    /** Adds those that match. */
    void match(Evaluation evaluation, RuleMatches into);

    /** Adds all of them as failed. */
    void fail(String sentence, RuleMatches into);
  }

  private record SqlTask(int rule, Condition condition) implements Task {
    @Override
    public void match(Evaluation evaluation, RuleMatches into) {
      if (condition.test(evaluation) == Truth.TRUE) {
        into.add(rule);
      }
    }

    @Override
    public void fail(String sentence, RuleMatches into) {
      into.addFailed(rule, sentence);
    }
  }

  /**
   * Adds a rule.
   *
   * @param rule a number that no other rule here has
   */
  public void add(int rule, Filter filter) {
    if (filters.putIfAbsent(rule, filter) != null) {
      throw new IllegalArgumentException("rule " + rule + " is there already");
    }
    index(rule, filter);
  }

  private void index(int rule, Filter filter) {
    changed = true;
    switch (filter) {
      case CorrelationFilter correlation -> {
        correlations.add(rule, correlation, slots);
        correlationFilters++;
      }
      case SqlFilter sql -> {
        var compiler = new Compiler(slots);
        Condition condition = compiler.condition(sql.condition());
        conditions.put(rule, new Evaluated(condition, compiler.used()));
      }
      case Filter.True all -> always.add(rule);
      case Filter.False never -> {}
    }
  }

  /** Removes a rule; whether it was there. */
  public boolean remove(int rule) {
    Filter filter = filters.remove(rule);
    if (filter == null) {
      return false;
    }
    changed = true;
    always.remove(rule);
    Evaluated evaluated = conditions.remove(rule);
    if (evaluated != null) {
      IntStream.of(evaluated.names).forEach(slots::release);
    }
    if (filter instanceof CorrelationFilter correlation) {
      correlations.remove(rule, correlation, slots);
      correlationFilters--;
    }
    int kept = Math.max(filters.size() / RULES_PER_NAME, slots.names() - slots.unused());
    if (filters.isEmpty() || slots.unused() > Math.max(SWEEP, kept)) {
      sweep();
    }
    return true;
  }

  /** Forgets the names that only removed rules asked for. */
  private void sweep() {
    slots = new Slots();
    evaluation = new Evaluation(slots);
    correlations = new CorrelationIndex();
    conditions.clear();
    correlationFilters = 0;
    filters.forEach(this::index);
  }

  /** The filter of a rule, null when there is no such rule. */
  public @Nullable Filter filter(int rule) {
    return filters.get(rule);
  }

  /** How many rules there are. */
  public int size() {
    return filters.size();
  }

  /** How many of them have SQL filters. */
  public int sqlFilters() {
    return conditions.size();
  }

  /** How many of them have correlation filters. */
  public int correlationFilters() {
    return correlationFilters;
  }

  /**
   * What rules share takes of the heap at most: names of application properties, also some that
   * only removed rules asked for, cells to compute in, and tables of correlation filters.
   */
  public long sharedBytes() {
    return slots.heapBytes() + correlations.heapBytes();
  }

  /** How many names of application properties are kept, so that forgetting can be seen. */
  int names() {
    return slots.names();
  }

  /**
   * Says which rules match a message.
   *
   * @param seed what {@code newid()} is made of: the same seed gives the same answer
   * @param into is emptied and filled
   */
  public void match(FilterSubject subject, long seed, RuleMatches into) {
    if (changed) {
      prepare();
    }
    into.clear();
    evaluation.begin(subject, seed);
    for (int rule : ready.always) {
      into.add(rule);
    }
    evaluate(into);
    evaluation.end();
    into.sort();
  }

  /** Those that need more than an equal part share what the others leave. */
  private void evaluate(RuleMatches into) {
    costlyCount = 0;
    allowance.begin(ready.tasks.length);
    for (int i = 0; i < ready.tasks.length; i++) {
      long share = allowance.next();
      if (!test(i, share, share == Allowance.STEPS_PER_RULE, into)) {
        postpone(i);
      }
    }
    allowance.goOn(costlyCount);
    for (int i = 0; i < costlyCount; i++) {
      test(costly[i], allowance.next(), true, into);
    }
  }

  private void postpone(int place) {
    if (costlyCount == costly.length) {
      costly = Arrays.copyOf(costly, costlyCount * 2);
    }
    costly[costlyCount++] = place;
  }

  /**
   * Whether that settles it: a rule for which the steps did not do may have more, but for the last
   * time.
   */
  private boolean test(int place, long steps, boolean last, RuleMatches into) {
    Task task = ready.tasks[place];
    int before = into.count();
    evaluation.steps().allow(steps);
    try {
      task.match(evaluation, into);
      return true;
    } catch (RuntimeException failure) { // a fault of ours included: others go on without this one
      into.keep(before);
      boolean settled = last || !evaluation.steps().areOver();
      if (settled) {
        task.fail(EvaluationFailed.sentence(failure), into);
      }
      return settled;
    } finally {
      allowance.take(evaluation.steps().taken());
    }
  }

  /** How many steps the filters took for the last message. */
  public long stepsTaken() {
    return allowance.taken();
  }

  private void prepare() {
    changed = false;
    ready =
        new Ready(
            always.stream().mapToInt(Integer::intValue).toArray(),
            Stream.concat(
                    correlations.shapes().stream(),
                    conditions.entrySet().stream()
                        .map(sql -> new SqlTask(sql.getKey(), sql.getValue().condition())))
                .toArray(Task[]::new));
  }
}
