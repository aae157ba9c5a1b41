package io.peeklock.http;

import io.peeklock.runtime.ShardClock;
import io.peeklock.runtime.access.AccessControl;
import io.peeklock.runtime.access.AccessDecision;
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
  private final ShardClock clock;

  /** Judges by these policies. */
  public Authorisation(AccessControl access, ShardClock clock) {
    this.access = access;
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
      why = wrongWith(token, entity, right);
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
    return token != null && judged(token, entity) instanceof AccessDecision.Granted;
  }

  private AccessDecision judged(String token, String entity) {
    return access.verify(token, entity, clock.wallMillis());
  }

  private @Nullable String wrongWith(String token, String entity, Right right) {
    return switch (judged(token, entity)) {
      case AccessDecision.Denied denied -> told(TokenFlaw.of(denied.flaw()), denied.reason());
      case AccessDecision.Granted granted ->
          granted.rights().contains(right)
              ? null
              : "Unauthorized access. '"
                  + right.claim()
                  + "' claim(s) are required to perform this operation";
    };
  }

  private static String told(TokenFlaw flaw, String sentence) {
    return flaw.word() + ": SubCode=" + flaw.subCode() + ". " + sentence;
  }
}
