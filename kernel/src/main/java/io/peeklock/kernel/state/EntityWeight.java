package io.peeklock.kernel.state;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An upper bound of the heap that an empty entity with its dead-letter queue takes: in the machine,
 * in the catalogue that edges read, and in what they parse from its texts.
 */
public final class EntityWeight {

  /** A queue without anything: 2,800 as measured in a broker with 4,000 of them. */
  static final int QUEUE = 3_072;

  /** Its sessions: 1,050 as measured. */
  static final int SESSIONS = 1_280;

  /** The additional bytes of a topic: 1,420 as measured. */
  static final int TOPIC = 1_664;

  /** The additional bytes of a subscription, without its rules. */
  static final int SUBSCRIPTION = 512;

  /** The empty tables of remembered ids; the ids are counted as they come. */
  static final int WINDOW = 4_352;

  /** A string without its characters, which may take two bytes each. */
  private static final int STRING = 48;

  /** An attribute without its texts. */
  private static final int ATTRIBUTE = 64;

  /** How many lower-case copies exist of a path that is not in lower case. */
  private static final int LOWER_CASE_COPIES = 4;

  /**
   * Edges split an attribute at tabs and parse each part. The six of an authorization rule become a
   * policy with two keys, found by either: 700 as measured.
   */
  private static final int PART = 144;

  private EntityWeight() {}

  /** Bytes that an entity of this definition takes at most. */
  public static long of(QueueDefinition definition) {
    String path = definition.path();
    boolean isLowerCase = path.toLowerCase(Locale.ROOT).equals(path);
    long bytes = QUEUE + text(path) * (isLowerCase ? 1 : 1 + LOWER_CASE_COPIES);
    bytes += text(definition.forwardTo()) + text(definition.forwardDeadLettersTo());
    bytes += definition.requiresSession() ? SESSIONS : 0;
    bytes += definition.duplicateWindowMillis() > 0 ? WINDOW : 0;
    for (Map.Entry<String, String> attribute : definition.attributes().entrySet()) {
      bytes += ATTRIBUTE + text(attribute.getKey()) + ofAttribute(attribute.getValue());
    }
    return bytes + of(definition.role());
  }

  private static long of(QueueRole role) {
    return switch (role) {
      case QueueRole.Queue queue -> 0;
      case QueueRole.Topic topic -> TOPIC;
      case QueueRole.Subscription subscription -> SUBSCRIPTION + text(subscription.topicPath());
      case QueueRole.Transfers transfers -> text(transfers.entityPath());
    };
  }

  private static long text(@Nullable String text) {
    return text == null ? 0 : STRING + 2L * text.length();
  }

  private static long ofAttribute(String value) {
    long tabs = value.chars().filter(character -> character == '\t').count();
    return text(value) + (tabs == 0 ? 0 : 2L * value.length() + PART * (tabs + 1));
  }
}
