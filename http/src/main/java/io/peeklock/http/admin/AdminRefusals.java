package io.peeklock.http.admin;

import io.peeklock.http.admin.atom.Problem;
import io.peeklock.http.admin.properties.Kind;
import io.peeklock.http.admin.properties.Property;
import io.peeklock.http.admin.rules.RuleForm;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.refusal.RefusalTable;
import io.peeklock.runtime.naming.EntityNames;

/** Kinds of refusals as this API tells of them (admin-http.md 12.2). */
final class AdminRefusals {
  private AdminRefusals() {}

  static Problem of(Refusal refusal, AdminRequest asked) {
    var row = RefusalTable.of(refusal, AdminPath.shown(asked.target()));
    return switch (row.kind()) {
      case NOT_FOUND ->
          refusal instanceof Refusal.ForwardDestinationNotFound missing
              ? noDestination(missing.path(), asked)
              : notFound(asked);
      case ALREADY_EXISTS -> exists(asked);
      case NOT_ALLOWED ->
          refusal instanceof Refusal.PropertyFixed fixed
              ? Property.changed(fixed.property(), kind(asked))
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
            + EntityNames.told(AdminPath.shown(asked.target()))
            + "' could not be found");
  }

  /** Clients look for these beginnings. */
  static Problem exists(AdminRequest asked) {
    return switch (asked.target()) {
      case AdminPath.Subscription one -> exists(asked, one.topic() + "|" + one.name());
      case AdminPath.Rule one -> existsAmong(asked, one.subscription(), one.name());
      case AdminPath.Rules all -> {
        var name = RuleForm.name(asked.description());
        yield existsAmong(asked, all.subscription(), name == null ? "" : name);
      }
      default ->
          new Problem(
              409,
              40_900,
              "Conflict. The messaging entity '"
                  + AdminPath.shown(asked.target())
                  + "' already exists; the request is in conflict with its current state");
    };
  }

  private static Problem existsAmong(AdminRequest asked, AdminPath.Subscription of, String rule) {
    return exists(asked, of.topic() + "|" + of.name() + "|" + rule);
  }

  private static Problem exists(AdminRequest asked, String below) {
    return new Problem(
        409,
        0,
        "The messaging entity '"
            + asked.namespace()
            + ":Topic:"
            + below
            + "' already exists. SubCode=40900");
  }

  private static Problem noDestination(String path, AdminRequest asked) {
    return EntityNames.key(AdminPath.shown(asked.target())).equals(EntityNames.key(path))
        ? Problem.bad("'" + path + "' cannot forward to itself")
        : new Problem(400, 40_400, "There is no queue and no topic '" + path + "' to forward to");
  }

  private static Kind kind(AdminRequest asked) {
    if (asked.target() instanceof AdminPath.Subscription) {
      return Kind.SUBSCRIPTION;
    }
    return asked.description().name().equals(Kind.TOPIC.element()) ? Kind.TOPIC : Kind.QUEUE;
  }

  private static Problem unexpected(Refusal refusal) {
    return new Problem(
        500, 50_000, "The broker refused with " + refusal.getClass().getSimpleName());
  }
}
