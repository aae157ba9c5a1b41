package io.peeklock.kernel.entity;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A {@link QueueDefinition} while it is being changed; its components say what the values are. */
public final class QueueDefinitionBuilder {
  private String path;
  private long lockDurationMillis;
  private int maxDeliveryCount;
  private long defaultTimeToLiveMillis;
  private boolean deadLetteringOnExpiration;
  private long maxMessageBytes;
  private long maxSizeBytes;
  private boolean requiresSession;
  private long duplicateWindowMillis;
  private EntityStatus status;
  private @Nullable String forwardTo;
  private @Nullable String forwardDeadLettersTo;
  private long autoDeleteOnIdleMillis;
  private boolean partitioned;
  private Map<String, String> attributes;
  private QueueRole role;

  QueueDefinitionBuilder(QueueDefinition like) {
    path = like.path();
    lockDurationMillis = like.lockDurationMillis();
    maxDeliveryCount = like.maxDeliveryCount();
    defaultTimeToLiveMillis = like.defaultTimeToLiveMillis();
    deadLetteringOnExpiration = like.deadLetteringOnExpiration();
    maxMessageBytes = like.maxMessageBytes();
    maxSizeBytes = like.maxSizeBytes();
    requiresSession = like.requiresSession();
    duplicateWindowMillis = like.duplicateWindowMillis();
    status = like.status();
    forwardTo = like.forwardTo();
    forwardDeadLettersTo = like.forwardDeadLettersTo();
    autoDeleteOnIdleMillis = like.autoDeleteOnIdleMillis();
    partitioned = like.partitioned();
    attributes = like.attributes();
    role = like.role();
  }

  /** Sets {@link QueueDefinition#path}. */
  public QueueDefinitionBuilder path(String value) {
    path = value;
    return this;
  }

  /** Sets {@link QueueDefinition#lockDurationMillis}. */
  public QueueDefinitionBuilder lockDurationMillis(long value) {
    lockDurationMillis = value;
    return this;
  }

  /** Sets {@link QueueDefinition#maxDeliveryCount}. */
  public QueueDefinitionBuilder maxDeliveryCount(int value) {
    maxDeliveryCount = value;
    return this;
  }

  /** Sets {@link QueueDefinition#defaultTimeToLiveMillis}. */
  public QueueDefinitionBuilder defaultTimeToLiveMillis(long value) {
    defaultTimeToLiveMillis = value;
    return this;
  }

  /** Sets {@link QueueDefinition#deadLetteringOnExpiration}. */
  public QueueDefinitionBuilder deadLetteringOnExpiration(boolean value) {
    deadLetteringOnExpiration = value;
    return this;
  }

  /** Sets {@link QueueDefinition#maxMessageBytes}. */
  public QueueDefinitionBuilder maxMessageBytes(long value) {
    maxMessageBytes = value;
    return this;
  }

  /** Sets {@link QueueDefinition#maxSizeBytes}. */
  public QueueDefinitionBuilder maxSizeBytes(long value) {
    maxSizeBytes = value;
    return this;
  }

  /** Sets {@link QueueDefinition#requiresSession}. */
  public QueueDefinitionBuilder requiresSession(boolean value) {
    requiresSession = value;
    return this;
  }

  /** Sets {@link QueueDefinition#duplicateWindowMillis}. */
  public QueueDefinitionBuilder duplicateWindowMillis(long value) {
    duplicateWindowMillis = value;
    return this;
  }

  /** Sets {@link QueueDefinition#status}. */
  public QueueDefinitionBuilder status(EntityStatus value) {
    status = value;
    return this;
  }

  /** Sets {@link QueueDefinition#forwardTo}. */
  public QueueDefinitionBuilder forwardTo(@Nullable String value) {
    forwardTo = value;
    return this;
  }

  /** Sets {@link QueueDefinition#forwardDeadLettersTo}. */
  public QueueDefinitionBuilder forwardDeadLettersTo(@Nullable String value) {
    forwardDeadLettersTo = value;
    return this;
  }

  /** Sets {@link QueueDefinition#autoDeleteOnIdleMillis}. */
  public QueueDefinitionBuilder autoDeleteOnIdleMillis(long value) {
    autoDeleteOnIdleMillis = value;
    return this;
  }

  /** Sets {@link QueueDefinition#partitioned}. */
  public QueueDefinitionBuilder partitioned(boolean value) {
    partitioned = value;
    return this;
  }

  /** Sets {@link QueueDefinition#attributes}. */
  public QueueDefinitionBuilder attributes(Map<String, String> value) {
    attributes = value;
    return this;
  }

  /** Sets {@link QueueDefinition#role}. */
  public QueueDefinitionBuilder role(QueueRole value) {
    role = value;
    return this;
  }

  /**
   * The definition.
   *
   * @throws IllegalArgumentException naming a value that is outside of its range
   */
  public QueueDefinition build() {
    return new QueueDefinition(
        path,
        lockDurationMillis,
        maxDeliveryCount,
        defaultTimeToLiveMillis,
        deadLetteringOnExpiration,
        maxMessageBytes,
        maxSizeBytes,
        requiresSession,
        duplicateWindowMillis,
        status,
        forwardTo,
        forwardDeadLettersTo,
        autoDeleteOnIdleMillis,
        partitioned,
        attributes,
        role);
  }
}
