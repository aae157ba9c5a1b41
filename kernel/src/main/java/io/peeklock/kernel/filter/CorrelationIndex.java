package io.peeklock.kernel.filter;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Correlation filters by the properties that they ask for, and within those by the hash of the
 * values: a message costs one look-up per set of properties, however many filters ask for it.
 */
final class CorrelationIndex {
  private final Map<List<Integer>, CorrelationShape> bySources = new LinkedHashMap<>();
  private long heapBytes;

  /** One property and the value it must have; system properties count down from -1. */
  private record Wanted(int source, FilterValue value) {}

  private static List<Wanted> wanted(CorrelationFilter filter, Slots slots) {
    var wanted = new ArrayList<Wanted>();
    filter
        .system()
        .forEach(
            (property, text) -> wanted.add(new Wanted(~property.index(), FilterValue.of(text))));
    filter
        .user()
        .forEach((name, value) -> wanted.add(new Wanted(slots.of(new PropertyName(name)), value)));
    wanted.sort((one, other) -> Integer.compare(one.source(), other.source()));
    return wanted;
  }

  void add(int rule, CorrelationFilter filter, Slots slots) {
    List<Wanted> wanted = wanted(filter, slots);
    named(wanted).forEach(slots::use);
    CorrelationShape known = bySources.get(sources(wanted));
    heapBytes -= known == null ? 0 : known.heapBytes();
    CorrelationShape shape = bySources.computeIfAbsent(sources(wanted), CorrelationShape::new);
    shape.add(rule, values(wanted));
    heapBytes += shape.heapBytes();
  }

  void remove(int rule, CorrelationFilter filter, Slots slots) {
    List<Wanted> wanted = wanted(filter, slots);
    named(wanted).forEach(slots::release);
    List<Integer> sources = sources(wanted);
    CorrelationShape shape = bySources.get(sources);
    if (shape != null && shape.remove(rule, values(wanted))) {
      heapBytes -= shape.heapBytes();
      bySources.remove(sources);
    }
  }

  private static IntStream named(List<Wanted> wanted) {
    return wanted.stream().mapToInt(Wanted::source).filter(source -> source >= 0);
  }

  private static List<Integer> sources(List<Wanted> wanted) {
    return wanted.stream().map(Wanted::source).toList();
  }

  private static FilterValue[] values(List<Wanted> wanted) {
    return wanted.stream().map(Wanted::value).toArray(FilterValue[]::new);
  }

  /** What all sets take of the heap at most, beside what the filters do. */
  long heapBytes() {
    return heapBytes;
  }

  /** One for each set of properties. */
  Collection<CorrelationShape> shapes() {
    return bySources.values();
  }
}
