package io.peeklock.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which broker, and whom to trust that it is the one. */
final class ConnectionOption {
  @Option(
      names = "--connection",
      paramLabel = "STRING",
      description = {
        "Connection string of the broker (default: $PEEKLOCK_CONNECTION, else a broker",
        "on this machine at port 5672 with the well-known key)."
      })
  private @Nullable String connection;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description = {
        "Certificate of an authority to trust, in PEM (default: $PEEKLOCK_CA; for a broker on",
        "this machine that of its data folder)."
      })
  private @Nullable Path ca;

  /** Where it is. */
  ConnectionString where() {
    return ConnectionString.parse(text(connection));
  }

  /** Whom to trust; looked at only where TLS is spoken. */
  Trust trust() {
    return Trust.of(ca);
  }

  /** A connection string as it was given, else as the environment has it, else the local one. */
  private static String text(@Nullable String given) {
    if (given != null) {
      return given;
    }
    var environment = System.getenv("PEEKLOCK_CONNECTION");
    return environment == null || environment.isBlank() ? ConnectionString.LOCAL : environment;
  }
}
