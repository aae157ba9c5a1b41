package io.peeklock.simulator.frames;

import io.peeklock.runtime.access.AccessControl;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Shared access signatures, as clients make them. */
final class Token {
  static final String AUDIENCE = "sb://localhost";
  private static final String HMAC = "HmacSHA256";

  private Token() {}

  /**
   * One for all of the namespace, whose rights end at this time of the wall, or a little before.
   */
  static String until(long wallMillis) {
    var expiry = Math.floorDiv(wallMillis - AccessControl.SKEW_MILLIS, 1_000);
    var resource = encoded(AUDIENCE);
    return "SharedAccessSignature sr="
        + resource
        + "&sig="
        + encoded(signature(resource + "\n" + expiry))
        + "&se="
        + expiry
        + "&skn="
        + BrokerEdge.LOGIN;
  }

  private static String signature(String text) {
    try {
      var mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(BrokerEdge.KEY.getBytes(StandardCharsets.UTF_8), HMAC));
      return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("every JDK has " + HMAC, missing);
    }
  }

  private static String encoded(String text) {
    return text.replace("+", "%2B").replace("/", "%2F").replace("=", "%3D").replace(":", "%3A");
  }
}
