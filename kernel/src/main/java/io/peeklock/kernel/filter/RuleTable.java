package io.peeklock.kernel.filter;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The filters of many rules, ready to say which of them match a message: a topic has one for the
 * rules of all its subscriptions. True filters are listed; SQL filters are evaluated, and
 * correlation filters looked up by hash, all that ask for the same properties at once, each with
 * its part of the {@link RuleBudget}. Nothing is made per message.
 *
 * <p>Rules are known by small numbers that the caller gives. Not for two threads.
 */
public final class RuleTable {
  // a tree: there may be a hundred thousand, and it never grows as a whole
  private final Map<Integer, Held> rules = new TreeMap<>();
  private Slots slots = new Slots();
  private Evaluation evaluation = new Evaluation(slots);
  private CorrelationIndex correlations = new CorrelationIndex();
  private final RuleTask.Some conditions = new RuleTask.Some();
  private final RuleNumbers always = new RuleNumbers();
  private final RuleBudget budget = RuleBudget.ofSteps();
  private int[] costly = new int[4]; // places of those that need more than an equal part
  private int costlyCount;
  private int correlationFilters;

  /** A rule, and where it is: what comes or goes moves nothing else. */
  private sealed interface Held {
    Filter filter();
  }

  private record Constant(Filter filter) implements Held {}

  private record LookedUp(Filter filter, CorrelationIndex.Place place) implements Held {}

  /** With the names that it uses. */
  private record Evaluated(Filter filter, SqlTask task, int[] names) implements Held {}

  private static final class SqlTask extends RuleTask {
    private final int rule;
    private final Condition condition;

    SqlTask(int rule, Condition condition) {
      this.rule = rule;
      this.condition = condition;
    }

    @Override
    void match(Evaluation evaluation, RuleMatches into) {
      if (condition.test(evaluation) == Truth.TRUE) {
        into.add(rule);
      }
    }

    @Override
    void fail(String sentence, RuleMatches into) {
      into.addFailed(rule, sentence);
    }
  }

  /**
   * Adds a rule.
   *
   * @param rule a number that no other rule here has
   */
  public void add(int rule, Filter filter) {
    if (rules.containsKey(rule)) {
      throw new IllegalArgumentException("rule " + rule + " is there already");
    }
    rules.put(rule, held(rule, filter));
  }

  private Held held(int rule, Filter filter) {
    return switch (filter) {
      case CorrelationFilter correlation -> {
        correlationFilters++;
        yield new LookedUp(filter, correlations.add(rule, correlation, slots));
      }
      case SqlFilter sql -> {
        var compiler = new Compiler(slots);
        var task = new SqlTask(rule, compiler.condition(sql.condition()));
        conditions.add(task);
        yield new Evaluated(filter, task, compiler.used());
      }
      case Filter.True all -> {
        always.add(rule);
        yield new Constant(filter);
      }
      case Filter.False never -> new Constant(filter);
    };
  }

  /** Removes a rule; whether it was there. */
  public boolean remove(int rule) {
    Held held = rules.remove(rule);
    if (held == null) {
      return false;
    }
    switch (held) {
      case LookedUp lookedUp -> {
        correlationFilters--;
        correlations.remove(rule, lookedUp.place(), slots);
      }
      case Evaluated evaluated -> {
        conditions.remove(evaluated.task());
        IntStream.of(evaluated.names()).forEach(slots::release);
      }
      case Constant constant -> {
        if (constant.filter() instanceof Filter.True) {
          always.remove(rule);
        }
      }
    }
    if (rules.isEmpty()) { // what was shared, and had its largest size
      slots = new Slots();
      evaluation = new Evaluation(slots);
      correlations = new CorrelationIndex();
    }
    return true;
  }

  /** The filter of a rule, null when there is no such rule. */
  public @Nullable Filter filter(int rule) {
    Held held = rules.get(rule);
    return held == null ? null : held.filter();
  }

  /** How many rules there are. */
  public int size() {
    return rules.size();
  }

  /** How many of them have SQL filters. */
  public int sqlFilters() {
    return conditions.count();
  }

  /** How many of them have correlation filters. */
  public int correlationFilters() {
    return correlationFilters;
  }

  /**
   * What rules share takes of the heap at most: names of application properties, places of those
   * that only removed rules asked for, cells to compute in, and tables of correlation filters.
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
    into.clear();
    evaluation.begin(subject, seed);
    always.addTo(into);
    evaluate(into);
    evaluation.end();
    into.sort();
  }

  /** Those that need more than an equal part share what the others leave. */
  private void evaluate(RuleMatches into) {
    costlyCount = 0;
    int tasks = correlations.shapes().count() + conditions.count();
    budget.begin(tasks);
    for (int i = 0; i < tasks; i++) {
      long share = budget.next();
      if (!test(i, share, share == RuleBudget.STEPS_PER_RULE, into)) {
        postpone(i);
      }
    }
    budget.goOn(costlyCount);
    for (int i = 0; i < costlyCount; i++) {
      test(costly[i], budget.next(), true, into);
    }
  }

  private RuleTask task(int place) {
    int shapes = correlations.shapes().count();
    return place < shapes ? correlations.shapes().at(place) : conditions.at(place - shapes);
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
    RuleTask task = task(place);
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
      budget.take(evaluation.steps().taken());
    }
  }

  /** How many steps the filters took for the last message. */
  public long stepsTaken() {
    return budget.taken();
  }
}
