package io.peeklock.http;

import io.peeklock.runtime.message.BodyRest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An answer.
 *
 * @param status such as 201
 * @param headers beside length, date and what keeps the connection; names as they are to be sent.
 *     Without CR, LF or NUL
 * @param body its bytes, or those that it begins with; given away, not to be changed any more
 * @param rest what follows, read as the peer takes it, and closed when the peer goes away before
 *     its end; null for nothing
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; a copy of a message would be waste
public record HttpAnswer(int status, List<Header> headers, byte[] body, @Nullable BodyRest rest) {
  private static final byte[] NOTHING = {};

  /** One header. */
  public record Header(String name, String value) {
    /** Refuses what would end the header early. */
    public Header {
      if (hasBreak(name) || hasBreak(value)) {
        throw new IllegalArgumentException("a header must not hold CR, LF or NUL");
      }
    }

    private static boolean hasBreak(String text) {
      return text.chars().anyMatch(c -> c == '\r' || c == '\n' || c == 0);
    }
  }

  /** Takes a copy of the headers. */
  public HttpAnswer {
    headers = List.copyOf(headers);
  }

  /** A whole one. */
  public HttpAnswer(int status, List<Header> headers, byte[] body) {
    this(status, headers, body, null);
  }

  /** The same with a body that goes on. */
  public HttpAnswer withRest(@Nullable BodyRest next) {
    return new HttpAnswer(status, headers, body, next);
  }

  /** Without a body. */
  public static HttpAnswer empty(int status) {
    return new HttpAnswer(status, List.of(), NOTHING);
  }

  /** With a text in UTF-8. */
  public static HttpAnswer text(int status, String contentType, String text) {
    var type = new Header("Content-Type", contentType + "; charset=utf-8");
    return new HttpAnswer(status, List.of(type), text.getBytes(StandardCharsets.UTF_8));
  }

  /** The form in which every client of the vendor reads an error (admin-http.md 12). */
  public static HttpAnswer error(int status, String detail) {
    var body = "<Error><Code>" + status + "</Code><Detail>" + escaped(detail) + "</Detail></Error>";
    return text(status, "application/xml", body);
  }

  /** The same with one more header. */
  public HttpAnswer with(String name, String value) {
    var more = new ArrayList<>(headers);
    more.add(new Header(name, value));
    return new HttpAnswer(status, more, body, rest);
  }

  private static String escaped(String text) {
    var escaped = new StringBuilder(text.length());
    for (var i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      switch (c) {
        case '<' -> escaped.append("&lt;");
        case '>' -> escaped.append("&gt;");
        case '&' -> escaped.append("&amp;");
        default -> escaped.append(c < ' ' || Character.isSurrogate(c) ? '?' : c);
      }
    }
    return escaped.toString();
  }
}
