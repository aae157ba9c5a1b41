package io.peeklock.http.admin;

import io.peeklock.http.admin.atom.Problem;
import io.peeklock.http.admin.properties.Property;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.refusal.RefusalTable;

/** Kinds of refusals as this API tells of them (admin-http.md 12.2). */
final class AdminRefusals {
  private AdminRefusals() {}

  static Problem of(Refusal refusal, AdminRequest asked) {
    var row = RefusalTable.of(refusal, AdminPath.shown(asked.target()));
    return switch (row.kind()) {
      case NOT_FOUND ->
          refusal instanceof Refusal.ForwardDestinationNotFound missing
              ? new Problem(
                  400,
                  40_400,
                  "There is no queue and no topic '" + missing.path() + "' to forward to")
              : notFound(asked);
      case ALREADY_EXISTS -> exists(asked);
      case NOT_ALLOWED ->
          refusal instanceof Refusal.PropertyFixed fixed
              ? Property.changed(fixed.property())
              : new Problem(400, 40_000, row.sentence());
      case NOT_AVAILABLE -> new Problem(400, 40_000, row.sentence());
      case QUOTA -> quota(refusal, row.sentence());
      case BUSY -> new Problem(503, 50_004, row.sentence());
      case MESSAGE_LOCK_LOST,
          MESSAGE_NOT_FOUND,
          SESSION_LOCK_LOST,
          SESSION_CANNOT_BE_LOCKED,
          TOO_MANY_SESSION_STATES,
          SESSION_ID_MISSING,
          FORWARDED,
          DISABLED,
          ANSWER_TOO_LARGE,
          BATCH_TOO_LARGE,
          TIMEOUT,
          NO_MATCHING_SUBSCRIPTION ->
          unexpected(refusal); // of messages
    };
  }

  private static Problem quota(Refusal refusal, String sentence) {
    return switch (refusal) {
      case Refusal.QuotaExceeded it ->
          new Problem(403, 40_300, "The entity is full; a retry helps only when there is room");
      case Refusal.TooMany it ->
          new Problem(
              403,
              40_300,
              "At most "
                  + it.most()
                  + " are allowed: "
                  + it.what()
                  + "; a retry helps only when one was deleted");
      case Refusal.StoreFull it -> // 403 where messages are sent
          new Problem(503, 50_004, "The broker's store is full; a retry helps when there is room");
      default -> new Problem(403, 40_300, sentence);
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
