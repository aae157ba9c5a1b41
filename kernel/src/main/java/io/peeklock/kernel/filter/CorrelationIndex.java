package io.peeklock.kernel.filter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Correlation filters by the set of properties that they name, and then by the hash of the values:
 * a message costs one look-up per set of properties, however many filters have it.
 */
final class CorrelationIndex {
  // a tree: a hundred thousand filters may have as many sets, and a tree never grows as a whole
  private final Map<int[], CorrelationShape> bySources = new TreeMap<>(Arrays::compare);
  private final RuleTask.Some shapes = new RuleTask.Some();
  private long heapBytes;

  /** One property and the value it must have; system properties count down from -1. */
  private record Wanted(int source, FilterValue value) {}

  /** The place of a rule. */
  record Place(CorrelationShape shape, CorrelationShape.Entry entry) {}

  private static List<Wanted> wanted(CorrelationFilter filter, Slots slots) {
    var wanted = new ArrayList<Wanted>();
    filter
        .system()
        .forEach(
            (property, text) -> wanted.add(new Wanted(~property.index(), FilterValue.of(text))));
    filter
        .user()
        .forEach((name, value) -> wanted.add(new Wanted(slots.use(new PropertyName(name)), value)));
    wanted.sort((one, other) -> Integer.compare(one.source(), other.source()));
    return wanted;
  }

  Place add(int rule, CorrelationFilter filter, Slots slots) {
    List<Wanted> wanted = wanted(filter, slots);
    int[] sources = wanted.stream().mapToInt(Wanted::source).toArray();
    CorrelationShape shape = bySources.get(sources);
    if (shape == null) {
      shape = new CorrelationShape(sources);
      bySources.put(sources, shape);
      shapes.add(shape);
    } else {
      heapBytes -= shape.heapBytes();
    }
    FilterValue[] values = wanted.stream().map(Wanted::value).toArray(FilterValue[]::new);
    CorrelationShape.Entry entry = shape.add(rule, values);
    heapBytes += shape.heapBytes();
    return new Place(shape, entry);
  }

  void remove(int rule, Place at, Slots slots) {
    CorrelationShape shape = at.shape();
    for (int source : shape.sources()) {
      if (source >= 0) {
        slots.release(source);
      }
    }
    if (shape.remove(rule, at.entry())) {
      heapBytes -= shape.heapBytes();
      bySources.remove(shape.sources());
      shapes.remove(shape);
    }
  }

  /** The most heap that all sets take, without the filters. */
  long heapBytes() {
    return heapBytes;
  }

  /** The tasks, one for each set of properties. */
  RuleTask.Some shapes() {
    return shapes;
  }
}
