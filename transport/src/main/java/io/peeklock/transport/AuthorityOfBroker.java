package io.peeklock.transport;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

/** Asks a running broker for the certificate of the authority that it made for itself. */
public final class AuthorityOfBroker {
  private static final int CONNECT_MILLIS = 10_000;
  private static final int ANSWER_MILLIS = 60_000; // the first who asks waits until it is made

  private final InetSocketAddress broker;

  /**
   * @param broker where it listens, in TLS
   */
  public AuthorityOfBroker(InetSocketAddress broker) {
    this.broker = broker;
  }

  /**
   * Connects, and takes the last certificate of the broker's chain, in PEM. Nothing vouches for it
   * but the network between. Blocks.
   *
   * @throws IOException when nothing answers there in TLS, or somebody else's authority signed what
   *     answers; the message is a sentence for people
   */
  public String certificate() throws IOException {
    if (broker.isUnresolved()) {
      throw new IOException("there is no host " + broker.getHostString());
    }
    try (var plain = new Socket()) {
      plain.connect(broker, CONNECT_MILLIS);
      plain.setSoTimeout(ANSWER_MILLIS);
      return Issuer.pemOf(authority(plain));
    } catch (ConnectException | SocketTimeoutException | UnknownHostException nobody) {
      throw new IOException("nothing answers at " + shown() + ": " + nobody.getMessage(), nobody);
    } catch (SSLException refused) {
      throw new IOException(
          "what answers at " + shown() + " does not speak TLS: " + refused.getMessage(), refused);
    }
  }

  private X509Certificate authority(Socket plain) throws IOException {
    var sockets = AnyCertificate.context().getSocketFactory();
    try (var socket =
        (SSLSocket) sockets.createSocket(plain, broker.getHostString(), broker.getPort(), false)) {
      socket.startHandshake();
      var chain = socket.getSession().getPeerCertificates();
      var last = (X509Certificate) chain[chain.length - 1];
      if (last.getBasicConstraints() < 0 || !isOf(last, last)) {
        throw new IOException(
            shown()
                + " has a certificate that was given to it (serve --tls-certificate), signed by \""
                + last.getIssuerX500Principal()
                + "\": clients trust it when they trust that");
      }
      return last;
    }
  }

  private static boolean isOf(X509Certificate certificate, X509Certificate signer) {
    try {
      certificate.verify(signer.getPublicKey());
      return true;
    } catch (GeneralSecurityException another) {
      return false;
    }
  }

  private String shown() {
    return broker.getHostString() + ":" + broker.getPort();
  }
}
