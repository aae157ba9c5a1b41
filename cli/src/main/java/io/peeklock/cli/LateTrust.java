package io.peeklock.cli;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.concurrent.Callable;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Asks whom to trust when a certificate has come, not before: a broker makes its authority for the
 * first client that wants TLS, and that may be this one.
 */
final class LateTrust extends X509ExtendedTrustManager {
  private final Callable<TrustManager[]> known;

  /**
   * One that asks on each connection.
   *
   * @param known has one that checks names too, as those of the JVM do
   */
  LateTrust(Callable<TrustManager[]> known) {
    this.known = known;
  }

  private X509ExtendedTrustManager now() throws CertificateException {
    try {
      for (var manager : known.call()) {
        if (manager instanceof X509ExtendedTrustManager one) {
          return one;
        }
      }
    } catch (GeneralSecurityException refused) {
      throw new CertificateException("nobody can be trusted", refused);
    } catch (Exception unreadable) {
      throw new CertificateException(String.valueOf(unreadable.getMessage()), unreadable);
    }
    throw new CertificateException("this JVM checks no certificates");
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    now().checkServerTrusted(chain, type, engine);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    now().checkServerTrusted(chain, type, socket);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    now().checkServerTrusted(chain, type);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    throw new CertificateException("this is a client");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    throw new CertificateException("this is a client");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw new CertificateException("this is a client");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
