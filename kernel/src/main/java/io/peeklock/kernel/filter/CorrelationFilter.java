package io.peeklock.kernel.filter;

import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Selects the messages that have all the given properties, equal and of the same kind (S-326,
 * S-328, S-329): numbers of any width and kind are one kind. A null among them equals nothing.
 */
public final class CorrelationFilter implements Filter {
  private static final Set<SystemProperty> TAKEN =
      Collections.unmodifiableSet(
          EnumSet.of(
              SystemProperty.MESSAGE_ID,
              SystemProperty.CORRELATION_ID,
              SystemProperty.TO,
              SystemProperty.REPLY_TO,
              SystemProperty.LABEL,
              SystemProperty.SESSION_ID,
              SystemProperty.REPLY_TO_SESSION_ID,
              SystemProperty.CONTENT_TYPE));

  private final Map<SystemProperty, String> system;
  private final Map<String, FilterValue> user;
  private final long heapBytes;
  private final long sharedBytes;

  private CorrelationFilter(Map<SystemProperty, String> system, Map<String, FilterValue> user) {
    this.system = system;
    this.user = user;
    HeapSize size = HeapSize.of(system, user);
    this.heapBytes = size.own();
    this.sharedBytes = size.shared();
  }

  /**
   * Creates a filter from a client's properties; both maps are copied with their order.
   *
   * @param system among message id, correlation id, to, reply-to, label, session id, reply-to
   *     session id and content type
   */
  public static Parsed<CorrelationFilter> of(
      Map<SystemProperty, String> system, Map<String, FilterValue> user) {
    if (system.isEmpty() && user.isEmpty()) {
      return new Parsed.Wrong<>(
          FilterProblem.ofWhole("a correlation filter needs at least one property"));
    }
    if (!TAKEN.containsAll(system.keySet())) {
      throw new IllegalArgumentException("a correlation filter does not ask for " + system);
    }
    Map<String, FilterValue> values = new LinkedHashMap<>();
    user.forEach((name, value) -> values.put(name, value.copy()));
    return new Parsed.Done<>(
        new CorrelationFilter(kept(new LinkedHashMap<>(system)), kept(values)));
  }

  /**
   * Copies a map in the least memory: there may be a hundred thousand filters, most with one
   * property.
   */
  private static <K, V> Map<K, V> kept(Map<K, V> map) {
    if (map.size() != 1) {
      return map.isEmpty() ? Collections.emptyMap() : Collections.unmodifiableMap(map);
    }
    Map.Entry<K, V> only = map.entrySet().iterator().next();
    return Collections.singletonMap(only.getKey(), only.getValue());
  }

  public Map<SystemProperty, String> system() {
    return system;
  }

  /** Values of application properties; they must not be changed. */
  public Map<String, FilterValue> user() {
    return user;
  }

  /** The most heap in bytes that it takes, without what the rules of a topic share. */
  public long heapBytes() {
    return heapBytes;
  }

  /** The most bytes that it may add to {@link RuleTable#sharedBytes}. */
  public long sharedBytes() {
    return sharedBytes;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CorrelationFilter that
        && system.equals(that.system)
        && user.equals(that.user);
  }

  @Override
  public int hashCode() {
    return system.hashCode() * 31 + user.hashCode();
  }

  @Override
  public String toString() {
    return "system " + system + ", user " + user;
  }
}
