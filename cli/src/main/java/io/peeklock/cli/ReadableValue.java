package io.peeklock.cli;

import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.DescribedType;
import org.jspecify.annotations.Nullable;

/** AMQP values as JSON for people, who see what they hold but not all of their types. */
final class ReadableValue {
  private ReadableValue() {}

  static @Nullable Object of(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Map<?, ?> map -> object(map);
      case List<?> list -> list(list);
      case byte[] bytes -> Base64.getEncoder().encodeToString(bytes);
      case Binary bytes -> Base64.getEncoder().encodeToString(bytes.asByteArray());
      case Object[] array -> list(List.of(array));
      case DescribedType described -> of(described.getDescribed());
      default -> {
        var typed = TypedValue.of(value);
        yield "amqp".equals(typed.type()) ? value.toString() : typed.json();
      }
    };
  }

  private static Map<String, @Nullable Object> object(Map<?, ?> map) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    map.forEach((key, value) -> fields.put(String.valueOf(of(key)), of(value)));
    return fields;
  }

  private static List<@Nullable Object> list(List<?> list) {
    var items = new ArrayList<@Nullable Object>();
    list.forEach(each -> items.add(of(each)));
    return items;
  }
}
