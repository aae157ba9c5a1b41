package io.peeklock.runtime.access;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Normalises the paths of resources, so that they can be compared (amqp.md 2.2, 3.1): without
 * scheme, authority, query and outer slashes, percent-decoded once, in lower case.
 */
public final class ResourcePath {
  private ResourcePath() {}

  /** The path in an address, an audience, or the resource of a token. */
  public static String normalise(String address) {
    return withCase(address).toLowerCase(Locale.ROOT);
  }

  /** As {@link #normalise}, but keeps the case. */
  public static String withCase(String address) {
    var scheme = address.indexOf("://");
    var path = address;
    if (scheme >= 0) {
      var slash = address.indexOf('/', scheme + 3);
      path = slash < 0 ? "" : address.substring(slash);
      // Some clients sign for the whole URL of a request (admin-http.md 3.1); no name holds a "?".
      var query = path.indexOf('?');
      path = query < 0 ? path : path.substring(0, query);
    }
    return trimSlashes(percentDecode(trimSlashes(path)));
  }

  /**
   * Whether rights on one path cover another, which is the same or below it, segment by segment.
   * Both must be normalised.
   */
  public static boolean covers(String granted, String asked) {
    if (hasDotSegment(asked)) {
      return false;
    }
    return granted.isEmpty()
        || (asked.startsWith(granted)
            && (asked.length() == granted.length() || asked.charAt(granted.length()) == '/'));
  }

  /** Percent-decodes UTF-8; an invalid escape stays as it is. */
  static String percentDecode(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    var out = new ByteArrayOutputStream(bytes.length);
    for (var i = 0; i < bytes.length; i++) {
      var high = bytes[i] == '%' && i + 2 < bytes.length ? hex(bytes[i + 1]) : -1;
      var low = high >= 0 ? hex(bytes[i + 2]) : -1;
      if (low >= 0) {
        out.write(high << 4 | low);
        i += 2;
      } else {
        out.write(bytes[i]);
      }
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static int hex(byte digit) {
    return Character.digit((char) digit, 16);
  }

  private static boolean hasDotSegment(String path) {
    if (path.indexOf('.') < 0) {
      return false;
    }
    var framed = "/" + path + "/";
    return framed.contains("/../") || framed.contains("/./");
  }

  private static String trimSlashes(String path) {
    var start = 0;
    var end = path.length();
    while (start < end && path.charAt(start) == '/') {
      start++;
    }
    while (end > start && path.charAt(end - 1) == '/') {
      end--;
    }
    return path.substring(start, end);
  }
}
