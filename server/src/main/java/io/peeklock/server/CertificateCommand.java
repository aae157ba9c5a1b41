package io.peeklock.server;

import io.peeklock.server.config.ConfigurationException;
import io.peeklock.transport.AuthorityOfBroker;
import io.peeklock.transport.LocalAuthority;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Hands out the certificate that clients must trust when nobody brought one. Works beside a running
 * broker, and before its first start.
 */
final class CertificateCommand {
  private static final int DONE = 0;
  private static final int FAILED = 1;
  private static final int PORT = 5_672;
  private static final String DATA = "peeklock-data";
  private static final Set<String> OPTIONS = Set.of("--data", "--from", "--out");

  private @Nullable String data;
  private @Nullable String from;
  private @Nullable String out;

  private CertificateCommand() {}

  /**
   * Runs it.
   *
   * @return the exit code
   * @throws ConfigurationException when the options cannot be
   */
  static int run(List<String> options, PrintStream print) {
    if (options.isEmpty() || !options.getFirst().equals("export")) {
      throw new ConfigurationException("certificate has one command: export");
    }
    var command = new CertificateCommand();
    var rest = options.subList(1, options.size()).iterator();
    while (rest.hasNext()) {
      command.take(rest.next(), rest);
    }
    return command.export(print);
  }

  private void take(String option, Iterator<String> rest) {
    var equals = option.indexOf('=');
    var name = equals < 0 ? option : option.substring(0, equals);
    if (!OPTIONS.contains(name)) {
      throw new ConfigurationException("certificate export has no option \"" + name + "\"");
    }
    if (equals < 0 && !rest.hasNext()) {
      throw new ConfigurationException(name + " needs a value");
    }
    var value = equals < 0 ? rest.next() : option.substring(equals + 1);
    switch (name) {
      case "--data" -> data = value;
      case "--from" -> from = value;
      default -> out = value;
    }
  }

  private int export(PrintStream print) {
    try {
      var pem = pem();
      if (out == null) {
        print.print(pem);
      } else {
        var file = path("--out", out);
        Files.writeString(file, pem);
        print.print(hints(file.toAbsolutePath().normalize()));
      }
      print.flush();
      return DONE;
    } catch (IOException cannot) {
      System.err.println("peeklock: the certificate cannot be exported: " + cannot.getMessage());
      return FAILED;
    }
  }

  private String pem() throws IOException {
    if (from == null) {
      var folder = path("--data", data == null ? DATA : data).resolve(Tls.FOLDER);
      return new LocalAuthority(folder, List.of(), Runnable::run).certificate();
    }
    if (data != null) {
      throw new ConfigurationException("--data and --from are two places: say one of them");
    }
    return new AuthorityOfBroker(address(from)).certificate();
  }

  /** A host with or without a port. */
  private static InetSocketAddress address(String from) {
    try {
      var parsed = new URI("tls://" + from);
      if (parsed.getHost() != null && parsed.getRawAuthority().equals(from)) {
        return new InetSocketAddress(
            parsed.getHost(), parsed.getPort() < 0 ? PORT : parsed.getPort());
      }
    } catch (URISyntaxException | IllegalArgumentException notOne) {
      // said below
    }
    throw new ConfigurationException("--from: \"" + from + "\" is not HOST:PORT");
  }

  private static Path path(String option, String value) {
    try {
      if (!value.isBlank()) {
        return Path.of(value);
      }
    } catch (InvalidPathException invalid) {
      throw new ConfigurationException(option + ": \"" + value + "\" is not a path");
    }
    throw new ConfigurationException(option + ": the path is empty");
  }

  /** One line for each kind of client. */
  static String hints(Path file) {
    return """
    Wrote @FILE@, the certificate of this broker's own authority. Clients that trust it trust the broker:

      JVM      keytool -importcert -cacerts -storepass changeit -noprompt -alias peeklock -file @FILE@
      Node.js  export NODE_EXTRA_CA_CERTS=@FILE@
      Go       export SSL_CERT_FILE=@FILE@
      Python   export REQUESTS_CA_BUNDLE=@FILE@ SSL_CERT_FILE=@FILE@
               for administration; messages: ServiceBusClient(..., connection_verify="@FILE@")
      .NET     export SSL_CERT_FILE=@FILE@
               on Linux; elsewhere put it among the trusted roots
      curl     export CURL_CA_BUNDLE=@FILE@
    """
        .replace("@FILE@", file.toString());
  }

  static String help() {
    return """
    Usage: peeklock certificate export [--data DIR | --from HOST:PORT] [--out FILE]

    Writes the certificate of the authority that a broker makes for itself when it is given none
    (serve --tls-certificate), and says how clients are told to trust it. There may be a broker on
    the folder or not; an authority is made when the folder has none yet.

      --data DIR        the broker's data folder (default: peeklock-data)
      --from HOST:PORT  ask the broker that runs there, as for one that is in memory or in a
                        container (port: 5672 when left out). Nothing vouches for the answer but
                        the network between
      --out FILE        where to write it, in PEM (default: print it)

    Ends with 0 when done, 1 when a file cannot be read or written or no broker answers, 2 for a
    wrong option.
    """;
  }
}
