package io.peeklock.amqp.connection;

import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.limit.AmqpSettings;
import io.peeklock.amqp.link.LinkConnection;
import io.peeklock.amqp.link.NodeLink;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * Ends unused connections and links: connections without a valid token (S-465) or without links
 * (S-100, S-101), and idle links (S-099).
 */
final class LinkTracker {
  private static final String NAME = "LinkTracker";

  private final LinkConnection connection;
  private final Collection<NodeLink> links;
  private final AmqpSettings.Times times;
  private final Runnable whenAuthorised;
  private final long startedAtMillis;
  private long linklessSinceMillis;
  private long linklessLimitMillis;
  private boolean authorised;
  private boolean closing;

  /**
   * That of one connection.
   *
   * @param links its links, a live view
   * @param whenAuthorised run once, when the client has logged in or put its first valid token
   */
  LinkTracker(
      LinkConnection connection,
      Collection<NodeLink> links,
      AmqpSettings.Times times,
      Runnable whenAuthorised) {
    this.connection = connection;
    this.links = links;
    this.times = times;
    this.whenAuthorised = whenAuthorised;
    this.startedAtMillis = connection.nowMillis();
    this.linklessSinceMillis = startedAtMillis;
    this.linklessLimitMillis = times.firstLinkMillis();
  }

  /** Notes a valid token or password. */
  void authorised() {
    if (!authorised) {
      if (!connection.holdings().known()) {
        close(
            Conditions.RESOURCE_LIMIT_EXCEEDED, "The broker has no memory left for the connection");
        return;
      }
      authorised = true;
      whenAuthorised.run();
    }
  }

  void linkMade() {
    linklessLimitMillis = times.lastLinkMillis();
  }

  void linkGone() {
    if (links.isEmpty()) {
      linklessSinceMillis = connection.nowMillis();
      connection.dueIn(linklessLimitMillis);
    }
  }

  /**
   * Ends what is due.
   *
   * @return when to look again, on the monotonic clock
   */
  long check(long nowMillis) {
    if (closing) {
      return Long.MAX_VALUE;
    }
    if (!authorised && nowMillis - startedAtMillis >= times.tokenMillis()) {
      close(
          Conditions.UNAUTHORIZED,
          "No valid token was put within " + times.tokenMillis() + " milliseconds");
      return Long.MAX_VALUE;
    }
    if (links.isEmpty() && nowMillis - linklessSinceMillis >= linklessLimitMillis) {
      close(
          Conditions.CONNECTION_FORCED,
          "The connection was inactive for more than the allowed "
              + linklessLimitMillis
              + " milliseconds and is closed by container '"
              + NAME
              + "'");
      return Long.MAX_VALUE;
    }
    return Math.min(endIdleLinks(nowMillis), nextDeadline());
  }

  private long nextDeadline() {
    var next = authorised ? Long.MAX_VALUE : startedAtMillis + times.tokenMillis();
    return links.isEmpty() ? Math.min(next, linklessSinceMillis + linklessLimitMillis) : next;
  }

  private long endIdleLinks(long nowMillis) {
    var next = nowMillis + times.idleLinkMillis();
    for (var link : List.copyOf(links)) {
      if (link.mayIdleOut()) {
        var due = link.activeAtMillis + times.idleLinkMillis();
        if (due <= nowMillis) {
          link.detach(
              Conditions.DETACH_FORCED,
              "The link '"
                  + link.link().name()
                  + "' is force detached by the broker, because its idle timer expired. Idle"
                  + " timeout: "
                  + clockText(times.idleLinkMillis()));
        } else {
          next = Math.min(next, due);
        }
      }
    }
    return next;
  }

  private void close(String condition, String sentence) {
    closing = true;
    connection.close(connection.errors().error(condition, sentence, ""));
  }

  private static String clockText(long millis) {
    var seconds = millis / 1_000;
    return String.format(
        Locale.ROOT, "%02d:%02d:%02d", seconds / 3_600, seconds / 60 % 60, seconds % 60);
  }
}
