package io.peeklock.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a request line points at, decoded once.
 *
 * @param authority host and port of an absolute target; null where it was only a path
 * @param path begins with a slash; percent-decoded, so that {@code %2F} parts names too
 * @param query names and values in their order, decoded
 */
record HttpTarget(@Nullable String authority, String path, List<Map.Entry<String, String>> query) {
  private static final int MOST_PARAMETERS = 100;

  /** Reads one; empty when it is none that a client of good will sends. */
  static Optional<HttpTarget> parse(String target) {
    var rest = target;
    String authority = null;
    var scheme = schemeLength(target);
    if (scheme > 0) {
      var slash = target.indexOf('/', scheme);
      var end = slash < 0 ? target.length() : slash;
      authority = target.substring(scheme, end);
      rest = slash < 0 ? "/" : target.substring(slash);
    }
    if (authority != null && !isAuthority(authority)) {
      return Optional.empty();
    }
    var mark = rest.indexOf('?');
    var path = decode(mark < 0 ? rest : rest.substring(0, mark), false);
    var query = parameters(mark < 0 ? "" : rest.substring(mark + 1));
    if (path == null || query == null || !path.startsWith("/") || escapes(path)) {
      return Optional.empty();
    }
    return Optional.of(new HttpTarget(authority, path, query));
  }

  /** Whether it can be a host with its port: answers say it again, in headers too. */
  static boolean isAuthority(String text) {
    return text.chars().allMatch(c -> c > ' ' && c < 0x7f);
  }

  /** Java's WebSocket client sends its whole address as the target (T-64). */
  private static int schemeLength(String target) {
    for (var scheme : List.of("http://", "https://", "ws://", "wss://")) {
      if (target.regionMatches(true, 0, scheme, 0, scheme.length())) {
        return scheme.length();
      }
    }
    return 0;
  }

  private static @Nullable List<Map.Entry<String, String>> parameters(String query) {
    var parameters = new ArrayList<Map.Entry<String, String>>();
    for (var part : query.split("&", MOST_PARAMETERS + 1)) {
      if (part.isEmpty()) {
        continue;
      }
      var equals = part.indexOf('=');
      var name = decode(equals < 0 ? part : part.substring(0, equals), true);
      var value = decode(equals < 0 ? "" : part.substring(equals + 1), true);
      if (name == null || value == null || parameters.size() == MOST_PARAMETERS) {
        return null;
      }
      parameters.add(Map.entry(name, value));
    }
    return parameters;
  }

  /** Null when an escape is broken, or what comes out is no text. */
  private static @Nullable String decode(String text, boolean plusIsBlank) {
    var bytes = ByteBuffer.allocate(text.length());
    for (var i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      if (c == '%') {
        var high = i + 2 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
        var low = i + 2 < text.length() ? Character.digit(text.charAt(i + 2), 16) : -1;
        if (high < 0 || low < 0) {
          return null;
        }
        bytes.put((byte) (high << 4 | low));
        i += 2;
      } else if (c <= ' ' || c >= 0x7f) {
        return null;
      } else {
        bytes.put((byte) (c == '+' && plusIsBlank ? ' ' : c));
      }
    }
    return text(bytes.flip());
  }

  private static @Nullable String text(ByteBuffer bytes) {
    try {
      var text =
          StandardCharsets.UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .decode(bytes)
              .toString();
      return text.chars().anyMatch(c -> c < ' ' || c == 0x7f) ? null : text;
    } catch (CharacterCodingException noText) {
      return null;
    }
  }

  /** Parts that mean "here" or "up" are in no name, and a way out where a name becomes a path. */
  private static boolean escapes(String path) {
    for (var part : path.split("[/\\\\]", -1)) {
      if (part.equals(".") || part.equals("..")) {
        return true;
      }
    }
    return false;
  }
}
