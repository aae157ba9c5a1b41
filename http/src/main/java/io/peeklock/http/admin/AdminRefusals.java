package io.peeklock.http.admin;

import io.peeklock.http.admin.atom.Problem;
import io.peeklock.http.admin.properties.Property;
import io.peeklock.kernel.Refusal;

/** The one table from refusals of the kernel to those of HTTP (admin-http.md 12.2). */
final class AdminRefusals {
  private AdminRefusals() {}

  static Problem of(Refusal refusal, AdminRequest asked) {
    return switch (refusal) {
      case Refusal.EntityNotFound gone -> notFound(asked);
      case Refusal.RuleNotFound gone -> notFound(asked);
      case Refusal.EntityAlreadyExists there -> exists(asked);
      case Refusal.RuleAlreadyExists there -> exists(asked);
      case Refusal.ForwardDestinationNotFound missing ->
          new Problem(
              400, 40_400, "There is no queue and no topic '" + missing.path() + "' to forward to");
      case Refusal.PropertyFixed fixed -> Property.changed(fixed.property());
      case Refusal.QuotaExceeded full ->
          new Problem(403, 40_300, "The entity is full; a retry helps only when there is room");
      case Refusal.TooMany many ->
          new Problem(
              403,
              40_300,
              "At most "
                  + many.most()
                  + " are allowed: "
                  + many.what()
                  + "; a retry helps only when one was deleted");
      case Refusal.FeatureNotAvailable not ->
          new Problem(400, 40_000, "The profile of this namespace does not have " + not.feature());
      case Refusal.StoreFull full ->
          new Problem(503, 50_004, "The broker's store is full; a retry helps when there is room");
      case Refusal.MemoryShareExceeded message -> unexpected(refusal);
      case Refusal.MessageLockLost message -> unexpected(refusal);
      case Refusal.MessageNotFound message -> unexpected(refusal);
      case Refusal.AnswerTooLarge message -> unexpected(refusal);
      case Refusal.TooManyLocked message -> unexpected(refusal);
      case Refusal.ScheduledMessagesNotFound message -> unexpected(refusal);
      case Refusal.SessionLockLost session -> unexpected(refusal);
      case Refusal.SessionCannotBeLocked session -> unexpected(refusal);
      case Refusal.TooManySessionStates session -> unexpected(refusal);
      case Refusal.SessionIdMissing session -> unexpected(refusal);
      case Refusal.Timeout time -> unexpected(refusal);
      case Refusal.EntityDisabled disabled -> unexpected(refusal);
      case Refusal.MessagesAreForwarded receiving -> unexpected(refusal);
      case Refusal.NoMatchingSubscription message -> unexpected(refusal);
      case Refusal.TooManyCopies message -> unexpected(refusal);
      case Refusal.AlreadyDeadLettered message -> unexpected(refusal);
      case Refusal.PartitionKeyContradicts message -> unexpected(refusal);
      case Refusal.PartitionKeysDiffer message -> unexpected(refusal);
      case Refusal.PartitionKeyMissing message -> unexpected(refusal);
      case Refusal.NotOnPartitioned message -> unexpected(refusal);
    };
  }

  /** Of queues and topics with a number, of what is below them without (admin-http.md 12.2). */
  static Problem notFound(AdminRequest asked) {
    var isEntity = asked.target() instanceof AdminPath.Entity;
    return new Problem(
        404,
        isEntity ? 40_400 : 0,
        "The messaging entity '"
            + asked.host()
            + ":"
            + AdminPath.shown(asked.target())
            + "' could not be found");
  }

  static Problem exists(AdminRequest asked) {
    var isEntity = asked.target() instanceof AdminPath.Entity;
    return new Problem(
        409,
        isEntity ? 40_900 : 0,
        "Conflict. The messaging entity '"
            + AdminPath.shown(asked.target())
            + "' already exists; the request is in conflict with its current state");
  }

  private static Problem unexpected(Refusal refusal) {
    return new Problem(
        500, 50_000, "The broker refused with " + refusal.getClass().getSimpleName());
  }
}
