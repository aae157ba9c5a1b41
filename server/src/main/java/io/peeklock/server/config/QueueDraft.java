package io.peeklock.server.config;

import io.peeklock.kernel.EntityStatus;
import io.peeklock.kernel.QueueDefinition;
import io.peeklock.kernel.QueueRole;
import io.peeklock.runtime.naming.IsoDuration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A queue whose properties are being set, one by one, within the bounds of a profile. */
final class QueueDraft {
  /** The longest comment that the vendor takes. */
  private static final int MOST_METADATA_CHARS = 1_024;

  private static final String USER_METADATA = "UserMetadata";

  private final Profile profile;
  private final EntityKind kind;
  private final String name;
  private final String path;
  private long lockDurationMillis;
  private int maxDeliveryCount;
  private long defaultTimeToLiveMillis;
  private boolean deadLetteringOnExpiration;
  private long maxMessageBytes;
  private long maxSizeBytes;
  private boolean requiresSession;
  private boolean filteringBeforePublishing;
  private boolean deadLetteringOnFilterErrors = true;
  private boolean detectsDuplicates;
  private long duplicateWindowMillis;
  private @Nullable String forwardTo;
  private @Nullable String forwardDeadLettersTo;
  private EntityStatus status = EntityStatus.ACTIVE;
  private long autoDeleteOnIdleMillis = QueueDefinition.FOREVER;
  private boolean partitioned;
  private String userMetadata = "";

  QueueDraft(Profile profile, EntityKind kind, String name) {
    var defaults = profile.queue(EntityPath.checked(kind, name));
    this.profile = profile;
    this.kind = kind;
    this.name = name.strip();
    this.path = defaults.path();
    this.lockDurationMillis = defaults.lockDurationMillis();
    this.maxDeliveryCount = defaults.maxDeliveryCount();
    this.defaultTimeToLiveMillis = defaults.defaultTimeToLiveMillis();
    this.deadLetteringOnExpiration = defaults.deadLetteringOnExpiration();
    this.maxMessageBytes = defaults.maxMessageBytes();
    this.maxSizeBytes = defaults.maxSizeBytes();
    this.duplicateWindowMillis = profile.limits().times().defaultWindow();
  }

  QueueDefinition done() {
    return new QueueDefinition(
            path,
            lockDurationMillis,
            maxDeliveryCount,
            defaultTimeToLiveMillis,
            deadLetteringOnExpiration,
            maxMessageBytes,
            maxSizeBytes)
        .with()
        .requiresSession(requiresSession)
        .forwardTo(forwardTo)
        .forwardDeadLettersTo(forwardDeadLettersTo)
        .duplicateWindowMillis(detectsDuplicates ? duplicateWindowMillis : 0)
        .status(status)
        .autoDeleteOnIdleMillis(autoDeleteOnIdleMillis)
        .partitioned(partitioned)
        .attributes(userMetadata.isEmpty() ? Map.of() : Map.of(USER_METADATA, userMetadata))
        .role(role())
        .done();
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
    } catch (IllegalArgumentException wrong) {
      throw new ConfigurationException(
          kind.word() + " " + this.name + ", " + property.name() + ": " + wrong.getMessage());
    }
  }

  void lockDuration(String value) {
    var millis = IsoDuration.millis(value);
    var shortest = profile.limits().times().shortestLock();
    if (millis < shortest || millis > QueueDefinition.MAX_LOCK_MILLIS) {
      throw new IllegalArgumentException(
          value
              + " is out of range; the profile "
              + profile.word()
              + " takes PT"
              + shortest / 1_000
              + "S to PT5M");
    }
    lockDurationMillis = millis;
  }

  void maxDeliveryCount(String value) {
    maxDeliveryCount = (int) number(value, 1, profile.limits().times().mostDeliveries());
  }

  void defaultTimeToLive(String value) {
    var millis = IsoDuration.millis(value);
    var times = profile.limits().times();
    if (millis < times.shortestLife()) {
      throw new IllegalArgumentException(
          value + " is shorter than " + seconds(times.shortestLife()));
    }
    if (millis > times.longestLife()) {
      throw new IllegalArgumentException(
          value
              + " is longer than the profile "
              + profile.word()
              + " takes, which is "
              + seconds(times.longestLife()));
    }
    defaultTimeToLiveMillis = millis;
  }

  private static String seconds(long millis) {
    return millis == 1_000 ? "one second" : millis / 1_000 + " seconds";
  }

  void deadLetteringOnExpiration(String value) {
    deadLetteringOnExpiration = truth(value);
  }

  void maxMessageKilobytes(String value) {
    maxMessageBytes = number(value, 1, profile.limits().sizes().largestMessage() >> 10) << 10;
  }

  void maxSizeMegabytes(String value) {
    maxSizeBytes = number(value, 1, profile.limits().sizes().largestEntity() >> 20) << 20;
  }

  void filteringBeforePublishing(String value) {
    filteringBeforePublishing = truth(value);
  }

  void deadLetteringOnFilterErrors(String value) {
    deadLetteringOnFilterErrors = truth(value);
  }

  void forwardTo(String value) {
    forwardTo = destination(value);
    if (path.equalsIgnoreCase(forwardTo)) {
      throw new IllegalArgumentException("an entity cannot forward to itself");
    }
  }

  void forwardDeadLettersTo(String value) {
    forwardDeadLettersTo = destination(value);
  }

  /** Nothing for an empty name, as others write down that there is none. */
  private static @Nullable String destination(String value) {
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
        status = each;
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

  void autoDeleteOnIdle(String value) {
    var millis = IsoDuration.millis(value);
    if (millis < QueueDefinition.MIN_IDLE_MILLIS) {
      throw new IllegalArgumentException(value + " is out of range; from PT5M is taken");
    }
    autoDeleteOnIdleMillis = millis;
  }

  void enablePartitioning(String value) {
    partitioned = truth(value);
  }

  void userMetadata(String value) {
    if (value.length() > MOST_METADATA_CHARS) {
      throw new IllegalArgumentException(
          value.length() + " characters; at most " + MOST_METADATA_CHARS + " are taken");
    }
    userMetadata = value;
  }

  void requiresSession(String value) {
    requiresSession = truth(value);
  }

  void requiresDuplicateDetection(String value) {
    detectsDuplicates = truth(value);
  }

  void duplicateDetectionHistoryTimeWindow(String value) {
    var millis = IsoDuration.millis(value);
    var most = profile.limits().times().longestWindow();
    if (millis < QueueDefinition.MIN_WINDOW_MILLIS || millis > most) {
      throw new IllegalArgumentException(
          value
              + " is out of range; PT20S to "
              + (most == QueueDefinition.MAX_WINDOW_MILLIS ? "P7D" : "PT5M")
              + " is taken");
    }
    duplicateWindowMillis = millis;
  }

  /** A property that exists in Service Bus, and here only with the value that changes nothing. */
  static void onlyFalse(String value) {
    if (truth(value)) {
      throw new IllegalArgumentException("this is not supported yet; only false is taken");
    }
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
