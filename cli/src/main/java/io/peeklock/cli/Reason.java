package io.peeklock.cli;

import java.io.EOFException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/** Why a broker cannot be talked to, in words that are not those of the JVM. */
final class Reason {
  /** The name of an exception, as some libraries put it before what they say. */
  private static final Pattern CLASS_NAME =
      Pattern.compile("\\b[a-z][\\w]*(\\.[\\w$]+)+(Exception|Error|Failure)\\b(: *)?");

  private Reason() {}

  /** What is wrong, and what to do about it where that is known. */
  static String of(Throwable failed, ConnectionString where) {
    var causes = causes(failed);
    for (var i = causes.size() - 1; i >= 0; i--) { // the innermost knows best
      var sentence = known(causes.get(i), where);
      if (!sentence.isEmpty()) {
        return sentence;
      }
    }
    return said(causes);
  }

  private static List<Throwable> causes(Throwable failed) {
    var causes = new ArrayList<Throwable>();
    for (Throwable cause = failed; cause != null && causes.size() < 50; cause = cause.getCause()) {
      causes.add(cause);
    }
    return causes;
  }

  private static String known(Throwable cause, ConnectionString where) {
    var said = String.valueOf(cause.getMessage());
    return switch (cause) {
      case UnknownHostException none -> "there is no host " + where.host();
      case UnresolvedAddressException none -> "there is no host " + where.host();
      case NoRouteToHostException none -> "no way leads there";
      case HttpConnectTimeoutException slow -> "it did not answer in 10 s";
      case ConnectException none ->
          said.contains("imed out") ? "it did not answer in 10 s" : "nothing listens there";
      case TimeoutException slow -> "it did not answer in time";
      default -> ofTls(cause, said, where);
    };
  }

  private static String ofTls(Throwable cause, String said, ConnectionString where) {
    return switch (cause) {
      case CertificateExpiredException old -> "its certificate has expired";
      case CertificateNotYetValidException young -> "its certificate is not valid yet";
      case CertPathBuilderException none -> untrusted(where);
      case CertPathValidatorException none -> untrusted(where);
      case CertificateException none ->
          said.contains("alternative") || said.contains("No name matching")
              ? "its certificate is for other names than " + where.host()
              : "";
      case SSLException none ->
          said.contains("not an SSL/TLS record") || said.contains("plaintext connection")
              ? "it does not speak TLS there; with UseDevelopmentEmulator=true in the connection"
                  + " string none is spoken"
              : "";
      default -> "";
    };
  }

  private static String untrusted(ConnectionString where) {
    return "its certificate is not trusted. --ca FILE or PEEKLOCK_CA names the authority to trust;"
        + " peeklock certificate export --from "
        + where.host()
        + ":"
        + where.port()
        + " --out FILE writes that of the broker";
  }

  /** The first line of the innermost cause that says anything. */
  private static String said(List<Throwable> causes) {
    var text = "";
    for (var cause : causes) {
      if (cause instanceof ClosedChannelException || cause instanceof EOFException) {
        return "it closed the connection";
      }
      text = cause.getMessage() == null ? text : cause.getMessage();
    }
    var line = withoutClassNames(text.lines().findFirst().orElse(""));
    return line.isBlank() ? "the connection failed" : line;
  }

  /** A sentence without the names of exceptions in it. */
  static String withoutClassNames(String text) {
    return CLASS_NAME.matcher(text).replaceAll("").strip();
  }
}
