package io.peeklock.server;

import io.peeklock.server.config.ConfigurationException;
import io.peeklock.server.config.ServeOptions;
import java.util.List;

/** The command line of the broker. */
public final class PeeklockMain {
  private static final int DONE = 0;
  private static final int USAGE = 2;

  private PeeklockMain() {}

  /** Runs a command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(run(List.of(arguments)));
  }

  private static int run(List<String> arguments) {
    var command = arguments.isEmpty() ? "--help" : arguments.getFirst();
    var options = arguments.subList(Math.min(1, arguments.size()), arguments.size());
    if (asks(arguments, "--version", "-V")) {
      return print("peeklock " + Version.current() + "\n");
    }
    if (asks(arguments, "--help", "-h") || command.equals("--help")) {
      return print(help(command));
    }
    try {
      if (command.equals("health")) {
        return HealthCommand.run(options, System.getenv(), System.out);
      }
      if (command.equals("certificate")) {
        return CertificateCommand.run(options, System.out);
      }
      if (!command.equals("serve")) {
        throw new ConfigurationException(
            "there is no command \"" + command + "\"; there are serve, certificate and health");
      }
      // A client that asks for new keys in the middle of a connection can only do harm.
      System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
      return Serving.run(ServeOptions.read(options), () -> ServeOptions.readAgain(options));
    } catch (ConfigurationException wrong) {
      System.err.println("peeklock: " + wrong.getMessage());
      return USAGE;
    }
  }

  private static String help(String command) {
    return switch (command) {
      case "certificate" -> CertificateCommand.help();
      case "health" -> HealthCommand.help();
      default -> ServeOptions.help();
    };
  }

  private static boolean asks(List<String> arguments, String word, String letter) {
    return arguments.contains(word) || arguments.contains(letter);
  }

  private static int print(String text) {
    System.out.print(text);
    System.out.flush();
    return DONE;
  }
}
