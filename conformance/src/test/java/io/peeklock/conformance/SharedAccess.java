package io.peeklock.conformance;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Shared access signatures, as every client makes them. */
public final class SharedAccess {
  private static final int LASTING_SECONDS = 600;

  private SharedAccess() {}

  /** A token for a resource, such as {@code sb://localhost/orders}, that is good for minutes. */
  public static String token(String resource, String policy, String key) {
    return token(resource, policy, key, Instant.now().plusSeconds(LASTING_SECONDS));
  }

  /** One that ends then. */
  public static String token(String resource, String policy, String key, Instant expiry) {
    var encoded = encoded(resource);
    var seconds = expiry.getEpochSecond();
    return "SharedAccessSignature sr="
        + encoded
        + "&sig="
        + encoded(signature(encoded + "\n" + seconds, key))
        + "&se="
        + seconds
        + "&skn="
        + encoded(policy);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static String signature(String text, String key) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every JDK has HmacSHA256", impossible);
    }
  }
}
