package io.peeklock.cli;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A shared access signature, which proves a key without showing it (S-462). */
final class Signature {
  private static final String ALGORITHM = "HmacSHA256";
  private static final Duration LASTS = Duration.ofHours(1);

  private Signature() {}

  /** One for all of a broker's default namespace, for an hour. */
  static String of(ConnectionString where) {
    var resource = encoded("https://" + where.host() + "/");
    var expiry = Instant.now().plus(LASTS).getEpochSecond();
    try {
      var mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(where.key().getBytes(StandardCharsets.UTF_8), ALGORITHM));
      var signed = mac.doFinal((resource + "\n" + expiry).getBytes(StandardCharsets.UTF_8));
      return "SharedAccessSignature sr="
          + resource
          + "&sig="
          + encoded(Base64.getEncoder().encodeToString(signed))
          + "&se="
          + expiry
          + "&skn="
          + encoded(where.keyName());
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, impossible);
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
