package io.peeklock.benchmarks;

import io.peeklock.kernel.filter.ActionBudget;
import io.peeklock.kernel.filter.ActionRun;
import io.peeklock.kernel.filter.CorrelationFilter;
import io.peeklock.kernel.filter.Filter;
import io.peeklock.kernel.filter.FilterLimits;
import io.peeklock.kernel.filter.FilterSubject;
import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.Parsed;
import io.peeklock.kernel.filter.PropertyChanges;
import io.peeklock.kernel.filter.PropertyName;
import io.peeklock.kernel.filter.RuleMatches;
import io.peeklock.kernel.filter.RuleTable;
import io.peeklock.kernel.filter.SqlAction;
import io.peeklock.kernel.filter.SqlFilter;
import io.peeklock.kernel.filter.SystemProperty;
import io.peeklock.kernel.filter.ValueType;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What it costs to say which rules match a message with five application properties, lying as UTF-8
 * beside their values.
 *
 * <pre>{@code java -jar benchmarks/target/benchmarks.jar FilterBenchmark -prof gc}</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class FilterBenchmark {

  /** The rules of a topic. */
  public enum Rules {
    SQL_OF_TWO_TERMS,
    SQL_LIKE,
    CORRELATION_1,
    CORRELATION_2000,
    SQL_2000
  }

  @Param public Rules rules = Rules.SQL_OF_TWO_TERMS;

  private final RuleTable table = new RuleTable();
  private final RuleMatches matches = new RuleMatches();
  private final Message message = new Message();
  private final PropertyChanges changes = new PropertyChanges();
  private final SqlAction action =
      done(
          SqlAction.parse(
              "SET quantity = quantity + 1; SET label = color + '!'", FilterLimits.STANDARD));
  private final ActionRun ready = action.ready();

  /** Makes the rules; one of them matches. */
  @Setup
  public void fill() {
    switch (rules) {
      case SQL_OF_TWO_TERMS -> table.add(0, sql("color = 'red' AND quantity > 10"));
      case SQL_LIKE -> table.add(0, sql("note LIKE '%jumps%dog'"));
      case CORRELATION_1 -> table.add(0, correlation("tenant-1234"));
      case CORRELATION_2000 -> {
        for (var rule = 0; rule < 2_000; rule++) {
          table.add(rule, correlation("tenant-" + rule));
        }
      }
      case SQL_2000 -> {
        for (var rule = 0; rule < 2_000; rule++) {
          table.add(rule, sql("tenant = 'tenant-" + rule + "' AND quantity > 10"));
        }
      }
    }
    if (match() != 1) {
      throw new IllegalStateException("one rule matches, not " + matches.count());
    }
  }

  /** One message against all rules. */
  @Benchmark
  public int match() {
    table.match(message, 1, matches);
    return matches.count();
  }

  /** An action of two statements, made ready with its rule. */
  @Benchmark
  public @Nullable String act() {
    return ready.apply(message, 1, changes, new ActionBudget(1));
  }

  /** The same, made ready for each message. */
  @Benchmark
  public @Nullable String makeReadyAndAct() {
    return action.ready().apply(message, 1, changes, new ActionBudget(1));
  }

  private static Filter sql(String text) {
    return done(SqlFilter.parse(text, FilterLimits.STANDARD));
  }

  private static Filter correlation(String tenant) {
    var user = new LinkedHashMap<String, FilterValue>();
    user.put("tenant", FilterValue.of(tenant));
    user.put("color", FilterValue.of("red"));
    return done(CorrelationFilter.of(new TreeMap<>(), user));
  }

  private static <T> T done(Parsed<T> parsed) {
    return switch (parsed) {
      case Parsed.Done<T> done -> done.value();
      case Parsed.Wrong<T> wrong -> throw new IllegalStateException(wrong.problem().toString());
    };
  }

  /** A message as an edge would hold it: keys and texts as bytes. */
  private static final class Message implements FilterSubject {
    private static final byte[][] KEYS = {
      utf8("source"), utf8("tenant"), utf8("note"), utf8("color"), utf8("quantity")
    };
    private static final byte[][] TEXTS = {
      utf8("shop"),
      utf8("tenant-1234"),
      utf8("the quick brown fox jumps over the lazy dog"),
      utf8("red")
    };

    private static byte[] utf8(String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void system(SystemProperty property, FilterValue into) {}

    @Override
    public void user(PropertyName name, FilterValue into) {
      for (var i = 0; i < KEYS.length; i++) {
        if (name.matches(KEYS[i], 0, KEYS[i].length)) {
          if (i < TEXTS.length) {
            into.setUtf8(TEXTS[i], 0, TEXTS[i].length);
          } else {
            into.setWhole(ValueType.INT, 12);
          }
          return;
        }
      }
    }
  }
}
