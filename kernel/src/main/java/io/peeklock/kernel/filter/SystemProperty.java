package io.peeklock.kernel.filter;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A property of the message itself, {@code sys.} in SQL (S-345). Names ignore case. */
public enum SystemProperty {
  MESSAGE_ID(ValueType.TEXT, 128, "MessageId"),
  CORRELATION_ID(ValueType.TEXT, 0, "CorrelationId"),
  TO(ValueType.TEXT, 0, "To"),
  REPLY_TO(ValueType.TEXT, 0, "ReplyTo"),
  /** Called Label by the wire, old clients and most filters, Subject by new clients. */
  LABEL(ValueType.TEXT, 0, "Label", "Subject"),
  SESSION_ID(ValueType.TEXT, 128, "SessionId"),
  REPLY_TO_SESSION_ID(ValueType.TEXT, 128, "ReplyToSessionId"),
  CONTENT_TYPE(ValueType.TEXT, 0, "ContentType"),
  PARTITION_KEY(ValueType.TEXT, 128, "PartitionKey"),
  VIA_PARTITION_KEY(ValueType.TEXT, 128, "ViaPartitionKey", "TransactionPartitionKey"),
  TIME_TO_LIVE(ValueType.DURATION, 0, "TimeToLive"),
  SCHEDULED_ENQUEUE_TIME(ValueType.TIMESTAMP, 0, "ScheduledEnqueueTimeUtc", "ScheduledEnqueueTime"),
  ENQUEUED_TIME("EnqueuedTimeUtc", "EnqueuedTime"),
  EXPIRES_AT("ExpiresAtUtc", "ExpiresAt"),
  SEQUENCE_NUMBER("SequenceNumber"),
  ENQUEUED_SEQUENCE_NUMBER("EnqueuedSequenceNumber"),
  DELIVERY_COUNT("DeliveryCount"),
  SIZE("Size"),
  STATE("State"),
  LOCKED_UNTIL("LockedUntilUtc", "LockedUntil"),
  LOCK_TOKEN("LockToken"),
  DEAD_LETTER_SOURCE("DeadLetterSource");

  private static final SystemProperty[] ALL = values();
  private static final Map<String, SystemProperty> BY_NAME = byName();

  private final @Nullable ValueType settable;
  private final int maxCharacters;
  private final String name;
  private final String alias;

  /** A property that the broker sets, and no action changes. */
  SystemProperty(String... names) {
    this(null, 0, names);
  }

  SystemProperty(@Nullable ValueType settable, int maxCharacters, String... names) {
    this.settable = settable;
    this.maxCharacters = maxCharacters;
    this.name = names[0];
    this.alias = names[names.length - 1];
  }

  private static Map<String, SystemProperty> byName() {
    var map = new TreeMap<String, SystemProperty>();
    for (SystemProperty property : ALL) {
      map.put(property.name.toLowerCase(Locale.ROOT), property);
      map.put(property.alias.toLowerCase(Locale.ROOT), property);
    }
    return map;
  }

  /** A small index, valid for one run of the program only. */
  @SuppressWarnings("EnumOrdinal") // an index into an array that is made of the same enum
  int index() {
    return ordinal();
  }

  static SystemProperty at(int index) {
    return ALL[index];
  }

  static int count() {
    return ALL.length;
  }

  /** The property of that name, which may be unknown. */
  public static @Nullable SystemProperty named(String name) {
    return BY_NAME.get(name.toLowerCase(Locale.ROOT));
  }

  /** Its name in SQL, without the scope. */
  public String sqlName() {
    return name;
  }

  /** The type an action may give it, null when an action may not change it. */
  @Nullable ValueType settable() {
    return settable;
  }

  /** The most characters that an action may give it, 0 for no limit of its own. */
  int maxCharacters() {
    return maxCharacters;
  }
}
