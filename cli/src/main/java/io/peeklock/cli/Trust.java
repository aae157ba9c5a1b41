package io.peeklock.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Whom a client trusts: whom the JVM trusts, and the authority of a file. Where no file is said, a
 * broker on this machine is trusted by the authority that it has made for itself and keeps in its
 * data folder: who could change that file could change the broker.
 */
final class Trust {
  private static final Pattern THIS_MACHINE =
      Pattern.compile("localhost|.*\\.localhost|127(\\.\\d{1,3}){3}|\\[?::1]?");

  private final @Nullable Path file;
  private final Path dataFolder;

  private Trust(@Nullable Path file, Path dataFolder) {
    this.file = file;
    this.dataFolder = dataFolder;
  }

  /** That of a command line: the file that was said, else that of the environment. */
  static Trust of(@Nullable Path given) {
    var environment = System.getenv("PEEKLOCK_CA");
    var data = System.getenv("PEEKLOCK_DATA");
    return of(
        given != null || environment == null || environment.isBlank()
            ? given
            : Path.of(environment),
        Path.of(data == null || data.isBlank() ? "peeklock-data" : data));
  }

  static Trust of(@Nullable Path file, Path dataFolder) {
    return new Trust(file, dataFolder);
  }

  /**
   * The context for connections to a host.
   *
   * @throws CliFailure when a file that was said cannot be read
   */
  SSLContext context(String host) {
    try {
      var context = SSLContext.getInstance("TLS");
      var managers =
          file == null
              ? new TrustManager[] {new LateTrust(() -> managers(own(host)))}
              : managers(read(file));
      context.init(null, managers, null);
      return context;
    } catch (GeneralSecurityException | IOException impossible) {
      throw new IllegalStateException("every JDK speaks TLS", impossible);
    }
  }

  /** The authority that a broker on this machine has made. */
  private Collection<? extends Certificate> own(String host) {
    var own = dataFolder.resolve("tls").resolve("ca.pem");
    var isNear = THIS_MACHINE.matcher(host.toLowerCase(Locale.ROOT)).matches();
    return isNear && Files.isReadable(own) ? read(own) : List.of();
  }

  private static Collection<? extends Certificate> read(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      var found = CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (!found.isEmpty()) {
        return found;
      }
    } catch (IOException unreadable) {
      throw CliFailure.usage("the file " + file + " cannot be read; --ca names a certificate");
    } catch (CertificateException none) {
      throw CliFailure.usage("the file " + file + " holds no certificate in PEM");
    }
    throw CliFailure.usage("the file " + file + " holds no certificate in PEM");
  }

  /** Those of the JVM are for the JVM's authorities; all of them together are one store. */
  private static TrustManager[] managers(Collection<? extends Certificate> more)
      throws GeneralSecurityException, IOException {
    var all = new ArrayList<Certificate>(more);
    for (var manager : managers((KeyStore) null)) {
      if (manager instanceof X509TrustManager known) {
        all.addAll(List.of(known.getAcceptedIssuers()));
      }
    }
    var store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    for (var i = 0; i < all.size(); i++) {
      store.setCertificateEntry("authority-" + i, all.get(i));
    }
    return managers(store);
  }

  private static TrustManager[] managers(@Nullable KeyStore store) throws GeneralSecurityException {
    var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }
}
