package io.peeklock.http.messages;

import io.peeklock.http.HttpAnswer;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Application properties as headers (runtime-http.md 6): texts and times in quotes, numbers and
 * truths bare. A header that HTTP itself, a browser or a proxy understands is never a property, in
 * neither direction: a message must not be able to say where its answer ends.
 */
final class PropertyHeaders {
  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}");
  private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]{1,19}");
  private static final Pattern BROKEN =
      Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]{1,4})?");
  private static final int LONGEST_NUMBER = 100;

  private static final Set<String> NEVER =
      Set.of(
          "authorization",
          "brokerproperties",
          "connection",
          "cookie",
          "date",
          "expect",
          "host",
          "keep-alive",
          "origin",
          "referer",
          "server",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "user-agent",
          "via",
          "allow",
          "alt-svc",
          "age",
          "cache-control",
          "clear-site-data",
          "etag",
          "expires",
          "last-modified",
          "link",
          "location",
          "pragma",
          "refresh",
          "retry-after",
          "set-cookie",
          "strict-transport-security",
          "vary",
          "warning",
          "www-authenticate");
  private static final List<String> NEVER_BEGIN =
      List.of(
          "accept",
          "access-control-",
          "content-",
          "cross-origin-",
          "proxy-",
          "sec-",
          "x-content-type-options",
          "x-forwarded-",
          "x-frame-options",
          "x-ms-");

  private PropertyHeaders() {}

  private static boolean isNever(String name) {
    var lower = name.toLowerCase(Locale.ROOT);
    return NEVER.contains(lower)
        || NEVER_BEGIN.stream().anyMatch(lower::startsWith)
        || (lower.startsWith("servicebus") && lower.endsWith("authorization"));
  }

  /** Reads the properties among the headers of a request. */
  static void read(List<Map.Entry<String, String>> headers, MessageDraft into) throws BadRequest {
    var names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    for (var header : headers) {
      var name = header.getKey();
      if (isNever(name)) {
        continue;
      }
      if (!names.add(name)) {
        throw new BadRequest("the header '" + name + "' is there twice");
      }
      into.properties.put(name, value(HeaderText.meant(header.getValue().strip())));
    }
  }

  private static Object value(String text) {
    if (text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"")) {
      var inner = HeaderText.unescaped(text.substring(1, text.length() - 1));
      return HttpTimes.rfc1123(inner).<Object>map(time -> time).orElse(inner);
    }
    if (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false")) {
      return Boolean.valueOf(text);
    }
    var number = text.length() > LONGEST_NUMBER ? null : number(text);
    return number == null ? text : number;
  }

  private static @Nullable Object number(String text) {
    if (WHOLE.matcher(text).matches()) {
      var whole = new BigInteger(text);
      if (whole.bitLength() < Long.SIZE) {
        return whole.longValue();
      }
    }
    var number = BROKEN.matcher(text).matches() ? Double.parseDouble(text) : Double.NaN;
    return Double.isFinite(number) ? number : null;
  }

  /** Writes properties; those whose name or value fits no header are left out. */
  static List<HttpAnswer.Header> of(Map<String, Object> properties) {
    var headers = new ArrayList<HttpAnswer.Header>();
    properties.forEach(
        (name, value) -> {
          var text = text(value);
          if (text != null && TOKEN.matcher(name).matches() && !isNever(name)) {
            headers.add(new HttpAnswer.Header(name, text));
          }
        });
    return headers;
  }

  private static @Nullable String text(Object value) {
    return switch (value) {
      case Boolean truth -> truth.toString();
      case Long number -> number.toString();
      case BigInteger number -> number.toString();
      case BigDecimal number -> number.toString();
      case Float number -> number.toString();
      case Double number -> number.toString();
      case Instant time -> quoted(HttpTimes.rfc1123(time.toEpochMilli()));
      case Duration span -> quoted(span.toString());
      case byte[] bytes -> null;
      default -> quoted(value.toString());
    };
  }

  private static String quoted(String text) {
    return '"' + HeaderText.escaped(text) + '"';
  }
}
