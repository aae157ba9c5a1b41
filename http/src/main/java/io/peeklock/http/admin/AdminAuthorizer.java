package io.peeklock.http.admin;

import io.peeklock.http.TokenFlaw;
import io.peeklock.http.admin.atom.Problem;
import io.peeklock.runtime.access.AccessControl;
import io.peeklock.runtime.access.AccessDecision;
import io.peeklock.runtime.access.Right;
import io.peeklock.runtime.naming.EntityNames;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Who may do what (S-476): everything needs Manage, but the namespace's own description. */
final class AdminAuthorizer {
  private static final int UNAUTHORIZED = 401;

  private final AccessControl access;
  private final LongSupplier wallMillis;

  AdminAuthorizer(AccessControl access, LongSupplier wallMillis) {
    this.access = access;
    this.wallMillis = wallMillis;
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
    if (!(asked.target() instanceof AdminPath.NamespaceInfo)) {
      need(granted, makes || asked.method().equals("DELETE") ? "Delete" : "Read");
    }
    return granted.policyName();
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
    need(
        granted(
            access.verifySigner(
                token == null ? "" : token, EntityNames.key(path), wallMillis.getAsLong())),
        "Write");
  }

  private static void need(AccessDecision.Granted granted, String claim) {
    if (!granted.rights().contains(Right.MANAGE)) {
      throw new Problem(
          UNAUTHORIZED, 40_100, "Manage,Entity" + claim + " claims required for this operation");
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
