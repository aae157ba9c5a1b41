package io.peeklock.transport;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executor;
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

  /** Who does not take the end of its TLS for so long does not get it. */
  private static final long FAREWELL_MILLIS = 1_000;

  private final X509Certificate certificate;
  private final SslContext context;

  private TlsIdentity(X509Certificate certificate, SslContext context) {
    this.certificate = certificate;
    this.context = context;
  }

  /**
   * Reads both from PEM files.
   *
   * @param certificate the certificate, followed by those that lead to its root
   * @param key its private key, PKCS#8, without a password
   * @throws IOException when a file cannot be read, is not what it should be, the certificate is
   *     not valid today, or the two do not belong together; the text says which
   */
  public static TlsIdentity load(Path certificate, Path key) throws IOException {
    return of(readable(certificate, "certificate"), readable(key, "key"), certificate + "", key);
  }

  private static TlsIdentity of(
      byte[] certificate, byte[] key, String certificateName, Path keyName) throws IOException {
    var chain = chain(certificate, certificateName);
    var secret = PrivateKeys.inPem(key, keyName.toString());
    PrivateKeys.check(secret, chain.getFirst(), keyName.toString(), certificateName);
    return of(secret, chain);
  }

  /** From what is in memory already; the two belong together. */
  static TlsIdentity of(PrivateKey key, List<X509Certificate> chain) throws IOException {
    try {
      var context =
          SslContextBuilder.forServer(key, chain.toArray(X509Certificate[]::new))
              .sslProvider(SslProvider.JDK)
              .protocols("TLSv1.3", "TLSv1.2")
              .ciphers(CIPHERS)
              .applicationProtocolConfig(
                  new ApplicationProtocolConfig(
                      ApplicationProtocolConfig.Protocol.ALPN,
                      ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                      ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                      "http/1.1"))
              .build();
      return new TlsIdentity(chain.getFirst(), context);
    } catch (SSLException | IllegalArgumentException unusable) {
      throw new IOException(
          "the TLS certificate " + chain.getFirst().getSubjectX500Principal() + " is of no use",
          unusable);
    }
  }

  /**
   * For a handshake that takes any time: the {@link Sniffer} behind it has the deadline.
   *
   * @param computes what takes long
   */
  SslHandler newHandler(ByteBufAllocator allocator, Executor computes) {
    var handler = context.newHandler(allocator, computes);
    handler.setHandshakeTimeoutMillis(0);
    handler.setCloseNotifyFlushTimeoutMillis(FAREWELL_MILLIS);
    return handler;
  }

  /** Until when clients accept it. */
  public Instant validUntil() {
    return certificate.getNotAfter().toInstant();
  }

  private static byte[] readable(Path file, String what) throws IOException {
    if (!Files.isReadable(file)) {
      throw new IOException("the TLS " + what + " " + file + " cannot be read");
    }
    return Files.readAllBytes(file);
  }

  private static List<X509Certificate> chain(byte[] pem, String name) throws IOException {
    try {
      var chain =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(pem))
              .stream()
              .map(X509Certificate.class::cast)
              .toList();
      if (chain.isEmpty()) {
        throw new CertificateException("there is none in the file");
      }
      chain.getFirst().checkValidity();
      return chain;
    } catch (CertificateException invalid) {
      throw new IOException(
          "the TLS certificate " + name + " cannot be used: " + invalid.getMessage(), invalid);
    }
  }
}
