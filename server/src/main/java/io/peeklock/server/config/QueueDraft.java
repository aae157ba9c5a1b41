package io.peeklock.server.config;

import io.peeklock.kernel.entity.EntityKind;
import io.peeklock.kernel.entity.EntityProperties;
import io.peeklock.kernel.entity.EntityProperty;
import io.peeklock.kernel.entity.EntityStatus;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueDefinitionBuilder;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.runtime.naming.IsoDuration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A queue whose properties are being set, one by one, within the bounds of a profile. */
final class QueueDraft {
  /** The longest comment that the vendor takes. */
  private static final int MOST_METADATA_CHARS = 1_024;

  private static final String USER_METADATA = "UserMetadata";
  private static final String ENABLE_EXPRESS = "EnableExpress";

  private final Profile profile;
  private final EntityKind kind;
  private final String name;
  private final String path;
  private final QueueDefinitionBuilder builder;
  private boolean filteringBeforePublishing;
  private boolean deadLetteringOnFilterErrors = true;
  private boolean detectsDuplicates;
  private long duplicateWindowMillis;
  private final Map<String, String> attributes = new HashMap<>();
  private final Set<String> said = new HashSet<>();

  QueueDraft(Profile profile, EntityKind kind, String name) {
    this.profile = profile;
    this.kind = kind;
    this.name = name.strip();
    this.path = EntityPath.checked(kind, name);
    this.builder = profile.queue(path).with();
    this.duplicateWindowMillis = profile.limits().times().defaultWindow();
  }

  QueueDefinition build() {
    return builder
        .duplicateWindowMillis(detectsDuplicates ? duplicateWindowMillis : 0)
        .attributes(attributes)
        .role(role())
        .build();
  }

  private QueueRole role() {
    return switch (kind) {
      case QUEUE -> QueueRole.QUEUE;
      case TOPIC -> new QueueRole.Topic(filteringBeforePublishing);
      case SUBSCRIPTION ->
          new QueueRole.Subscription(EntityPath.topicOf(name), deadLetteringOnFilterErrors);
    };
  }

  /**
   * Sets one property.
   *
   * @throws ConfigurationException naming the entity, the property and what is wrong
   */
  void set(String name, String value) {
    var property = QueueProperty.named(kind, name, this.name);
    try {
      property.setter().set(this, value.strip());
      said.add(property.name());
    } catch (IllegalArgumentException wrong) {
      throw new ConfigurationException(
          kind.word() + " " + this.name + ", " + property.name() + ": " + wrong.getMessage());
    }
  }

  /** Names of the properties that were set. */
  Set<String> said() {
    return said;
  }

  <T extends @Nullable Object> void put(EntityProperty<T> property, T value) {
    property.setter().accept(builder, value);
  }

  /** What this profile lets a property be. */
  private EntityProperty.Range range(EntityProperty<?> property, EntityProperty.Range own) {
    return profile.limits().ranges().getOrDefault(property, own);
  }

  void duration(EntityProperty.Duration property, String value) {
    put(property, millisIn(range(property, property.range()), value));
  }

  private static long millisIn(EntityProperty.Range range, String value) {
    var millis = IsoDuration.millis(value);
    if (range.contains(millis)) {
      return millis;
    }
    var least = IsoDuration.text(range.least());
    throw new IllegalArgumentException(
        value
            + " is out of range; "
            + (range.most() == QueueDefinition.FOREVER
                ? "from " + least
                : least + " to " + IsoDuration.text(range.most()))
            + " is taken");
  }

  void size(EntityProperty.Size property, String value) {
    put(property, numberIn(range(property, property.range()), value));
  }

  void count(EntityProperty.Count property, String value) {
    put(property, Math.toIntExact(numberIn(range(property, property.range()), value)));
  }

  private static long numberIn(EntityProperty.Range range, String value) {
    return number(value, range.least(), range.most());
  }

  void lockDuration(String value) {
    var millis = IsoDuration.millis(value);
    var range = range(EntityProperties.LOCK_DURATION, EntityProperties.LOCK_DURATION.range());
    if (!range.contains(millis)) {
      throw new IllegalArgumentException(
          value
              + " is out of range; the profile "
              + profile.word()
              + " takes PT"
              + range.least() / 1_000
              + "S to PT5M");
    }
    builder.lockDurationMillis(millis);
  }

