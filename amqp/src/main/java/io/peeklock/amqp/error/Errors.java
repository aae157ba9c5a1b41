package io.peeklock.amqp.error;

import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.runtime.RateLimitedLog;
import io.peeklock.runtime.naming.EntityNames;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the errors that clients are told, in the layout of amqp.md 6.2: the sentence, a tracking
 * id, the entity, a UTC time (S-515). Each leaves one log line with the same tracking id, or is
 * counted where there are many.
 */
public final class Errors {
  private static final Logger LOG = LoggerFactory.getLogger(Errors.class);
  private static final DateTimeFormatter UTC =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final int SHOWN_CHARS = 500;

  /** What names of hosts are made of, with a port; a client may send anything. */
  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._:\\[\\]-]{1,260}");

  /** One for each condition, of which there are few. */
  private final Map<String, RateLimitedLog> lines;

  private final String namespace;
  private final String node;
  private final LongSupplier wallMillis;

  public Errors(String namespace, String node, LongSupplier wallMillis) {
    this(namespace, node, wallMillis, new ConcurrentHashMap<>());
  }

  private Errors(
      String namespace, String node, LongSupplier wallMillis, Map<String, RateLimitedLog> lines) {
    this.namespace = namespace;
    this.node = node;
    this.wallMillis = wallMillis;
    this.lines = lines;
  }

  /** The same for a client that calls the broker by this name, which it looks for in them. */
  public Errors calledBy(@Nullable String host) {
    return host == null || !HOST.matcher(host).matches()
        ? this
        : new Errors(host, node, wallMillis, lines);
  }

  /** An error for a link, a delivery or a connection; logged. */
  public AmqpError error(String condition, String sentence, String entity) {
    var id = UUID.randomUUID() + "_" + node;
    return new AmqpError(
        condition, text(condition, sentence, entity, id), Map.of("com.microsoft:tracking-id", id));
  }

  /** The text alone, for a status description; logged. */
  public String text(String condition, String sentence, String entity) {
    return text(condition, sentence, entity, UUID.randomUUID() + "_" + node);
  }

  /** The sentence that SDKs know a missing entity by. */
  public String notFound(String entity) {
    return "The messaging entity 'sb://"
        + namespace
        + "/"
        + EntityNames.told(entity)
        + "' could not be found";
  }

  private String text(String condition, String sentence, String entity, String id) {
    var shown = shown(entity);
    lines
        .computeIfAbsent(condition, kind -> new RateLimitedLog(LOG))
        .info("{}: {} [{}] TrackingId:{}", condition, cut(shown(sentence)), cut(shown), id);
    return shown(sentence)
        + ". TrackingId:"
        + id
        + ", SystemTracker:"
        + shown(namespace)
        + ":Queue:"
        + shown
        + ", Timestamp:"
        + UTC.format(Instant.ofEpochMilli(wallMillis.getAsLong()));
  }

  /** What a client sent, for a log: without line breaks, and not long. */
  public static String loggable(String text) {
    return shown(cut(text));
  }

  private static String cut(String text) {
    return text.length() <= SHOWN_CHARS ? text : text.substring(0, SHOWN_CHARS) + "…";
  }

  /**
   * What a client sent may hold line breaks, which must not reach a log (reliability.md 5.7), and
   * braces: .NET's client takes a description for a format, and fails over them.
   */
  private static String shown(String text) {
    for (var i = 0; i < text.length(); i++) {
      if (shown(text.charAt(i)) != text.charAt(i)) {
        return mapped(text);
      }
    }
    return text;
  }

  private static String mapped(String text) {
    var all = new StringBuilder(text);
    for (var i = 0; i < text.length(); i++) {
      all.setCharAt(i, shown(text.charAt(i)));
    }
    return all.toString();
  }

  private static char shown(char one) {
    return switch (one) {
      case '{' -> '(';
      case '}' -> ')';
      default -> Character.isISOControl(one) ? '?' : one;
    };
  }
}
