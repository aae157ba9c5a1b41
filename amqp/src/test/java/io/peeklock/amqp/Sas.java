package io.peeklock.amqp;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs tokens as the SDKs do. */
final class Sas {
  private Sas() {}

  static String token(String resource, String policy, String key, long expirySeconds) {
    try {
      var encoded = URLEncoder.encode(resource, StandardCharsets.UTF_8);
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      var signed = (encoded + "\n" + expirySeconds).getBytes(StandardCharsets.UTF_8);
      var signature = Base64.getEncoder().encodeToString(mac.doFinal(signed));
      return "SharedAccessSignature sr="
          + encoded
          + "&sig="
          + URLEncoder.encode(signature, StandardCharsets.UTF_8)
          + "&se="
          + expirySeconds
          + "&skn="
          + policy;
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
