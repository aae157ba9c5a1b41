package io.peeklock.http.messages;

import io.peeklock.http.HttpAnswer;
import io.peeklock.http.HttpCall;
import io.peeklock.runtime.message.ReceivedMessage;
import io.peeklock.runtime.message.TextProperty;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Locale;

/** Answers that say yes (runtime-http.md 7). */
final class Answers {
  private static final String XML = "application/xml; charset=utf-8";
  private static final String UNRESERVED = "-._~$!'()*,;:@";

  private Answers() {}

  /** Done, and no more to say. */
  static HttpAnswer done(int status) {
    return HttpAnswer.empty(status).with("Content-Type", XML);
  }

  /** A message; locked ones have an address at which the lock is ended. */
  static HttpAnswer of(HttpCall call, String entity, ReceivedMessage message) {
    var headers = new ArrayList<HttpAnswer.Header>();
    var lock = message.lock();
    if (lock != null) {
      var location =
          (call.tls() ? "https://" : "http://")
              + call.head().authority()
              + "/"
              + encoded(entity)
              + "/messages/"
              + message.stored().sequenceNumber()
              + "/"
              + lock.token();
      headers.add(new HttpAnswer.Header("Location", location));
    }
    headers.add(new HttpAnswer.Header("BrokerProperties", BrokerProperties.of(message)));
    var type = message.texts().get(TextProperty.CONTENT_TYPE);
    var isUnfit = type == null || type.isBlank() || !HeaderText.isPlain(type);
    headers.add(
        new HttpAnswer.Header("Content-Type", type == null || isUnfit ? XML : type.strip()));
    headers.addAll(PropertyHeaders.of(message.applicationProperties()));
    return new HttpAnswer(lock == null ? 200 : 201, headers, message.body(), message.rest());
  }

  /** A path as an address has it; slashes stay. */
  private static String encoded(String path) {
    var out = new StringBuilder(path.length() + 8);
    for (var octet : path.getBytes(StandardCharsets.UTF_8)) {
      var c = (char) (octet & 0xff);
      var plain =
          (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/';
      if (plain || UNRESERVED.indexOf(c) >= 0) {
        out.append(c);
      } else {
        out.append(String.format(Locale.ROOT, "%%%02X", (int) c));
      }
    }
    return out.toString();
  }
}
