package io.peeklock.http.messages;

import io.peeklock.http.RequestHead;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A path of the runtime API.
 *
 * @param entity the path of an entity, with a sub-queue where that is meant; in the case it came
 * @param kind what of it
 * @param token the last part, for a lock; else empty
 */
record MessagePath(String entity, Kind kind, String token) {
  private static final String MESSAGES = "/messages";
  private static final Pattern GUID =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  /** What a path is about. */
  enum Kind {
    /** All messages of an entity: where one is sent to. */
    ALL,
    /** The next message. */
    HEAD,
    /** A lock on a message. */
    LOCK
  }

  /** Reads one; empty when it is of something else. */
  static Optional<MessagePath> of(String path) {
    var bare = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    var end = bare.length() - MESSAGES.length();
    if (bare.regionMatches(true, end, MESSAGES, 0, MESSAGES.length())) {
      return named(bare, end, Kind.ALL, "");
    }
    var at = lastBelow(bare);
    var rest = at < 0 ? "" : bare.substring(at + MESSAGES.length() + 1);
    if (rest.equalsIgnoreCase("head")) {
      return named(bare, at, Kind.HEAD, "");
    }
    var slash = rest.lastIndexOf('/');
    return slash < 1 ? Optional.empty() : named(bare, at, Kind.LOCK, rest.substring(slash + 1));
  }

  private static int lastBelow(String path) {
    var part = MESSAGES + "/";
    var at = path.length() - part.length();
    while (at >= 0 && !path.regionMatches(true, at, part, 0, part.length())) {
      at--;
    }
    return Math.max(-1, at);
  }

  private static Optional<MessagePath> named(String path, int end, Kind kind, String token) {
    var entity = end < 2 ? "" : path.substring(1, end);
    return entity.isEmpty() || entity.contains("://")
        ? Optional.empty()
        : Optional.of(new MessagePath(entity, kind, token));
  }

  /**
   * Whether a request is one about messages. An entity may have a path that ends like one of these;
   * who administers it says the version of that API, and has other methods than those of messages.
   */
  static boolean isAsked(RequestHead head, Kind kind) {
    var path = of(head.path());
    if (path.isEmpty() || path.get().kind() != kind) {
      return false;
    }
    return kind != Kind.ALL || head.method().equals("POST") || head.query("api-version") == null;
  }

  /** Whether the last part can be a lock token at all. */
  boolean hasToken() {
    return GUID.matcher(token).matches();
  }
}
