package io.peeklock.transport;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads private keys, and tells whether they are good for a certificate. */
final class PrivateKeys {
  private static final Logger LOG = LoggerFactory.getLogger(PrivateKeys.class);
  private static final Pattern PKCS8 =
      Pattern.compile("-----BEGIN PRIVATE KEY-----(.+?)-----END PRIVATE KEY-----", Pattern.DOTALL);
  private static final int LEAST_RSA_BITS = 2_048;

  private PrivateKeys() {}

  /**
   * The first key of a PEM file.
   *
   * @throws IOException when there is none that can be read; the text holds nothing of it
   */
  static PrivateKey inPem(byte[] pem, String name) throws IOException {
    var found = PKCS8.matcher(new String(pem, StandardCharsets.ISO_8859_1));
    var key = found.find() ? decoded(found.group(1)) : null;
    if (key == null) {
      throw new IOException(
          "the TLS key "
              + name
              + " cannot be used: a PKCS#8 key in PEM without a password is needed");
    }
    return key;
  }

  /** Which kind of key it is stands inside; each kind is tried. */
  private static @Nullable PrivateKey decoded(String base64) {
    for (var algorithm : List.of("EC", "RSA", "EdDSA")) {
      try {
        var bytes = Base64.getMimeDecoder().decode(base64);
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
      } catch (GeneralSecurityException | IllegalArgumentException another) {
        LOG.trace("This is no key of {}", algorithm);
      }
    }
    return null;
  }

  /**
   * Signs something with the key and verifies it with the certificate.
   *
   * @throws IOException when they do not belong together, or the key is too short
   */
  static void check(PrivateKey key, X509Certificate certificate, String keyName, String name)
      throws IOException {
    if (key instanceof RSAKey rsa && rsa.getModulus().bitLength() < LEAST_RSA_BITS) {
      throw new IOException(
          "the TLS key " + keyName + " has less than " + LEAST_RSA_BITS + " bits");
    }
    if (!belongs(key, certificate)) {
      throw new IOException(
          "the TLS key " + keyName + " does not belong to the certificate " + name);
    }
  }

  private static boolean belongs(PrivateKey key, X509Certificate certificate) {
    var algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> "EdDSA";
        };
    try {
      var signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(certificate.getSignature());
      var signed = signature.sign();
      signature.initVerify(certificate.getPublicKey());
      signature.update(certificate.getSignature());
      return signature.verify(signed);
    } catch (GeneralSecurityException differentKinds) {
      return false;
    }
  }
}