  void defaultTimeToLive(String value) {
    var millis = IsoDuration.millis(value);
    var range = range(EntityProperties.TIME_TO_LIVE, EntityProperties.TIME_TO_LIVE.range());
    if (millis < range.least()) {
      throw new IllegalArgumentException(value + " is shorter than " + seconds(range.least()));
    }
    if (millis > range.most()) {
      throw new IllegalArgumentException(
          value
              + " is longer than the profile "
              + profile.word()
              + " takes, which is "
              + seconds(range.most()));
    }
    builder.defaultTimeToLiveMillis(millis);
  }

  private static String seconds(long millis) {
    return millis == 1_000 ? "one second" : millis / 1_000 + " seconds";
  }

  void maxMessageKilobytes(String value) {
    var property = EntityProperties.MAX_MESSAGE_SIZE;
    var range = range(property, property.range());
    builder.maxMessageBytes(
        number(value, Math.max(1, range.least() >> 10), range.most() >> 10) << 10);
  }

  void maxSizeMegabytes(String value) {
    var property = EntityProperties.MAX_SIZE;
    builder.maxSizeBytes(number(value, 1, range(property, property.range()).most() >> 20) << 20);
  }

  void filteringBeforePublishing(String value) {
    filteringBeforePublishing = truth(value);
  }

  void deadLetteringOnFilterErrors(String value) {
    deadLetteringOnFilterErrors = truth(value);
  }

  void forwardTo(String value) {
    var forwardTo = destination(value);
    if (path.equalsIgnoreCase(forwardTo)) {
      throw new IllegalArgumentException("an entity cannot forward to itself");
    }
    builder.forwardTo(forwardTo);
  }

  /** Nothing for an empty name, as others write down that there is none. */
  static @Nullable String destination(String value) {
    try {
      return value.isEmpty() ? null : EntityPath.checked(EntityKind.QUEUE, value);
    } catch (ConfigurationException wrong) {
      throw new IllegalArgumentException(wrong.getMessage(), wrong);
    }
  }

  /** S-425, S-426: a topic cannot be received from, a subscription not be sent to. */
  void status(String value) {
    for (var each : EntityStatus.values()) {
      if (statusWord(each).equalsIgnoreCase(value) && suits(each)) {
        builder.status(each);
        return;
      }
    }
    var known =
        Arrays.stream(EntityStatus.values())
            .filter(this::suits)
            .map(QueueDraft::statusWord)
            .collect(Collectors.joining(", "));
    throw new IllegalArgumentException("\"" + value + "\" cannot be set; there are " + known);
  }

  private boolean suits(EntityStatus each) {
    return switch (each) {
      case ACTIVE, DISABLED -> true;
      case SEND_DISABLED -> kind != EntityKind.SUBSCRIPTION;
      case RECEIVE_DISABLED -> kind != EntityKind.TOPIC;
    };
  }

  private static String statusWord(EntityStatus each) {
    return switch (each) {
      case ACTIVE -> "Active";
      case DISABLED -> "Disabled";
      case SEND_DISABLED -> "SendDisabled";
      case RECEIVE_DISABLED -> "ReceiveDisabled";
    };
  }

  void userMetadata(String value) {
    if (value.length() > MOST_METADATA_CHARS) {
      throw new IllegalArgumentException(
          value.length() + " characters; at most " + MOST_METADATA_CHARS + " are taken");
    }
    if (!value.isEmpty()) {
      attributes.put(USER_METADATA, value);
    }
  }

  void requiresDuplicateDetection(String value) {
    detectsDuplicates = truth(value);
  }

  void duplicateWindow(String value) {
    var property = EntityProperties.DUPLICATE_WINDOW;
    duplicateWindowMillis = millisIn(range(property, property.range()), value);
  }

  /** Kept and shown; what is accepted is stored before, whatever it says. */
  void express(String value) {
    attributes.put(ENABLE_EXPRESS, Boolean.toString(truth(value)));
  }

  static boolean truth(String value) {
    if (value.equalsIgnoreCase("true")) {
      return true;
    }
    if (value.equalsIgnoreCase("false")) {
      return false;
    }
    throw new IllegalArgumentException("\"" + value + "\" is neither true nor false");
  }

  static long number(String value, long least, long most) {
    try {
      var number = Long.parseLong(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException notOne) {
      throw new IllegalArgumentException("\"" + value + "\" is not a whole number", notOne);
    }
    throw new IllegalArgumentException(
        value + " is out of range; from " + least + " to " + most + " is taken");
  }
}
