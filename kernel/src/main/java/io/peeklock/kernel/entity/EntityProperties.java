package io.peeklock.kernel.entity;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The table of all properties of entities. The layout in the log, the hash of the state, the
 * comparison of definitions, the check of fixed properties, HTTP and the configuration all loop
 * over it. A new property is a component of {@link QueueDefinition} and a line at the end of {@link
 * #ALL}, with the version of the layout that it came with; an edge needs code of its own only for a
 * property that it writes differently.
 */
public final class EntityProperties {

  /** The name; two definitions that differ in its case alone are equal. */
  public static final EntityProperty.Path PATH =
      new EntityProperty.Path(
          fixed("Path", EntityKind.ALL), QueueDefinition::path, QueueDefinitionBuilder::path);

  /** How long a lock lasts (S-047). */
  public static final EntityProperty.Duration LOCK_DURATION =
      new EntityProperty.Duration(
          free("LockDuration", EntityKind.RECEIVED_FROM),
          new EntityProperty.Range(
              QueueDefinition.MIN_LOCK_MILLIS, QueueDefinition.MAX_LOCK_MILLIS),
          QueueDefinition::lockDurationMillis,
          QueueDefinitionBuilder::lockDurationMillis);

  /** After how many failed attempts a message is dead-lettered (S-029). */
  public static final EntityProperty.Count MAX_DELIVERY_COUNT =
      new EntityProperty.Count(
          free("MaxDeliveryCount", EntityKind.RECEIVED_FROM),
          new EntityProperty.Range(1, Integer.MAX_VALUE),
          QueueDefinition::maxDeliveryCount,
          QueueDefinitionBuilder::maxDeliveryCount);

  /** How long messages live at most (S-164). */
  public static final EntityProperty.Duration TIME_TO_LIVE =
      new EntityProperty.Duration(
          free("DefaultMessageTimeToLive", EntityKind.ALL),
          new EntityProperty.Range(1_000, QueueDefinition.FOREVER),
          QueueDefinition::defaultTimeToLiveMillis,
          QueueDefinitionBuilder::defaultTimeToLiveMillis);

  /** Whether what expires is dead-lettered (S-168). */
  public static final EntityProperty.Flag DEAD_LETTERING =
      new EntityProperty.Flag(
          free("DeadLetteringOnMessageExpiration", EntityKind.RECEIVED_FROM),
          QueueDefinition::deadLetteringOnExpiration,
          QueueDefinitionBuilder::deadLetteringOnExpiration);

  /** The largest message (S-431). */
  public static final EntityProperty.Size MAX_MESSAGE_SIZE =
      new EntityProperty.Size(
          free("MaxMessageSize", EntityKind.SENT_TO),
          new EntityProperty.Range(1, QueueDefinition.FOREVER),
          QueueDefinition::maxMessageBytes,
          QueueDefinitionBuilder::maxMessageBytes);

  /** The most that it may hold (S-435). */
  public static final EntityProperty.Size MAX_SIZE =
      new EntityProperty.Size(
          free("MaxSize", EntityKind.SENT_TO),
          new EntityProperty.Range(1, QueueDefinition.FOREVER),
          QueueDefinition::maxSizeBytes,
          QueueDefinitionBuilder::maxSizeBytes);

  /** Whether messages belong to sessions (S-231). */
  public static final EntityProperty.Flag REQUIRES_SESSION =
      new EntityProperty.Flag(
          fixed("RequiresSession", EntityKind.RECEIVED_FROM),
          QueueDefinition::requiresSession,
          QueueDefinitionBuilder::requiresSession);

  /** How long message ids are remembered (S-268); 0 for not at all. Whether it is 0 is fixed. */
  public static final EntityProperty.Duration DUPLICATE_WINDOW =
      new EntityProperty.Duration(
          free("DuplicateDetectionHistoryTimeWindow", EntityKind.SENT_TO),
          new EntityProperty.Range(
              QueueDefinition.MIN_WINDOW_MILLIS, QueueDefinition.MAX_WINDOW_MILLIS),
          QueueDefinition::duplicateWindowMillis,
          QueueDefinitionBuilder::duplicateWindowMillis);

  /** What clients may do with it (S-421). */
  public static final EntityProperty.Status STATUS =
      new EntityProperty.Status(
          free("Status", EntityKind.ALL), QueueDefinition::status, QueueDefinitionBuilder::status);

  /** Where its messages move on to (S-285). */
  public static final EntityProperty.Destination FORWARD_TO =
      new EntityProperty.Destination(
          free("ForwardTo", EntityKind.RECEIVED_FROM),
          QueueDefinition::forwardTo,
          QueueDefinitionBuilder::forwardTo);

  /** Where its dead letters move on to (S-197). */
  public static final EntityProperty.Destination FORWARD_DEAD_LETTERS_TO =
      new EntityProperty.Destination(
          free("ForwardDeadLetteredMessagesTo", EntityKind.RECEIVED_FROM),
          QueueDefinition::forwardDeadLettersTo,
          QueueDefinitionBuilder::forwardDeadLettersTo);

  /** After how long without use it is deleted (S-307). */
  public static final EntityProperty.Duration AUTO_DELETE =
      new EntityProperty.Duration(
          free("AutoDeleteOnIdle", EntityKind.ALL),
          new EntityProperty.Range(QueueDefinition.MIN_IDLE_MILLIS, QueueDefinition.FOREVER),
          QueueDefinition::autoDeleteOnIdleMillis,
          QueueDefinitionBuilder::autoDeleteOnIdleMillis);

  /** Whether the rules about partition keys hold (S-369). */
  public static final EntityProperty.Flag PARTITIONING =
      new EntityProperty.Flag(
          fixed("EnablePartitioning", EntityKind.SENT_TO),
          QueueDefinition::partitioned,
          QueueDefinitionBuilder::partitioned);

  /** What edges keep; a request to create an existing entity need not repeat it. */
  public static final EntityProperty.Attributes ATTRIBUTES =
      new EntityProperty.Attributes(
          free("attributes", EntityKind.ALL),
          QueueDefinition::attributes,
          QueueDefinitionBuilder::attributes);

  /**
   * The kind of entity, with the properties of that kind alone. The properties may change, the kind
   * may not.
   */
  public static final EntityProperty.Role ROLE =
      new EntityProperty.Role(
          free("its kind", EntityKind.ALL), QueueDefinition::role, QueueDefinitionBuilder::role);

  /** All properties, in the order of the log, which never changes. */
  public static final List<EntityProperty<?>> ALL =
      List.of(
          PATH,
          LOCK_DURATION,
          MAX_DELIVERY_COUNT,
          TIME_TO_LIVE,
          DEAD_LETTERING,
          MAX_MESSAGE_SIZE,
          MAX_SIZE,
          REQUIRES_SESSION,
          DUPLICATE_WINDOW,
          STATUS,
          FORWARD_TO,
          FORWARD_DEAD_LETTERS_TO,
          AUTO_DELETE,
          PARTITIONING,
          ATTRIBUTES,
          ROLE);

  private EntityProperties() {}

  /** The newest version of the layout that these properties have in the log. */
  public static int version(List<EntityProperty<?>> properties) {
    return properties.stream().mapToInt(property -> property.traits().since()).max().orElseThrow();
  }

  private static EntityProperty.Traits free(String name, Set<EntityKind> kinds) {
    return new EntityProperty.Traits(name, kinds, false, 1);
  }

  private static EntityProperty.Traits fixed(String name, Set<EntityKind> kinds) {
    return new EntityProperty.Traits(name, kinds, true, 1);
  }

  /**
   * The first fixed property that an update would change (S-067). The path is not compared, as it
   * names the entity to update.
   *
   * @return its name; null when the update may be
   */
  public static @Nullable String fixedThatDiffers(QueueDefinition is, QueueDefinition wanted) {
    if (!isOfOneKind(is.role(), wanted.role())) {
      return ROLE.name();
    }
    for (EntityProperty<?> property : ALL) {
      if (property.equals(DUPLICATE_WINDOW)) {
        if ((is.duplicateWindowMillis() == 0) != (wanted.duplicateWindowMillis() == 0)) {
          return "RequiresDuplicateDetection";
        }
      } else if (property.traits().fixed()
          && !property.equals(PATH)
          && !property.value(is).equals(property.value(wanted))) {
        return property.name();
      }
    }
    return null;
  }

  private static boolean isOfOneKind(QueueRole is, QueueRole wanted) {
    return (is instanceof QueueRole.Subscription one
            && wanted instanceof QueueRole.Subscription other)
        ? one.topicPath().equalsIgnoreCase(other.topicPath())
        : is.getClass() == wanted.getClass();
  }
}
