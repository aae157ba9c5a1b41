package io.peeklock.http;

import io.peeklock.runtime.RateLimitedLog;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * An answer on its way to its connection. Whatever becomes of it, what it holds is given back once.
 */
final class PendingAnswer {
  private static final RateLimitedLog FAULTS =
      new RateLimitedLog(LoggerFactory.getLogger(PendingAnswer.class));

  private final HttpAnswer answer;
  private final @Nullable Runnable taken;
  private final Runnable notWritten;
  private final AtomicBoolean over = new AtomicBoolean();
  private Runnable counted = PendingAnswer::nothing;

  /**
   * One that is not on its way yet.
   *
   * @param taken run when the system has taken all of it, or when it goes to nobody; null where
   *     nobody else counts what it holds
   * @param notWritten run before that when a fault of ours keeps it from being written
   */
  PendingAnswer(HttpAnswer answer, @Nullable Runnable taken, Runnable notWritten) {
    this.answer = answer;
    this.taken = taken;
    this.notWritten = notWritten;
  }

  /** One that is counted with the answers. */
  static PendingAnswer of(HttpAnswer answer) {
    return new PendingAnswer(answer, null, PendingAnswer::nothing);
  }

  HttpAnswer answer() {
    return answer;
  }

  /** Whether somebody else counts what it holds. */
  boolean isCountedElsewhere() {
    return taken != null;
  }

  /** It counts from now on, until this is run. */
  void counts(Runnable release) {
    counted = release;
  }

  /** It goes to nobody. */
  void drop() {
    end(PendingAnswer::nothing, true);
  }

  /** It could not be written. */
  void spoil() {
    end(notWritten, true);
  }

  /** All of it has left. */
  void gone() {
    end(PendingAnswer::nothing, false);
  }

  private void end(Runnable first, boolean early) {
    if (over.getAndSet(true)) {
      return;
    }
    attempt(counted);
    attempt(first);
    var rest = answer.rest();
    if (early && rest != null) {
      attempt(rest::close);
    }
    if (taken != null) {
      attempt(taken);
    }
  }

  private static void nothing() {}

  /** The next step must be taken though this one fails. */
  private static void attempt(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error fault) {
      FAULTS.error(fault, "What an answer held could not be given back as a whole");
    }
  }

  /** What of it can wait for a socket at a time. */
  int mostBytes() {
    var rest = answer.rest();
    var first = answer.body().length;
    return rest == null ? first : Math.max(first, rest.mostBytes());
  }
}
