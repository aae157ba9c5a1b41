package io.peeklock.kernel.filter;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The correlation filters with one set of properties: a hash table of their values. It grows by
 * linear hashing, a bucket for each entry, as a table of a hundred thousand that grew as a whole
 * would hold the shard for milliseconds; and removing an entry needs no search.
 */
final class CorrelationShape extends RuleTask {
  private static final int LEAST_BUCKETS = 4; // a power of two

  private final int[] sources;
  private @Nullable Entry[] buckets = new @Nullable Entry[LEAST_BUCKETS];
  private int bucketCount = LEAST_BUCKETS; // in use, of those allocated
  private int entries;

  /** The rules with the same values. */
  static final class Entry extends RuleNumbers {
    private final long hash;
    private final FilterValue[] values;
    private @Nullable Entry before;
    private @Nullable Entry next;

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
  CorrelationShape(int[] sources) {
    this.sources = sources;
  }

  /** The properties that it reads; must not be changed. */
  int[] sources() {
    return sources;
  }

  /** Adds a rule, and returns its entry. */
  Entry add(int rule, FilterValue[] values) {
    long hash = hash(values);
    Entry entry = find(hash, values);
    if (entry == null) {
      entry = new Entry(hash, values);
      if (entries++ == bucketCount) {
        split();
      }
      link(entry);
    }
    entry.add(rule);
    return entry;
  }

  /** Removes a rule, which must exist, and returns whether none is left. */
  boolean remove(int rule, Entry at) {
    at.remove(rule);
    if (at.isEmpty()) {
      unlink(at);
      entries--;
    }
    return entries == 0;
  }

  /** The most heap that it takes, without its rules. */
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

  /** The bucket of a hash, by as many bits as there are buckets for, or one less. */
  private int bucket(long hash) {
    int half = Integer.highestOneBit(bucketCount);
    int bucket = (int) hash & (2 * half - 1);
    return bucket < bucketCount ? bucket : bucket & (half - 1);
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
    Entry first = buckets[bucket];
    if (first != null) {
      first.before = entry;
    }
    entry.before = null;
    entry.next = first;
    buckets[bucket] = entry;
  }

  private void unlink(Entry gone) {
    if (gone.before == null) {
      buckets[bucket(gone.hash)] = gone.next;
    } else {
      gone.before.next = gone.next;
    }
    if (gone.next != null) {
      gone.next.before = gone.before;
    }
  }

  /** Splits one bucket in two. */
  private void split() {
    if (bucketCount == buckets.length) {
      buckets = Arrays.copyOf(buckets, bucketCount * 2); // copies references only
    }
    int parted = bucketCount - Integer.highestOneBit(bucketCount);
    bucketCount++;
    Entry entry = buckets[parted];
    buckets[parted] = null;
    while (entry != null) {
      Entry next = entry.next;
      link(entry);
      entry = next;
    }
  }

  @Override
  void match(Evaluation evaluation, RuleMatches into) {
    evaluation.steps().spend(sources.length);
    long hash = 0;
    for (int source : sources) {
      FilterValue value = read(evaluation, source);
      if (value.type().family() == ValueType.Family.NONE) {
        return; // the property is missing, and equals nothing
      }
      hash = Comparison.mix(hash ^ Comparison.hash(value));
    }
    for (Entry entry = buckets[bucket(hash)]; entry != null; entry = entry.next) {
      evaluation.steps().spend(1); // a client may choose many with one hash
      if (entry.hash == hash && isWanted(evaluation, entry.values)) {
        entry.addTo(into);
      }
    }
  }

  @Override
  void fail(String sentence, RuleMatches into) {
    for (Entry first : buckets) {
      for (Entry entry = first; entry != null; entry = entry.next) {
        entry.addFailedTo(sentence, into);
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
