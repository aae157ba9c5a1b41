package io.peeklock.transport;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/** Gives certificates: an authority's certificate and key. */
final class Issuer {
  private static final Duration AUTHORITY_LASTS = Duration.ofDays(3_650);
  private static final Duration CERTIFICATE_LASTS = Duration.ofDays(397);
  private static final Duration CLOCK_SKEW = Duration.ofDays(1);
  private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|[0-9a-fA-F:]*:[0-9a-fA-F:.]*");
  private static final String SIGNATURE = "SHA256withECDSA";
  private static final int SERIAL_BITS = 127;
  private static final int LINE = 64;

  private final X509Certificate certificate;
  private final PrivateKey key;

  /** A certificate of an issuer with its key. */
  record Issued(X509Certificate certificate, PrivateKey key, X509Certificate issuer) {

    TlsIdentity identity() throws IOException {
      return TlsIdentity.of(key, List.of(certificate, issuer));
    }

    boolean lastsFor(Duration duration) {
      return certificate.getNotAfter().toInstant().isAfter(Instant.now().plus(duration));
    }

    boolean covers(List<String> names) {
      try {
        var known = new HashSet<String>();
        for (var name : certificate.getSubjectAlternativeNames()) {
          known.add(String.valueOf(name.get(1)).toLowerCase(Locale.ROOT));
        }
        return names.stream().map(Issuer::canonical).allMatch(known::contains);
      } catch (CertificateException broken) {
        return false;
      }
    }

    /** All three, the key first. */
    String pem() throws IOException {
      return pemOf(key) + pemOf(certificate) + pemOf(issuer);
    }
  }

  private Issuer(X509Certificate certificate, PrivateKey key) {
    this.certificate = certificate;
    this.key = key;
  }

  /** A new one. */
  static Issuer create() throws IOException {
    try {
      var pair = newPair();
      var id = String.format(Locale.ROOT, "%08x", new SecureRandom().nextInt());
      var name = new X500Name("CN=Peeklock local CA " + id);
      var builder = builder(name, name, pair.getPublic(), AUTHORITY_LASTS);
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
      builder.addExtension(
          Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
      return new Issuer(signed(builder, pair.getPrivate()), pair.getPrivate());
    } catch (GeneralSecurityException | OperatorCreationException impossible) {
      throw new IOException("no certificate authority could be made", impossible);
    }
  }

  /** One that was kept. */
  static Issuer of(String certificatePem, String keyPem) throws IOException {
    var known = certificates(certificatePem).getFirst();
    var key = PrivateKeys.inPem(keyPem.getBytes(StandardCharsets.US_ASCII), "of the authority");
    PrivateKeys.check(key, known, "of the authority", "of the authority");
    return new Issuer(known, key);
  }

  String certificatePem() throws IOException {
    return pemOf(certificate);
  }

  String keyPem() {
    return pemOf(key);
  }

  /** A certificate for a server with these names and addresses. */
  Issued issue(List<String> names) throws IOException {
    try {
      var pair = newPair();
      var issuer = X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
      var builder =
          builder(issuer, new X500Name("CN=Peeklock"), pair.getPublic(), CERTIFICATE_LASTS);
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
      builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
      builder.addExtension(
          Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
      builder.addExtension(
          Extension.authorityKeyIdentifier,
          false,
          new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(certificate.getPublicKey()));
      builder.addExtension(Extension.subjectAlternativeName, false, alternatives(names));
      return new Issued(signed(builder, key), pair.getPrivate(), certificate);
    } catch (GeneralSecurityException | OperatorCreationException impossible) {
      throw new IOException("no certificate could be made", impossible);
    }
  }

  /** What {@link Issued#pem} wrote; null when it is of another authority, or broken. */
  @Nullable Issued read(String pem) {
    try {
      var known = certificates(pem).getFirst();
      known.verify(certificate.getPublicKey());
      var own = PrivateKeys.inPem(pem.getBytes(StandardCharsets.US_ASCII), "of the server");
      PrivateKeys.check(own, known, "of the server", "of the server");
      return new Issued(known, own, certificate);
    } catch (IOException | GeneralSecurityException ofNoUse) {
      return null;
    }
  }

  private static GeneralNames alternatives(List<String> names) {
    return new GeneralNames(
        names.stream()
            .map(
                name ->
                    new GeneralName(
                        isAddress(name) ? GeneralName.iPAddress : GeneralName.dNSName, name))
            .toArray(GeneralName[]::new));
  }

  private static boolean isAddress(String name) {
    return ADDRESS.matcher(name).matches();
  }

  /** An address in the words of the JDK, which is what a certificate is read in. */
  private static String canonical(String name) {
    if (isAddress(name)) {
      try {
        return InetAddress.getByName(name).getHostAddress(); // of a literal: nobody is asked
      } catch (UnknownHostException notOne) {
        return name;
      }
    }
    return name.toLowerCase(Locale.ROOT);
  }

  private static JcaX509v3CertificateBuilder builder(
      X500Name issuer, X500Name subject, PublicKey key, Duration lasts)
      throws GeneralSecurityException, IOException {
    var now = Instant.now();
    var serial = new BigInteger(SERIAL_BITS, new SecureRandom());
    var builder =
        new JcaX509v3CertificateBuilder(
            issuer,
            serial,
            Date.from(now.minus(CLOCK_SKEW)),
            Date.from(now.minus(CLOCK_SKEW).plus(lasts)),
            subject,
            key);
    builder.addExtension(
        Extension.subjectKeyIdentifier,
        false,
        new JcaX509ExtensionUtils().createSubjectKeyIdentifier(key));
    return builder;
  }

  private static X509Certificate signed(JcaX509v3CertificateBuilder builder, PrivateKey key)
      throws OperatorCreationException, CertificateException {
    var signer = new JcaContentSignerBuilder(SIGNATURE).build(key);
    return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
  }

  private static KeyPair newPair() throws GeneralSecurityException {
    var generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }

  private static List<X509Certificate> certificates(String pem) throws IOException {
    try {
      var from = pem.indexOf("-----BEGIN CERTIFICATE");
      var bytes = pem.substring(Math.max(0, from)).getBytes(StandardCharsets.US_ASCII);
      var found =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(bytes));
      if (found.isEmpty()) {
        throw new IOException("there is no certificate in a file of the authority");
      }
      return found.stream().map(X509Certificate.class::cast).toList();
    } catch (CertificateException broken) {
      throw new IOException("a certificate of the authority cannot be read", broken);
    }
  }

  static String pemOf(X509Certificate certificate) throws IOException {
    try {
      return pem("CERTIFICATE", certificate.getEncoded());
    } catch (CertificateException impossible) {
      throw new IOException(impossible);
    }
  }

  private static String pemOf(PrivateKey key) {
    return pem("PRIVATE KEY", key.getEncoded());
  }

  private static String pem(String kind, byte[] bytes) {
    var text = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(bytes);
    return "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n";
  }
}
