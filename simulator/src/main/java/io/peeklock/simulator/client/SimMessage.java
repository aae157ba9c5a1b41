package io.peeklock.simulator.client;

import io.peeklock.simulator.history.SentMessage;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A message as it is stored: a head of marked texts, a zero, and zeros up to its size.
 *
 * @param tag that its sender gave it
 */
public record SimMessage(
    String tag,
    @Nullable String messageId,
    @Nullable String sessionId,
    long timeToLiveMillis,
    Map<String, @Nullable Object> properties) {
  private static final String NONE = "\u0003";

  /** How many bytes its head has, below which no size can be. */
  public static int leastBytes(SentMessage message) {
    return head(message).length;
  }

  static byte[] head(SentMessage message) {
    var text =
        message.tag()
            + PropertyText.END
            + (message.messageId() == null ? NONE : message.messageId())
            + PropertyText.END
            + (message.sessionId() == null ? NONE : message.sessionId())
            + PropertyText.END
            + message.timeToLiveMillis()
            + PropertyText.END
            + PropertyText.of(message.properties())
            + '\0';
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** One whose stored bytes begin like this. */
  static SimMessage parse(byte[] beginning) {
    var end = 0;
    while (beginning[end] != 0) {
      end++;
    }
    var parts = new String(beginning, 0, end, StandardCharsets.UTF_8).split("\u0001", 5);
    return new SimMessage(
        parts[0],
        unlessNone(parts[1]),
        unlessNone(parts[2]),
        Long.parseLong(parts[3]),
        PropertyText.parse(parts[4]));
  }

  private static @Nullable String unlessNone(String text) {
    return text.equals(NONE) ? null : text;
  }

  /** What is seen of its properties where some of them were changed. */
  Map<String, Object> seen(Map<String, @Nullable Object> changes) {
    var seen = new TreeMap<String, @Nullable Object>(properties);
    seen.putAll(changes);
    var left = new TreeMap<String, Object>();
    seen.forEach(
        (name, value) -> {
          if (value != null) {
            left.put(name, value);
          }
        });
    return left;
  }
}
