package io.peeklock.http;

import io.peeklock.runtime.ShardClock;
import io.peeklock.runtime.access.AccessControl;
import io.peeklock.runtime.access.AccessDecision;
import io.peeklock.runtime.access.AccessDecision.Flaw;
import io.peeklock.runtime.access.Right;
import io.peeklock.runtime.thread.AnyThread;
import org.jspecify.annotations.Nullable;

/**
 * Whether the token of a request opens what is asked for (admin-http.md 3, runtime-http.md 2). To
 * be asked before it is looked whether that exists.
 */
@AnyThread
public final class Authorisation {
  private static final int UNAUTHORIZED = 401;

  private final AccessControl access;
  private final HostNames names;
  private final ShardClock clock;

  /**
   * Judges by these policies.
   *
   * @param names hosts that a token may be for without saying a scheme
   */
  public Authorisation(AccessControl access, HostNames names, ShardClock clock) {
    this.access = access;
    this.names = names;
    this.clock = clock;
  }

  /**
   * Looks at the token in {@code Authorization}. A peer with a good one no longer counts among the
   * unauthenticated ones.
   *
   * @param entity the path that is asked for, without a slash before it
   * @return what the peer is to be answered, or null when it may go on
   */
  public @Nullable HttpAnswer refusal(HttpCall call, String entity, Right right) {
    var head = call.head();
    var token = head.header("Authorization");
    var why = token == null ? told(TokenFlaw.MISSING, "The request has no token") : null;
    if (token != null) {
      why = wrongWith(token, head, entity, right);
    }
    if (why != null) {
      return ErrorBody.of(head, entity, UNAUTHORIZED, why);
    }
    call.recognised();
    return null;
  }

  /** Whether the token is one of ours for this path, whatever it allows. */
  public boolean isGood(HttpCall call, String entity) {
    var token = call.head().header("Authorization");
    return token != null && judged(token, call.head(), entity) instanceof AccessDecision.Granted;
  }

  private AccessDecision judged(String token, RequestHead head, String entity) {
    var decision = access.verify(token, entity, clock.wallMillis());
    return decision instanceof AccessDecision.Denied denied
            && denied.flaw() == Flaw.RESOURCE
            && names.own(head.authority())
        ? verifyBareHost(token, head.authority(), entity)
        : decision;
  }

  private @Nullable String wrongWith(String token, RequestHead head, String entity, Right right) {
    return switch (judged(token, head, entity)) {
      case AccessDecision.Denied denied -> told(TokenFlaw.of(denied.flaw()), denied.reason());
      case AccessDecision.Granted granted ->
          granted.rights().contains(right)
              ? null
              : "Unauthorized access. '"
                  + right.claim()
                  + "' claim(s) are required to perform this operation";
    };
  }

  /** Old documents sign for a host without a scheme; it reads like the path of an entity. */
  private AccessDecision verifyBareHost(String token, String authority, String entity) {
    var now = clock.wallMillis();
    var decision = access.verify(token, authority + "/" + entity, now);
    var colon = authority.lastIndexOf(':');
    return decision instanceof AccessDecision.Denied && colon > 0
        ? access.verify(token, authority.substring(0, colon) + "/" + entity, now)
        : decision;
  }

  private static String told(TokenFlaw flaw, String sentence) {
    return flaw.word() + ": SubCode=" + flaw.subCode() + ". " + sentence;
  }
}
