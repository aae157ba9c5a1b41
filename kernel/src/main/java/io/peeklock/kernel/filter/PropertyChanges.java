package io.peeklock.kernel.filter;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The changes of an action, to be applied to the message's copy: a value replaces or adds, {@link
 * ValueType#MISSING} removes. Values are copies, not borrowed from the message.
 */
public final class PropertyChanges {
  private static final int FEW_BYTES = 16;

  private final List<PropertyName> names = new ArrayList<>();
  private final List<FilterValue> values = new ArrayList<>();
  private final Map<SystemProperty, FilterValue> system = new EnumMap<>(SystemProperty.class);

  /** How many application properties changed. */
  public int count() {
    return names.size();
  }

  /** The name of the i-th one, as the action spells it; a key of the message keeps its spelling. */
  public PropertyName name(int i) {
    return names.get(i);
  }

  /** What it became. */
  public FilterValue value(int i) {
    return values.get(i);
  }

  /** The index of the change for a message's key, in UTF-8; -1 for none. */
  public int find(byte[] key, int offset, int length) {
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i).matches(key, offset, length)) {
        return i;
      }
    }
    return -1;
  }

  /** The new value of an application property; null when it is unchanged. */
  public @Nullable FilterValue of(PropertyName name) {
    int at = names.indexOf(name);
    return at < 0 ? null : values.get(at);
  }

  /** The new value of a property of the message; null when it is unchanged. */
  public @Nullable FilterValue of(SystemProperty property) {
    return system.get(property);
  }

  /**
   * Replaces or adds a value, or with {@link ValueType#MISSING} removes it; the value is copied.
   */
  public void set(PropertyName name, FilterValue value) {
    int at = names.indexOf(name);
    if (at < 0) {
      names.add(name);
      values.add(value.copy());
    } else {
      values.set(at, value.copy());
    }
  }

  void set(SystemProperty property, FilterValue value) {
    system.put(property, value.copy());
  }

  /** How many bytes names and values have; those of fixed width count as a few. */
  public long bytes() {
    long bytes = 0;
    for (int i = 0; i < names.size(); i++) {
      bytes += names.get(i).text().length() + FEW_BYTES + bytes(values.get(i));
    }
    for (FilterValue value : system.values()) {
      bytes += FEW_BYTES + bytes(value);
    }
    return bytes;
  }

  private static int bytes(FilterValue value) {
    return value.type().hasBytes() ? value.length() : 0;
  }

  /** Forgets all changes. */
  public void clear() {
    names.clear();
    values.clear();
    system.clear();
  }
}
