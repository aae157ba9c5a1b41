package io.peeklock.kernel.filter;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The correlation filters that ask for one set of properties: a hash table of their values. */
final class CorrelationShape implements RuleTable.Task {
  private final int[] sources;
  private @Nullable Entry[] buckets = new @Nullable Entry[4];
  private int entries;

  /** Rules that want the very same values. */
  private static final class Entry {
    final long hash;
    final FilterValue[] values;
    int[] rules = {};
    @Nullable Entry next;

    Entry(long hash, FilterValue[] values) {
      this.hash = hash;
      this.values = values;
    }
  }

  /**
   * Makes an empty one.
   *
   * @param sources slots of application properties; system properties count down from -1
   */
  CorrelationShape(List<Integer> sources) {
    this.sources = sources.stream().mapToInt(Integer::intValue).toArray();
  }

  void add(int rule, FilterValue[] values) {
    long hash = hash(values);
    Entry entry = find(hash, values);
    if (entry == null) {
      entry = new Entry(hash, values);
      if (entries++ == buckets.length) {
        grow();
      }
      link(entry);
    }
    entry.rules = Arrays.copyOf(entry.rules, entry.rules.length + 1);
    entry.rules[entry.rules.length - 1] = rule;
  }

  /** Forgets a rule; whether none is left. */
  boolean remove(int rule, FilterValue[] values) {
    long hash = hash(values);
    Entry entry = Objects.requireNonNull(find(hash, values), "a rule that is removed was added");
    entry.rules = Arrays.stream(entry.rules).filter(other -> other != rule).toArray();
    if (entry.rules.length == 0) {
      unlink(entry);
      entries--;
    }
    return entries == 0;
  }

  /** What it takes of the heap at most, beside what its rules do. */
  long heapBytes() {
    return HeapSize.ofShape(sources.length, buckets.length);
  }

  private static long hash(FilterValue[] values) {
    long hash = 0;
    for (FilterValue value : values) {
      hash = Comparison.mix(hash ^ Comparison.hash(value));
    }
    return hash;
  }

  private int bucket(long hash) {
    return (int) hash & buckets.length - 1;
  }

  private @Nullable Entry find(long hash, FilterValue[] values) {
    Entry entry = buckets[bucket(hash)];
    while (entry != null && (entry.hash != hash || !Arrays.equals(entry.values, values))) {
      entry = entry.next;
    }
    return entry;
  }

  private void link(Entry entry) {
    int bucket = bucket(entry.hash);
    entry.next = buckets[bucket];
    buckets[bucket] = entry;
  }

  private void unlink(Entry gone) {
    int bucket = bucket(gone.hash);
    Entry kept = null;
    for (Entry entry = buckets[bucket]; entry != null; ) {
      Entry next = entry.next;
      if (entry != gone) {
        entry.next = kept;
        kept = entry;
      }
      entry = next;
    }
    buckets[bucket] = kept;
  }

  private void grow() {
    @Nullable Entry[] before = buckets;
    buckets = new @Nullable Entry[before.length * 2];
    for (Entry first : before) {
      for (Entry entry = first; entry != null; ) {
        Entry next = entry.next;
        link(entry);
        entry = next;
      }
    }
  }

  @Override
  public void match(Evaluation evaluation, RuleMatches into) {
    evaluation.steps().spend(sources.length);
    long hash = 0;
    for (int source : sources) {
      FilterValue value = read(evaluation, source);
      if (value.type().family() == ValueType.Family.NONE) {
        return; // it is not there, and what is not there equals nothing
      }
      hash = Comparison.mix(hash ^ Comparison.hash(value));
    }
    for (Entry entry = buckets[bucket(hash)]; entry != null; entry = entry.next) {
      evaluation.steps().spend(1); // many may have one hash, by intent
      if (entry.hash == hash && isWanted(evaluation, entry.values)) {
        for (int rule : entry.rules) {
          into.add(rule);
        }
      }
    }
  }

  @Override
  public void fail(String sentence, RuleMatches into) {
    for (Entry first : buckets) {
      for (Entry entry = first; entry != null; entry = entry.next) {
        for (int rule : entry.rules) {
          into.addFailed(rule, sentence);
        }
      }
    }
  }

  private boolean isWanted(Evaluation evaluation, FilterValue[] values) {
    for (int i = 0; i < sources.length; i++) {
      FilterValue value = read(evaluation, sources[i]);
      if (!Comparison.comparable(value, values[i]) || !Comparison.equal(value, values[i])) {
        return false;
      }
    }
    return true;
  }

  private static FilterValue read(Evaluation evaluation, int source) {
    return source < 0 ? evaluation.system(~source) : evaluation.user(source);
  }
}
