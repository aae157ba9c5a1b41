package io.peeklock.server;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.refusal.Refusal;

/** Why an entity of the configuration is not as it should be, in words for operators. */
final class EntityRefusals {
  private EntityRefusals() {}

  /** Such as "queue orders". */
  static String named(QueueDefinition entity) {
    var kind =
        switch (entity.role()) {
          case QueueRole.Queue queue -> "queue ";
          case QueueRole.Topic topic -> "topic ";
          case QueueRole.Subscription subscription -> "subscription ";
          case QueueRole.Transfers transfers -> "transfers ";
        };
    return kind + entity.path();
  }

  /** Says what cannot be, and the ways out. */
  static String fixed(QueueDefinition is, String property) {
    return named(is)
        + " exists, and "
        + property
        + " cannot be changed; delete it first, name another data folder, or keep nothing with"
        + " --in-memory";
  }

  /** Why it could not be made. */
  static String reason(QueueDefinition asked, Refusal refusal) {
    var name = named(asked);
    if (refusal instanceof Refusal.EntityNotFound
        && asked.role() instanceof QueueRole.Subscription subscription) {
      return name + ": there is no topic " + subscription.topicPath();
    }
    if (refusal instanceof Refusal.ForwardDestinationNotFound missing) {
      return name + ": there is no queue and no topic " + missing.path() + " to forward to";
    }
    if (refusal instanceof Refusal.PropertyFixed fixed) {
      return fixed(asked, fixed.property());
    }
    if (refusal instanceof Refusal.TooMany many) {
      return name
          + " cannot be made: at most "
          + many.most()
          + " "
          + many.what()
          + " are allowed, by the profile or by the memory that there is";
    }
    if (refusal instanceof Refusal.FeatureNotAvailable not) {
      return name + " cannot be made: the profile has no " + not.feature();
    }
    if (refusal instanceof Refusal.StoreFull) {
      return name
          + " cannot be made: the store is full. Make room on the disk of the data folder, or set a"
          + " smaller --disk-reserve-megabytes; in memory, a larger --memory-megabytes. Where messages"
          + " take all that they may of the heap, start without it and receive some, or give the broker"
          + " more memory";
    }
    return name + " cannot be made: the broker refused with " + refusal.getClass().getSimpleName();
  }
}
