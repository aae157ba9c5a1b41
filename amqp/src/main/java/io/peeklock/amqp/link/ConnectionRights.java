package io.peeklock.amqp.link;

import io.peeklock.amqp.limit.Holdings;
import io.peeklock.runtime.access.AccessControl;
import io.peeklock.runtime.access.AccessDecision;
import io.peeklock.runtime.access.Credential;
import io.peeklock.runtime.access.Policy;
import io.peeklock.runtime.access.ResourcePath;
import io.peeklock.runtime.access.Right;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The rights of a connection: those of its password, and those of its tokens, each for an audience
 * and everything below (S-466, S-469). They end with the connection.
 */
public final class ConnectionRights {
  private static final int MAX_AUDIENCES = 10_000;

  /** The heap of a grant without its audience. */
  private static final long GRANT_BYTES = 256;

  private final Map<String, Grant> grants = new HashMap<>();

  /** Rights on a path until a time, and by which key. */
  private record Grant(Set<Right> rights, long endsAtMillis, Credential by) {}

  /**
   * Adds rights, and replaces earlier ones of the same audience (amqp.md 2.5).
   *
   * @param audience normalised
   * @param granted the rights, and when they end, by the wall clock
   * @param holdings counts the heap of the audience
   * @return false when the connection, or all connections together, have too many
   */
  public boolean grant(String audience, AccessDecision.Granted granted, Holdings holdings) {
    if (!grants.containsKey(audience)
        && (grants.size() >= MAX_AUDIENCES || !holdings.audience(weightOf(audience)))) {
      return false;
    }
    grants.put(audience, new Grant(granted.rights(), granted.endsAtMillis(), granted.credential()));
    return true;
  }

  /** Adds the rights of a password, for as long as the connection lasts. */
  public void logIn(List<Policy> policies, byte[] key) {
    for (var policy : policies) {
      grants.put(
          policy.scope(), new Grant(policy.rights(), Long.MAX_VALUE, Credential.of(policy, key)));
    }
  }

  /** Whether there are no rights. */
  public boolean isEmpty() {
    return grants.isEmpty();
  }

  /**
   * Whether the rights cover a path now.
   *
   * @param right the right that is needed; null for any
   */
  public boolean allow(String path, @Nullable Right right, long nowMillis) {
    return allow(path, right, nowMillis, any -> true);
  }

  /**
   * Whether the rights cover something new on a path now: the policies must still have the keys by
   * which the connection got them, and the right (S-473).
   *
   * @param right the right that is needed; null for any
   */
  public boolean opens(String path, @Nullable Right right, long nowMillis, AccessControl access) {
    return allow(path, right, nowMillis, by -> access.holds(by, right));
  }

  private boolean allow(
      String path, @Nullable Right right, long nowMillis, Predicate<Credential> stillGood) {
    for (var at = path; ; at = parent(at)) {
      var grant = grants.get(at);
      if (grant != null
          && grant.endsAtMillis() > nowMillis
          && (right == null || grant.rights().contains(right))
          && ResourcePath.covers(at, path)
          && stillGood.test(grant.by())) {
        return true;
      }
      if (at.isEmpty()) {
        return false;
      }
    }
  }

  /** When the next rights end; {@link Long#MAX_VALUE} for never. */
  public long nextEndMillis() {
    var next = Long.MAX_VALUE;
    for (var grant : grants.values()) {
      next = Math.min(next, grant.endsAtMillis());
    }
    return next;
  }

  /** Removes expired rights; true when there were any. */
  public boolean expire(long nowMillis, Holdings holdings) {
    return grants
        .entrySet()
        .removeIf(
            each -> {
              var isOver = each.getValue().endsAtMillis() <= nowMillis;
              if (isOver) {
                holdings.audienceGone(weightOf(each.getKey()));
              }
              return isOver;
            });
  }

  private static long weightOf(String audience) {
    return GRANT_BYTES + 2L * audience.length();
  }

  private static String parent(String path) {
    var slash = path.lastIndexOf('/');
    return slash < 0 ? "" : path.substring(0, slash);
  }
}
