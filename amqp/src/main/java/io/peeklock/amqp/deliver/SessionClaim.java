package io.peeklock.amqp.deliver;

import io.peeklock.amqp.engine.codec.Described;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.Unsigned;
import io.peeklock.amqp.engine.link.AttachReply;
import io.peeklock.amqp.engine.link.SendingLink;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.request.Ticket;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The session that a link asks for with a session filter (amqp.md 3.6). The answer has the filter
 * in the form in which it came, with the id of the session.
 *
 * @param sessionId null for any
 * @param descriptor the descriptor of the filter; null when it came without one
 * @param waitMillis how long to wait for any session
 */
public record SessionClaim(@Nullable String sessionId, @Nullable Object descriptor, long waitMillis)
    implements Ticket {
  /** The key of the filter by which a link asks for a session. */
  public static final String FILTER = "com.microsoft:session-filter";

  private static final String LOCKED_UNTIL = "com.microsoft:locked-until-utc";
  private static final String TIMEOUT = "com.microsoft:timeout";

  /** The wait of a client that names none. */
  private static final long DEFAULT_WAIT_MILLIS = 65_000;

  private static final long TICKS_AT_1970 = 621_355_968_000_000_000L;
  private static final long TICKS_PER_MILLI = 10_000;

  /** The claim of a link; null when it has no session filter. */
  public static @Nullable SessionClaim of(SendingLink link) {
    var source = link.source();
    if (source == null || !source.filter().containsKey(FILTER)) {
      return null;
    }
    var value = source.filter().get(FILTER);
    var wait = waitOf(link.properties());
    if (!(value instanceof Described described)) {
      return new SessionClaim(text(value), null, wait);
    }
    if (described.descriptor() instanceof Symbol first && !first.text().equals(FILTER)) {
      // Old Python clients send an id of two characters like this (amqp.md 3.6).
      return new SessionClaim(first.text() + text(described.value()), null, wait);
    }
    return new SessionClaim(text(described.value()), described.descriptor(), wait);
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
    var filter = new HashMap<Symbol, @Nullable Object>();
    filter.put(
        new Symbol(FILTER),
        descriptor == null
            ? accepted.sessionId()
            : new Described(descriptor, accepted.sessionId()));
    var ticks = TICKS_AT_1970 + accepted.lockedUntilMillis() * TICKS_PER_MILLI;
    return plain.withFilter(filter).withProperties(Map.of(LOCKED_UNTIL, ticks));
  }
}
