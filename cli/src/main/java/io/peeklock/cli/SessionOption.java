package io.peeklock.cli;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.apache.qpid.protonj2.types.UnsignedInteger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which session of a queue that has sessions. */
final class SessionOption {
  private static final String FILTER = "com.microsoft:session-filter";
  private static final String TIMEOUT = "com.microsoft:timeout";
  private static final int MORE_MILLIS = 10_000;

  @Option(names = "--session", paramLabel = "ID", description = "Of this session.")
  private @Nullable String session;

  @Option(
      names = "--any-session",
      description = "Of the next session that has messages and that nobody has.")
  private boolean any;

  /** Whether a session was asked for. */
  boolean isSaid() {
    return any || session != null;
  }

  /**
   * Asks for it with a link.
   *
   * @param wait for any session
   * @throws CliFailure when two are said
   */
  void ask(ReceiverOptions options, Duration wait) {
    if (any && session != null) {
      throw CliFailure.usage("say --session or --any-session");
    }
    if (isSaid()) {
      ask(options, session, wait);
    }
  }

  /** Asks for a session by its id, or for any when that is null. */
  static void ask(ReceiverOptions options, @Nullable String id, Duration wait) {
    var filter = new HashMap<String, Object>();
    filter.put(FILTER, id);
    options.sourceOptions().filters(filter);
    var millis = (int) Math.min(wait.toMillis(), Integer.MAX_VALUE - MORE_MILLIS);
    options.properties(Map.of(TIMEOUT, UnsignedInteger.valueOf(millis)));
    options.openTimeout(millis + MORE_MILLIS);
  }
}
