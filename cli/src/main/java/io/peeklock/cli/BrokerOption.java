package io.peeklock.cli;

import java.util.concurrent.ExecutionException;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.ConnectionOptions;
import org.apache.qpid.protonj2.client.ErrorCondition;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.apache.qpid.protonj2.client.Rejected;
import org.apache.qpid.protonj2.client.exceptions.ClientConnectionSecurityException;
import org.apache.qpid.protonj2.client.exceptions.ClientConnectionSecuritySaslException;
import org.apache.qpid.protonj2.client.exceptions.ClientDeliveryStateException;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.apache.qpid.protonj2.client.exceptions.ClientResourceRemotelyClosedException;
import org.apache.qpid.protonj2.codec.DecodeException;
import picocli.CommandLine.Mixin;

/** Which broker to talk to; the same for every command. */
final class BrokerOption {
  private static final int PATIENCE_MILLIS = 10_000;

  /** All that matters is confirmed by then; a broker that does not say goodbye is left. */
  private static final int GOODBYE_MILLIS = 2_000;

  /** Told to the broker; a larger frame ends the connection before anything of it is read. */
  private static final int MOST_FRAME_BYTES = 64 << 10;

  @Mixin private ConnectionOption connection = new ConnectionOption();

  /** What a command does while it is connected. */
  @FunctionalInterface
  interface Talk {
    /** Returns the exit code. */
    int with(Connection connection, IncomingBytes incoming) throws ClientException;
  }

  /**
   * Connects, talks, and closes.
   *
   * @throws CliFailure when the broker cannot be reached, refuses, or sends what cannot be read
   */
  int talk(Talk talk) {
    return talk(connection.where(), Login.PASSWORD, talk);
  }

  private int talk(ConnectionString where, Login login, Talk talk) {
    try (var client = Client.create();
        var open = client.connect(where.address(), where.port(), options(where, login))) {
      var incoming = IncomingBytes.of(open);
      open.openFuture().get();
      login.finish(open, where);
      return talk.with(open, incoming);
    } catch (ClientException | ExecutionException failed) {
      if (login == Login.PASSWORD && isOfSasl(failed)) {
        return talk(where, Login.TOKEN, talk);
      }
      throw failure(where, failed);
    } catch (CliFailure known) {
      throw known;
    } catch (RuntimeException | StackOverflowError unreadable) { // of the library's decoder
      throw unreadable(unreadable);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw CliFailure.unreachable("interrupted");
    }
  }

  /** Casts that fail speak of classes. */
  private static CliFailure unreadable(Throwable why) {
    var said = why.getMessage() == null ? "" : Reason.withoutClassNames(why.getMessage());
    return CliFailure.unreachable(
        "the broker sent a message that cannot be read: "
            + (why instanceof ClassCastException || said.isEmpty()
                ? "a part of it is not of the type that it must be"
                : said));
  }

  /** The same times for a receiver with options of its own, which else has those of the library. */
  static ReceiverOptions patient(ReceiverOptions options) {
    options.openTimeout(PATIENCE_MILLIS).closeTimeout(GOODBYE_MILLIS);
    return options.requestTimeout(PATIENCE_MILLIS).drainTimeout(PATIENCE_MILLIS);
  }

  /** Whether there was no login; nothing has been said or done by then. */
  private static boolean isOfSasl(Exception failed) {
    for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
      if (cause instanceof ClientConnectionSecuritySaslException) {
        return true;
      }
    }
    return false;
  }

  private ConnectionOptions options(ConnectionString where, Login login) {
    var options =
        new ConnectionOptions()
            .sslEnabled(where.tls())
            .virtualHost(where.host())
            .openTimeout(PATIENCE_MILLIS)
            .closeTimeout(GOODBYE_MILLIS)
            .sendTimeout(PATIENCE_MILLIS)
            .requestTimeout(PATIENCE_MILLIS)
            .drainTimeout(PATIENCE_MILLIS)
            .maxFrameSize(MOST_FRAME_BYTES);
    if (where.tls()) {
      options.sslOptions().sslContextOverride(connection.trust().context(where.host()));
    }
    login.configure(options, where);
    options.transportOptions().connectTimeout(PATIENCE_MILLIS);
    return options;
  }

  private static CliFailure failure(ConnectionString where, Exception failed) {
    for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
      if (cause instanceof ClientDeliveryStateException refused
          && refused.getOutcome() instanceof Rejected rejected) {
        return refused(rejected);
      }
      if (cause instanceof ClientResourceRemotelyClosedException closed
          && closed.getErrorCondition() != null) {
        return refused(closed.getErrorCondition());
      }
      if (cause instanceof ClassCastException || cause instanceof DecodeException) {
        return unreadable(cause);
      }
      if (cause instanceof ClientConnectionSecurityException) {
        return CliFailure.refused("the broker does not take this key: " + where);
      }
    }
    return CliFailure.unreachable(
        "no answer from a broker at "
            + where.host()
            + ":"
            + where.port()
            + ": "
            + Reason.of(failed, where));
  }

  /** The broker's own words. */
  static CliFailure refused(Rejected rejected) {
    return CliFailure.refused(rejected.getDescription() + " (" + rejected.getCondition() + ")");
  }

  private static CliFailure refused(ErrorCondition error) {
    if (error.condition().equals("com.microsoft:timeout")) { // no session is free
      return CliFailure.nothing("there is no session with messages that nobody has");
    }
    return CliFailure.refused(error.description() + " (" + error.condition() + ")");
  }
}
