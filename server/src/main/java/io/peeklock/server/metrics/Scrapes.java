package io.peeklock.server.metrics;

import io.peeklock.http.HttpAnswer;
import io.peeklock.http.HttpCall;
import io.peeklock.runtime.message.BodyRest;
import io.peeklock.runtime.thread.AnyThread;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Who reads the metrics: {@link #MOST} at a time, for at most {@link #LONGEST_SECONDS}. Who has
 * been at it for longer than {@link #GUARANTEED_SECONDS}, in which Prometheus would have given up,
 * ends when somebody else comes. So slow readers keep neither memory nor the metrics from others.
 */
@AnyThread
final class Scrapes {
  static final int MOST = 2;
  static final long GUARANTEED_SECONDS = 10;
  static final long LONGEST_SECONDS = 60;

  private final LongSupplier nanos;
  private final Deque<Scrape> going = new ArrayDeque<>();

  /**
   * Nobody reads yet.
   *
   * @param nanos monotonic
   */
  Scrapes(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** One more reads; null when that is one too many. */
  synchronized @Nullable Scrape begin(HttpCall call) {
    var now = nanos.getAsLong();
    if (going.size() == MOST) {
      if (now - going.getFirst().since < TimeUnit.SECONDS.toNanos(GUARANTEED_SECONDS)) {
        return null;
      }
      going.removeFirst().call.abandon();
    }
    var begun = new Scrape(call, now);
    going.add(begun);
    return begun;
  }

  private synchronized void end(Scrape ended) {
    going.remove(ended);
  }

  /** One of them. */
  final class Scrape {
    private final HttpCall call;
    private final long since;

    private Scrape(HttpCall call, long since) {
      this.call = call;
      this.since = since;
    }

    /** Answers; the next may come when the answer has left. */
    void answer(HttpAnswer answer) {
      call.answer(answer, () -> end(this));
    }

    /** The same with a body in pieces, at least one. */
    void answer(HttpAnswer head, List<byte[]> pieces) {
      var first = new HttpAnswer(head.status(), head.headers(), pieces.getFirst());
      answer(pieces.size() == 1 ? first : first.withRest(new Rest(this, pieces)));
    }
  }

  /** What follows the first piece. */
  private final class Rest implements BodyRest {
    private final Scrape scrape;
    private final List<byte[]> pieces;
    private int next = 1;

    Rest(Scrape scrape, List<byte[]> pieces) {
      this.scrape = scrape;
      this.pieces = pieces;
    }

    @Override
    public int mostBytes() {
      return Pieces.BYTES;
    }

    @Override
    public void next(Listener listener) {
      scrape.call.execute(() -> tell(listener));
    }

    private void tell(Listener listener) {
      if (nanos.getAsLong() - scrape.since > TimeUnit.SECONDS.toNanos(LONGEST_SECONDS)) {
        listener.failed("it takes too long");
      } else {
        var piece = pieces.get(next++);
        listener.piece(piece, next == pieces.size());
      }
    }

    @Override
    public void close() {} // the scrape ends with its answer
  }
}
