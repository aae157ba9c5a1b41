package io.peeklock.simulator.client;

import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.PropertyChanges;
import io.peeklock.kernel.filter.PropertyName;
import io.peeklock.kernel.filter.SystemProperty;
import io.peeklock.kernel.filter.ValueType;
import io.peeklock.kernel.request.MessageView;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A message as filters see it.
 *
 * @param changes that lie over its properties
 */
record SimMessageView(SimMessage message, Map<String, @Nullable Object> changes)
    implements MessageView {
  private static final long TICKS_PER_MILLI = 10_000;

  @Override
  public void system(SystemProperty property, FilterValue into) {
    if (property == SystemProperty.TIME_TO_LIVE && message.timeToLiveMillis() != Long.MAX_VALUE) {
      into.setDurationTicks(message.timeToLiveMillis() * TICKS_PER_MILLI);
    }
    var text =
        switch (property) {
          case MESSAGE_ID -> message.messageId();
          case SESSION_ID -> message.sessionId();
          default -> null;
        };
    if (text != null) {
      into.setText(text);
    }
  }

  @Override
  public void user(PropertyName name, FilterValue into) {
    for (var entry : message.seen(changes).entrySet()) {
      var key = entry.getKey().getBytes(StandardCharsets.UTF_8);
      if (name.matches(key, 0, key.length)) {
        switch (entry.getValue()) {
          case Long number -> into.setWhole(ValueType.LONG, number);
          case Boolean truth -> into.setBoolean(truth);
          default -> into.setText(entry.getValue().toString());
        }
        return;
      }
    }
  }

  @Override
  public byte[] overlay(PropertyChanges more) {
    var all = new TreeMap<String, @Nullable Object>(changes);
    for (var i = 0; i < more.count(); i++) {
      all.put(spelled(more.name(i)), plain(more.value(i)));
    }
    return PropertyText.bytes(all);
  }

  /** A key of the message keeps its spelling. */
  private String spelled(PropertyName name) {
    for (var key : message.properties().keySet()) {
      if (key.equalsIgnoreCase(name.text())) {
        return key;
      }
    }
    return name.text();
  }

  private static @Nullable Object plain(FilterValue value) {
    return switch (value.type()) {
      case MISSING -> null;
      case BOOLEAN -> value.truth();
      case TEXT -> value.text();
      default -> value.whole();
    };
  }

  @Override
  public int headBytes() {
    return PropertyText.bytes(changes).length;
  }

  @Override
  public boolean isChanged() {
    return !changes.isEmpty();
  }

  @Override
  public void messageIdHash(boolean withKey, long[] to, int at) {
    hash(message.messageId(), to, at);
  }

  /** The two numbers that stand for a message id; both 0 without one. */
  static void hash(@Nullable String messageId, long[] to, int at) {
    if (messageId == null) {
      return;
    }
    var hash = 0xcbf29ce484222325L;
    for (var i = 0; i < messageId.length(); i++) {
      hash = (hash ^ messageId.charAt(i)) * 0x100000001b3L;
    }
    to[at] = hash;
    to[at + 1] = hash * 31 + messageId.length() + 1;
  }
}
