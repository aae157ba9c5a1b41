package io.peeklock.server;

import io.peeklock.journal.StoreGoneException;
import io.peeklock.server.config.ConfigurationException;
import io.peeklock.server.config.ServerSettings;
import io.peeklock.transport.PortInUseException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The life of {@code serve}: start, banner, wait, stop; and the exit code it ends with. */
final class Serving {
  private static final Logger LOG = LoggerFactory.getLogger(Serving.class);
  private static final int STOPPED = 0;
  private static final int NOT_STARTED = 1;
  private static final int BROKEN = 3;

  private Serving() {}

  /**
   * Serves until a signal comes or the log fails.
   *
   * @param again what the settings are now, with the entities of the file only; null for no file
   * @throws ConfigurationException when the settings turn out not to fit what is there
   */
  static int run(ServerSettings settings, Supplier<@Nullable ServerSettings> again) {
    settings.warnings().forEach(warning -> LOG.warn("{}", warning));
    var stop = new CompletableFuture<Throwable>();
    try (var server = PeeklockServer.start(settings)) {
      Signals.onFirstStop(() -> stop.cancel(false));
      var reload = new Reload(again, settings, server.entities());
      var terminal = Terminal.ofThisProcess();
      Signals.onHangUp(
          () -> {
            if (terminal.isGone()) {
              stop.cancel(false);
            } else {
              reload.run();
            }
          });
      reload.remember(); // the file may be another one as soon as we say that we are ready
      Banner.print(server, System.out);
      return untilTheEnd(server, stop, settings.data() == null);
    } catch (PortInUseException taken) {
      var holder = new PortHolder(Path.of("/proc")).of(taken.port());
      return say(NOT_STARTED, taken.getMessage() + holder);
    } catch (IOException cannot) {
      LOG.debug("Could not start", cannot);
      return say(NOT_STARTED, String.valueOf(cannot.getMessage()));
    }
  }

  private static int untilTheEnd(
      PeeklockServer server, CompletableFuture<Throwable> stop, boolean inMemory) {
    var end = CompletableFuture.anyOf(stop, server.broken());
    var stopped = end.handle((cause, signalled) -> signalled != null).join();
    if (stopped) {
      LOG.info("Stopping");
      return STOPPED;
    }
    var cause = server.broken().join();
    if (!(cause instanceof IOException)) {
      LOG.error("The broker cannot go on", cause);
    }
    return say(BROKEN, lastWords(cause, inMemory));
  }

  /** Why the broker stopped, and what that means for what it had accepted. */
  static String lastWords(Throwable cause, boolean inMemory) {
    return "the broker stopped, and nothing was accepted since: "
        + cause.getMessage()
        + "; what was accepted is "
        + fate(cause, inMemory);
  }

  private static String fate(Throwable cause, boolean inMemory) {
    if (inMemory) {
      return "gone, as it was in memory only";
    }
    return cause instanceof StoreGoneException
        ? "gone with it. Put the folder back, or restore a backup, before the next start"
        : "safe, and is there after the next start";
  }

  private static int say(int code, String sentence) {
    System.err.println("peeklock: " + sentence);
    return code;
  }
}
