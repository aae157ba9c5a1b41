package io.peeklock.http.admin;

import io.peeklock.http.TokenFlaw;
import io.peeklock.http.admin.atom.Problem;
import io.peeklock.runtime.access.AccessControl;
import io.peeklock.runtime.access.AccessDecision;
import io.peeklock.runtime.access.Right;
import io.peeklock.runtime.naming.EntityNames;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Who may do what (S-476): everything needs Manage, but the namespace's own description. */
final class AdminAuthorizer {
  private static final int UNAUTHORIZED = 401;

  private final AccessControl access;
  private final LongSupplier wallMillis;
  private final Predicate<AdminPath.Entity> isMissing;

  /**
   * Judges by these policies.
   *
   * @param isMissing whether it is sure that there is no such queue or topic
   */
  AdminAuthorizer(
      AccessControl access, LongSupplier wallMillis, Predicate<AdminPath.Entity> isMissing) {
    this.access = access;
    this.wallMillis = wallMillis;
    this.isMissing = isMissing;
  }

  /**
   * Lets a request pass. Entities are made at the level of the namespace, and those below a topic
   * at the topic; all else needs the right at the entity.
   *
   * @return the name of the policy that its token is signed by
   * @throws Problem 401 when it must not
   */
  String admit(AdminRequest asked) {
    var path = EntityNames.key(AdminPath.trimmed(asked.call().head().path()));
    var makes = asked.method().equals("PUT") && !asked.updates();
    var scope =
        switch (asked.target()) {
          case AdminPath.Entity entity -> makes ? "" : path;
          case AdminPath.Part part -> path;
          case AdminPath.Subscriptions all -> EntityNames.key(all.topic());
          case AdminPath.Subscription one -> EntityNames.key(one.topic());
          case AdminPath.Rules all -> EntityNames.key(all.subscription().topic());
          case AdminPath.Rule one -> EntityNames.key(one.subscription().topic());
          case AdminPath.NamespaceInfo info -> "";
          case AdminPath.Queues queues -> "";
          case AdminPath.Topics topics -> "";
          case AdminPath.Everything everything -> "";
          case AdminPath.Nothing nothing -> "";
        };
    var token = asked.header("Authorization");
    if (token == null || token.isBlank()) {
      throw problem(TokenFlaw.MISSING, "The request has no Authorization header");
    }
    var granted = granted(access.verify(token, path, scope, wallMillis.getAsLong()));
    if (!granted.rights().contains(Right.MANAGE) && !isForAnybody(asked)) {
      throw new Problem(UNAUTHORIZED, 0, lacking(asked));
    }
    return granted.policyName();
  }

  /** As in the vendor's service, whoever has a token hears that there is no such queue or topic. */
  private boolean isForAnybody(AdminRequest asked) {
    return switch (asked.target()) {
      case AdminPath.NamespaceInfo info -> true;
      case AdminPath.Entity entity -> asked.method().equals("GET") && isMissing.test(entity);
      default -> false;
    };
  }

  /** The vendor's words, which clients look for: others for what is below a topic. */
  private static String lacking(AdminRequest asked) {
    var isRead = asked.method().equals("GET");
    var below = isRead ? "Get" : asked.method().equals("PUT") ? "CreateOrUpdate" : "Delete";
    return switch (asked.target()) {
      case AdminPath.Subscriptions all -> lackingBelow(asked, "EnumerateSubscriptions");
      case AdminPath.Subscription one -> lackingBelow(asked, below + "Subscription");
      case AdminPath.Rules all -> lackingBelow(asked, isRead ? "EnumerateRules" : below + "Rule");
      case AdminPath.Rule one -> lackingBelow(asked, below + "Rule");
      default ->
          isRead
              ? "Manage,EntityRead claims required for this operation"
              : lackingAt(asked.method().equals("PUT") ? "Write" : "Delete");
    };
  }

  private static String lackingAt(String claim) {
    return "Authorization failed for specified action: Manage,Entity" + claim;
  }

  private static String lackingBelow(AdminRequest asked, String operation) {
    return "401 SubCode=40100: Unauthorized : Unauthorized access for '"
        + operation
        + "' operation on endpoint 'sb://"
        + asked.host()
        + "/"
        + AdminPath.shown(asked.target())
        + "'";
  }

  /**
   * Lets an entity forward to a path: its maker needs Manage there too (S-287), shown by a token of
   * its own, or else by that of the request.
   *
   * @param supplementary the header with the token; null when there is none
   */
  void admitForward(AdminRequest asked, @Nullable String supplementary, @Nullable String path) {
    if (path == null) {
      return;
    }
    var token = supplementary == null ? asked.header("Authorization") : supplementary;
    var granted =
        granted(
            access.verifySigner(
                token == null ? "" : token, EntityNames.key(path), wallMillis.getAsLong()));
    if (!granted.rights().contains(Right.MANAGE)) {
      throw new Problem(UNAUTHORIZED, 0, lackingAt("Write"));
    }
  }

  private static AccessDecision.Granted granted(AccessDecision decision) {
    return switch (decision) {
      case AccessDecision.Granted granted -> granted;
      case AccessDecision.Denied denied ->
          throw problem(TokenFlaw.of(denied.flaw()), denied.reason());
    };
  }

  private static Problem problem(TokenFlaw flaw, String sentence) {
    return new Problem(UNAUTHORIZED, flaw.subCode(), flaw.word() + ": " + sentence);
  }
}
