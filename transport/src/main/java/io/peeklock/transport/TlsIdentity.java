package io.peeklock.transport;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLException;

/**
 * The certificate and key that the listener shows. TLS 1.2 and 1.3 with forward secrecy and
 * authenticated ciphers only (reliability.md 5.5).
 */
public final class TlsIdentity {
  private static final List<String> CIPHERS =
      List.of(
          "TLS_AES_256_GCM_SHA384",
          "TLS_AES_128_GCM_SHA256",
          "TLS_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

  private final SslContext context;

  private TlsIdentity(SslContext context) {
    this.context = context;
  }

  /**
   * Reads both from PEM files.
   *
   * @param certificate the certificate, followed by those that lead to its root
   * @param key its private key, PKCS#8, without a password
   * @throws IOException when a file cannot be read, is not what it should be, or the certificate is
   *     not valid today; the text says which
   */
  public static TlsIdentity load(Path certificate, Path key) throws IOException {
    checkReadable(certificate, "certificate");
    checkReadable(key, "key");
    checkValidToday(certificate);
    try {
      return new TlsIdentity(
          SslContextBuilder.forServer(certificate.toFile(), key.toFile())
              .sslProvider(SslProvider.JDK)
              .protocols("TLSv1.3", "TLSv1.2")
              .ciphers(CIPHERS)
              .applicationProtocolConfig(
                  new ApplicationProtocolConfig(
                      ApplicationProtocolConfig.Protocol.ALPN,
                      ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                      ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                      "http/1.1"))
              .build());
    } catch (SSLException | IllegalArgumentException unusable) {
      throw new IOException(
          "the TLS key "
              + key
              + " cannot be used with the certificate "
              + certificate
              + ": a PKCS#8 key in PEM without a password is needed",
          unusable);
    }
  }

  SslHandler newHandler(ByteBufAllocator allocator, long handshakeMillis) {
    var handler = context.newHandler(allocator);
    handler.setHandshakeTimeoutMillis(handshakeMillis);
    return handler;
  }

  private static void checkReadable(Path file, String what) throws IOException {
    if (!Files.isReadable(file)) {
      throw new IOException("the TLS " + what + " " + file + " cannot be read");
    }
  }

  private static void checkValidToday(Path certificate) throws IOException {
    try (var in = Files.newInputStream(certificate)) {
      var own = (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
      own.checkValidity();
    } catch (CertificateException invalid) {
      throw new IOException(
          "the TLS certificate " + certificate + " cannot be used: " + invalid.getMessage(),
          invalid);
    }
  }
}
