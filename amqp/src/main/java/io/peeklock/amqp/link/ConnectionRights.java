package io.peeklock.amqp.link;

import io.peeklock.amqp.limit.Holdings;
import io.peeklock.runtime.access.Policy;
import io.peeklock.runtime.access.ResourcePath;
import io.peeklock.runtime.access.Right;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a connection may do: the rights of its password, and those of the tokens it has put, each
 * for an audience and all below it (S-466, S-469). They end with the connection.
 */
public final class ConnectionRights {
  private static final int MAX_AUDIENCES = 10_000;

  /** The heap that a grant takes beside its audience. */
  private static final long GRANT_BYTES = 256;

  private final Map<String, Grant> grants = new HashMap<>();

  /** Rights on a path until a time. */
  private record Grant(Set<Right> rights, long endsAtMillis) {}

  /**
   * Adds rights; those of the same audience before are replaced (amqp.md 2.5).
   *
   * @param audience normalised
   * @param endsAtMillis by the wall clock
   * @param holdings weighs the audience
   * @return false when the connection has put too many, or all have
   */
  public boolean grant(String audience, Set<Right> rights, long endsAtMillis, Holdings holdings) {
    if (!grants.containsKey(audience)
        && (grants.size() >= MAX_AUDIENCES || !holdings.audience(weightOf(audience)))) {
      return false;
    }
    grants.put(audience, new Grant(rights, endsAtMillis));
    return true;
  }

  /** Adds the rights that a password brought, for as long as the connection lasts. */
  public void logIn(List<Policy> policies) {
    for (var policy : policies) {
      grants.put(policy.scope(), new Grant(policy.rights(), Long.MAX_VALUE));
    }
  }

  public boolean isEmpty() {
    return grants.isEmpty();
  }

  /**
   * Whether a claim covers a path now.
   *
   * @param right null for any claim
   */
  public boolean allow(String path, @Nullable Right right, long nowMillis) {
    for (var at = path; ; at = parent(at)) {
      var grant = grants.get(at);
      if (grant != null
          && grant.endsAtMillis() > nowMillis
          && (right == null || grant.rights().contains(right))
          && ResourcePath.covers(at, path)) {
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

  /** Forgets rights that ended; true when there were any. */
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
