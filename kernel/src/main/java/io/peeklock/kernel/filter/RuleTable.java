package io.peeklock.kernel.filter;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The compiled filters of many rules, which finds those that match a message: a topic has one for
 * the rules of all its subscriptions. True filters are listed; SQL filters are evaluated, and
 * correlation filters with the same set of properties are looked up together by hash, each with its
 * part of the {@link Allowance}. Nothing is allocated per message.
 *
 * <p>The caller gives rules small numbers. Not thread-safe.
 */
public final class RuleTable {
  // a tree: there may be a hundred thousand rules, and a tree never grows as a whole
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

  /** A rule with its place, so that adding or removing one moves no other. */
  private sealed interface Held {
    Filter filter();
  }

  private record Constant(Filter filter) implements Held {}

  private record LookedUp(Filter filter, CorrelationIndex.Place place) implements Held {}

  /** An evaluated filter, with the names that it uses. */
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
   * @param rule a number that no other rule has
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

  /** Removes a rule, and returns whether it existed. */
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
    if (rules.isEmpty()) { // the shared parts kept their largest size
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
   * The most heap that shared parts take: names of application properties, slots of names that only
   * removed rules used, cells for computing, and tables of correlation filters.
   */
  public long sharedBytes() {
    return slots.heapBytes() + correlations.heapBytes();
  }

  /** How many names of application properties are kept, for tests. */
  int names() {
    return slots.names();
  }

  /**
   * Finds the rules that match a message.
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

  /** Evaluates; rules that need more than an equal part share what the others leave. */
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
   * Evaluates one rule, and returns whether that is final: without enough steps it may try again,
   * except the last time.
   */
  private boolean test(int place, long steps, boolean last, RuleMatches into) {
    RuleTask task = task(place);
    int before = into.count();
    evaluation.steps().allow(steps);
    try {
      task.match(evaluation, into);
      return true;
    } catch (RuntimeException failure) { // also our own fault: the other rules continue
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
