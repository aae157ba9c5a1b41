package io.peeklock.runtime.access;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A shared access signature, parsed but not yet verified (amqp.md 2.3).
 *
 * @param signedResource {@code sr} exactly as in the token, as this text was signed
 * @param signedExpiry {@code se} exactly as in the token
 * @param signature {@code sig}, decoded
 * @param policyName {@code skn}, decoded
 */
record SasToken(String signedResource, String signedExpiry, byte[] signature, String policyName) {
  private static final Pattern DIGITS = Pattern.compile("-?[0-9]+");

  private static final String PREFIX = "SharedAccessSignature ";
  private static final int MAX_CHARS = 8_192;

  /** Parses a token; null when the text is none. */
  static @Nullable SasToken parse(String text) {
    if (text.length() > MAX_CHARS || !text.regionMatches(true, 0, PREFIX, 0, PREFIX.length())) {
      return null;
    }
    var values = new @Nullable String[4];
    var start = PREFIX.length();
    while (start <= text.length()) {
      var end = text.indexOf('&', start);
      end = end < 0 ? text.length() : end;
      if (!take(values, text.substring(start, end).strip())) {
        return null;
      }
      start = end + 1;
    }
    return of(values[0], values[1], values[2], values[3]);
  }

  /** Stores a field; false when it comes twice. */
  private static boolean take(@Nullable String[] values, String field) {
    var equals = field.indexOf('=');
    var place =
        switch (equals < 0 ? "" : field.substring(0, equals)) {
          case "sr" -> 0;
          case "se" -> 1;
          case "sig" -> 2;
          case "skn" -> 3;
          default -> -1;
        };
    if (place < 0) {
      return true;
    }
    if (values[place] != null) {
      return false;
    }
    values[place] = field.substring(equals + 1);
    return true;
  }

  private static @Nullable SasToken of(
      @Nullable String resource,
      @Nullable String expiry,
      @Nullable String signature,
      @Nullable String policy) {
    if (resource == null || expiry == null || signature == null || policy == null) {
      return null;
    }
    try {
      var raw = ResourcePath.percentDecode(signature).getBytes(StandardCharsets.ISO_8859_1);
      return new SasToken(resource, expiry, Base64.getDecoder().decode(raw), decode(policy));
    } catch (IllegalArgumentException notBase64) {
      return null;
    }
  }

  /** The resource that the token is for: {@code sr} decoded. */
  String resource() {
    return decode(signedResource);
  }

  /** The expiry in seconds since 1970; null when it is no number in digits of ASCII. */
  @Nullable Long expirySeconds() {
    if (!DIGITS.matcher(signedExpiry).matches()) {
      return null;
    }
    try {
      return Long.valueOf(signedExpiry);
    } catch (NumberFormatException notNumber) {
      return null;
    }
  }

  /** The bytes that are signed. */
  byte[] signedText() {
    return (signedResource + "\n" + signedExpiry).getBytes(StandardCharsets.UTF_8);
  }

  private static String decode(String value) {
    return ResourcePath.percentDecode(value.replace('+', ' '));
  }

  @Override
  public String toString() {
    return "SasToken[" + policyName + "]";
  }
}
