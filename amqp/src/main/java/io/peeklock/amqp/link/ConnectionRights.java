package io.peeklock.amqp.link;

import io.peeklock.amqp.limit.Holdings;
import io.peeklock.runtime.access.AccessControl;
import io.peeklock.runtime.access.AccessDecision;
import io.peeklock.runtime.access.Credential;
import io.peeklock.runtime.access.Policy;
import io.peeklock.runtime.access.ResourcePath;
import io.peeklock.runtime.access.Right;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rights of a connection: those of its password, and those of its tokens, each for an audience
 * and everything below (S-466, S-469). They end with the connection.
 */
public final class ConnectionRights {
  private static final int MAX_AUDIENCES = 10_000;
  private static final int MOST_NAMED = 20;

  /** The heap of a grant without its audience. */
  private static final long GRANT_BYTES = 256;

  private final Map<String, Grant> grants = new HashMap<>();

  /**
   * Rights on a path until a time, and by which key.
   *
   * @param former the grant of the path that this one replaced, as far as it has rights that this
   *     one has not: what was opened with them stays until they end (S-467), but nothing new is
   */
  private record Grant(
      Set<Right> rights, long endsAtMillis, Credential by, @Nullable Grant former) {

    boolean allows(@Nullable Right right, long nowMillis) {
      return endsAtMillis > nowMillis
          && (right == null ? !rights.isEmpty() : rights.contains(right));
    }

    boolean keeps(Right right, long nowMillis) {
      return allows(right, nowMillis) || (former != null && former.keeps(right, nowMillis));
    }

    /** When the first of them ends that has not; {@link Long#MAX_VALUE} for never. */
    long nextEndMillis() {
      return former == null ? endsAtMillis : Math.min(endsAtMillis, former.nextEndMillis());
    }

    /** The same without what has ended; null when that is all. */
    @Nullable Grant at(long nowMillis) {
      var left = former == null ? null : former.at(nowMillis);
      if (endsAtMillis > nowMillis) {
        return Objects.equals(left, former) ? this : new Grant(rights, endsAtMillis, by, left);
      }
      return left == null ? null : new Grant(Set.of(), Long.MAX_VALUE, by, left);
    }

    /** The same without rights that a newer one has; null when there are no others. */
    @Nullable Grant beside(Set<Right> newer) {
      var all = new HashSet<>(newer);
      all.addAll(rights);
      var left = former == null ? null : former.beside(all);
      return newer.containsAll(rights) ? left : new Grant(rights, endsAtMillis, by, left);
    }
  }

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
    var last = grants.get(audience);
    var former = last == null ? null : last.beside(granted.rights());
    grants.put(
        audience,
        new Grant(granted.rights(), granted.endsAtMillis(), granted.credential(), former));
    return true;
  }

  /** Adds the rights of a password, for as long as the connection lasts. */
  public void logIn(List<Policy> policies, byte[] key) {
    for (var policy : policies) {
      grants.put(
          policy.scope(),
          new Grant(policy.rights(), Long.MAX_VALUE, Credential.of(policy, key), null));
    }
  }

  /** The names of the policies that gave them, in order. */
  public List<String> policies() {
    return grants.values().stream()
        .flatMap(newest -> Stream.iterate(newest, Objects::nonNull, Grant::former))
        .filter(grant -> !grant.rights().isEmpty())
        .map(grant -> grant.by().policyName())
        .distinct()
        .sorted()
        .limit(MOST_NAMED)
        .toList();
  }

  /** Whether there are no rights. */
  public boolean isEmpty() {
    return grants.isEmpty();
  }

  /**
   * Whether the rights cover an operation on a path, through what is open.
   *
   * @param right the right that is needed; null for any
   */
  public boolean allow(String path, @Nullable Right right, long nowMillis) {
    return covers(path, grant -> grant.allows(right, nowMillis));
  }

  /**
   * Whether what is open on a path stays so: the rights that it was opened with may be those of an
   * earlier token, which has not ended (S-467).
   */
  public boolean keeps(String path, Right right, long nowMillis) {
    return covers(path, grant -> grant.keeps(right, nowMillis));
  }

  /**
   * Whether the rights cover something new on a path now: the policies must still have the keys by
   * which the connection got them, and the right (S-473).
   *
   * @param right the right that is needed; null for any
   */
  public boolean opens(String path, @Nullable Right right, long nowMillis, AccessControl access) {
    return covers(path, grant -> grant.allows(right, nowMillis) && access.holds(grant.by(), right));
  }

  private boolean covers(String path, Predicate<Grant> isEnough) {
    for (var at = path; ; at = parent(at)) {
      var grant = grants.get(at);
      if (grant != null && ResourcePath.covers(at, path) && isEnough.test(grant)) {
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
      next = Math.min(next, grant.nextEndMillis());
    }
    return next;
  }

  /** Removes expired rights; true when there were any. */
  public boolean expire(long nowMillis, Holdings holdings) {
    var any = false;
    for (var each = grants.entrySet().iterator(); each.hasNext(); ) {
      var entry = each.next();
      var left = entry.getValue().at(nowMillis);
      any |= !entry.getValue().equals(left);
      if (left == null) {
        holdings.audienceGone(weightOf(entry.getKey()));
        each.remove();
      } else {
        entry.setValue(left);
      }
    }
    return any;
  }

  private static long weightOf(String audience) {
    return GRANT_BYTES + 2L * audience.length();
  }

  private static String parent(String path) {
    var slash = path.lastIndexOf('/');
    return slash < 0 ? "" : path.substring(0, slash);
  }
}
