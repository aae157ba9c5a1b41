package io.peeklock.amqp.deliver;

import io.peeklock.amqp.engine.codec.Described;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.Unsigned;
import io.peeklock.amqp.engine.link.AttachReply;
import io.peeklock.amqp.engine.link.SendingLink;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.request.SharedSession;
import io.peeklock.kernel.request.Ticket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The session that a link asks for with a session filter (amqp.md 3.6). The answer has the filter
 * in the form in which it came, with the id of the session, and its lock token where it is shared.
 *
 * @param sessionId null for any
 * @param descriptor the descriptor of the filter; null when it came without one
 * @param waitMillis how long to wait for any session
 * @param shared how it may go to others; null when it is held alone
 */
public record SessionClaim(
    @Nullable String sessionId,
    @Nullable Object descriptor,
    long waitMillis,
    @Nullable SharedSession shared)
    implements Ticket {
  /** The key of the filter by which a link asks for a session. */
  public static final String FILTER = "com.microsoft:session-filter";

  /** The same for one that it is willing to hand over (S-516). */
  public static final String SHARED_FILTER = "com.microsoft:non-exclusive-session-filter";

  private static final String LOCKED_UNTIL = "com.microsoft:locked-until-utc";
  private static final String TIMEOUT = "com.microsoft:timeout";

  /** The wait of a client that names none. */
  private static final long DEFAULT_WAIT_MILLIS = 65_000;

  private static final long TICKS_AT_1970 = 621_355_968_000_000_000L;
  private static final long TICKS_PER_MILLI = 10_000;

  /** The claim of a link; null when it has no session filter. */
  public static @Nullable SessionClaim of(SendingLink link) {
    var source = link.source();
    if (source == null) {
      return null;
    }
    var wait = waitOf(link.properties());
    if (source.filter().get(SHARED_FILTER) instanceof Described described) {
      return ofShared(described, wait);
    }
    return source.filter().containsKey(FILTER) ? of(source.filter().get(FILTER), wait) : null;
  }

  private static SessionClaim of(@Nullable Object value, long wait) {
    if (!(value instanceof Described described)) {
      return new SessionClaim(text(value), null, wait, null);
    }
    if (described.descriptor() instanceof Symbol first && !first.text().equals(FILTER)) {
      // Old Python clients send an id of two characters like this (amqp.md 3.6).
      return new SessionClaim(first.text() + text(described.value()), null, wait, null);
    }
    return new SessionClaim(text(described.value()), described.descriptor(), wait, null);
  }

  /**
   * Whether this is a filter for a session that may be shared: a described list of its id and its
   * lock token, each of them or null; no token without an id.
   */
  public static boolean isShared(@Nullable Object value) {
    if (!(value instanceof Described described) || !(described.value() instanceof List<?> fields)) {
      return false;
    }
    var id = fields.isEmpty() ? null : fields.getFirst();
    var token = fields.size() < 2 ? null : fields.get(1);
    return fields.size() <= 2
        && (id == null ? token == null : id instanceof String)
        && (token == null || token instanceof UUID);
  }

  private static @Nullable SessionClaim ofShared(Described described, long wait) {
    if (!isShared(described)) {
      return null; // refused before
    }
    var fields = described.value() instanceof List<?> list ? list : List.of();
    var id = fields.isEmpty() ? null : (String) fields.getFirst();
    var presented = fields.size() < 2 ? null : (UUID) fields.get(1);
    var shared =
        new SharedSession(
            tokenOf(UUID.randomUUID()), presented == null ? null : tokenOf(presented));
    return new SessionClaim(id, described.descriptor(), wait, shared);
  }

  private static SharedSession.Token tokenOf(UUID uuid) {
    return new SharedSession.Token(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
  }

  /** Why the session filter of a link names no session; null when it does, or there is none. */
  public static @Nullable String wrong(SendingLink link) {
    var source = link.source();
    var value = source == null ? null : source.filter().get(FILTER);
    var id = value instanceof Described described ? described.value() : value;
    return id == null || id instanceof String || id instanceof Symbol
        ? null
        : "The session filter must be a string, or null for any session";
  }

  private static @Nullable String text(@Nullable Object value) {
    return value == null ? null : value.toString();
  }

  private static long waitOf(Map<String, @Nullable Object> properties) {
    var wait = properties.get(TIMEOUT);
    if (wait instanceof Unsigned millis) {
      return Math.max(0, millis.value());
    }
    return wait instanceof Number millis ? Math.max(0, millis.longValue()) : DEFAULT_WAIT_MILLIS;
  }

  /** The answer to the attach. */
  AttachReply reply(AttachReply plain, Effect.SessionAccepted accepted) {
    var token = accepted.token();
    var filter = new HashMap<Symbol, @Nullable Object>();
    filter.put(
        new Symbol(token == null ? FILTER : SHARED_FILTER),
        described(token == null ? accepted.sessionId() : shared(accepted.sessionId(), token)));
    var ticks = TICKS_AT_1970 + accepted.lockedUntilMillis() * TICKS_PER_MILLI;
    return plain.withFilter(filter).withProperties(Map.of(LOCKED_UNTIL, ticks));
  }

  private Object described(Object value) {
    return descriptor == null ? value : new Described(descriptor, value);
  }

  private static List<Object> shared(String sessionId, SharedSession.Token token) {
    return List.of(sessionId, new UUID(token.high(), token.low()));
  }
}
