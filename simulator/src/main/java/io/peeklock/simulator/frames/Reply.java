package io.peeklock.simulator.frames;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a node answered to a request. */
record Reply(int status, String condition, String sentence, @Nullable Object body) {

  static Reply of(Messages.Sections message) {
    return new Reply(
        (int) Wire.number(message.property("statusCode")),
        String.valueOf(message.property("errorCondition")),
        String.valueOf(message.property("statusDescription")),
        message.value());
  }

  /** Whether it says that it was done, though there may be nothing to tell. */
  boolean isGood() {
    return status < 300;
  }

  /** Why it was not, in the words of the broker's table. */
  String why() {
    return Refusals.why(condition, sentence);
  }

  @Nullable Object get(String key) {
    return Wire.entry(body, key);
  }

  /** An array or a list; empty where there is none. */
  List<?> items(String key) {
    var value = get(key);
    if (value instanceof Wire.Array array) {
      return array.items();
    }
    return value instanceof List<?> list ? list : List.of();
  }

  /** The entries of one of the messages that it lists. */
  static Object entry(Object message, String key) {
    return Objects.requireNonNull(Wire.entry((Map<?, ?>) message, key));
  }
}
