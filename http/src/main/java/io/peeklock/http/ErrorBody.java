package io.peeklock.http;

import io.peeklock.runtime.RateLimitedLog;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The errors of the HTTP APIs (admin-http.md 12.2): a sentence, a tracking id, what it is about, a
 * UTC time. Each leaves one log line with the same tracking id (S-515).
 */
public final class ErrorBody {
  private static final Logger LOG = LoggerFactory.getLogger(ErrorBody.class);
  private static final RateLimitedLog REFUSALS = new RateLimitedLog(LOG);
  private static final DateTimeFormatter UTC =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final int MOST_LOGGED = 300;

  private ErrorBody() {}

  /**
   * An error.
   *
   * @param head what was asked
   * @param entity what it was asked of, a path without a slash before it
   * @param detail the sentence, without a full stop; may begin with {@code SubCode=40900.}
   */
  public static HttpAnswer of(RequestHead head, String entity, int status, String detail) {
    return of(head, head.authority(), entity, status, detail);
  }

  /**
   * The same, told by another name.
   *
   * @param system who says so: the host that was asked, with its port or without
   */
  public static HttpAnswer of(
      RequestHead head, String system, String entity, int status, String detail) {
    var id = UUID.randomUUID() + "_peeklock";
    var shown = shown(detail);
    REFUSALS.info(
        "{} {} answered with {}: {} [{}] TrackingId:{}",
        head.method(),
        cut(shown(head.path())),
        status,
        cut(shown),
        cut(shown(entity)),
        id);
    return HttpAnswer.error(
        status,
        shown
            + ". TrackingId:"
            + id
            + ", SystemTracker:"
            + system
            + ":"
            + entity
            + ", Timestamp:"
            + UTC.format(Instant.now()));
  }

  private static String cut(String text) {
    return text.length() > MOST_LOGGED ? text.substring(0, MOST_LOGGED) + "…" : text;
  }

  /** What a client sent may hold line breaks, which must not reach a log (reliability.md 5.7). */
  private static String shown(String text) {
    return text.chars().anyMatch(Character::isISOControl)
        ? text.replaceAll("\\p{Cntrl}", "?")
        : text;
  }
}
