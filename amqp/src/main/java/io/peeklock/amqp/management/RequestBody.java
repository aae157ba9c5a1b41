package io.peeklock.amqp.management;

import io.peeklock.amqp.engine.codec.TypedArray;
import io.peeklock.amqp.engine.codec.Unsigned;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.request.RequestMessage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body of a management request, which is a map (amqp.md 7.2). Integers of any type are taken.
 * What is not as it must be throws {@link BadManagementRequest}.
 */
final class RequestBody {
  private static final int MAX_ITEMS = 10_000;

  private final Map<String, @Nullable Object> entries;

  private RequestBody(Map<String, @Nullable Object> entries) {
    this.entries = entries;
  }

  /** That of a request. */
  static RequestBody of(RequestMessage request) {
    var body = request.body();
    if (body == null) {
      throw BadManagementRequest.argument("The request has no body");
    }
    return new RequestBody(map(body, "The body"));
  }

  /** A value that must be a map, with its keys as text. */
  static Map<String, @Nullable Object> map(Object value, String what) {
    if (!(value instanceof Map<?, ?> map)) {
      throw BadManagementRequest.argument(what + " must be a map");
    }
    var texts = new LinkedHashMap<String, @Nullable Object>();
    for (var entry : map.entrySet()) {
      texts.put(String.valueOf(entry.getKey()), entry.getValue());
    }
    return texts;
  }

  /** What stands under a key, null for nothing. */
  @Nullable Object get(String key) {
    return entries.get(key);
  }

  /** A text; null when there is none. */
  @Nullable String text(String key) {
    return get(key) instanceof String text ? text : null;
  }

  /** An integer, which must be there. */
  long integer(String key) {
    return integer(get(key), key);
  }

  /** An integer that may be left out. */
  long integer(String key, long otherwise) {
    return entries.containsKey(key) ? integer(key) : otherwise;
  }

  /** One of the integers of a list, which {@code key} names in what is wrong with it. */
  static long integer(@Nullable Object value, String key) {
    if (value instanceof Unsigned unsigned) {
      return unsigned.value();
    }
    if (value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte) {
      return ((Number) value).longValue();
    }
    throw BadManagementRequest.argument("'" + key + "' must be an integer");
  }

  /** Arrays as the SDKs send them, or lists. */
  List<?> items(String key) {
    var value = get(key);
    var items =
        value instanceof TypedArray array
            ? array.elements()
            : value instanceof List<?> l ? l : null;
    if (items == null) {
      throw BadManagementRequest.argument("'" + key + "' must be an array");
    }
    checkCount(key, items.size(), MAX_ITEMS);
    return items;
  }

  /** Refuses more than may be asked for at a time. */
  static void checkCount(String key, int count, int most) {
    if (count > most) {
      throw new BadManagementRequest(
          400,
          Conditions.ARGUMENT_OUT_OF_RANGE,
          "'" + key + "' has more than " + most + " entries");
    }
  }
}
