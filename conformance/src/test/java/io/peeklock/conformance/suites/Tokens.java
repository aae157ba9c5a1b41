package io.peeklock.conformance.suites;

import io.peeklock.conformance.BrokerProcess;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Connection strings that carry a token instead of a key. */
final class Tokens {
  private Tokens() {}

  /** With a token for the whole namespace that ends then. */
  static String connection(BrokerProcess broker, Instant expiry) {
    var resource = URLEncoder.encode("sb://localhost", StandardCharsets.UTF_8);
    var seconds = Long.toString(expiry.getEpochSecond());
    return String.format(
        Locale.ROOT,
        "Endpoint=sb://localhost:%d;SharedAccessSignature=SharedAccessSignature"
            + " sr=%s&sig=%s&se=%s&skn=%s;UseDevelopmentEmulator=true",
        broker.port(),
        resource,
        URLEncoder.encode(signature(resource + "\n" + seconds), StandardCharsets.UTF_8),
        seconds,
        BrokerProcess.KEY_NAME);
  }

  private static String signature(String text) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(BrokerProcess.KEY.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every JDK has HmacSHA256", impossible);
    }
  }
}
