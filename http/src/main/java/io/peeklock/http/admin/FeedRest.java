package io.peeklock.http.admin;

import io.peeklock.http.admin.atom.AtomWriter;
import io.peeklock.runtime.RateLimitedLog;
import io.peeklock.runtime.message.BodyRest;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * A page of a list, made as its reader takes it: of what it shows there is never more than one
 * piece, none before the first is asked for, and the event loop serves others between two pieces.
 * It has the things that there were when it was asked for, but those that are gone meanwhile.
 */
final class FeedRest<T> implements BodyRest {
  static final int PIECE_BYTES = 64 << 10;

  /** What is written at once, and how many things are asked about for it. */
  private static final int WRITTEN_BYTES = 32 << 10;

  private static final int AT_A_TIME = 16;

  private static final RateLimitedLog FAULTS =
      new RateLimitedLog(LoggerFactory.getLogger(FeedRest.class));
  private static final byte[] NOTHING = {};

  private final List<T> things;
  private final Form<T> form;
  private final int largest;
  private final Executor loop;
  private final Deque<Documents.Entry> made = new ArrayDeque<>();
  private @Nullable AtomWriter out;
  private byte[] written = NOTHING;
  private int position;
  private int asked;
  private boolean isWritten;
  private @Nullable Throwable fault;

  /** How a page is written. All of it is called on the loop. */
  interface Form<T> {
    /** Opens the outermost element. */
    void begin(AtomWriter out);

    /** What is shown of some things; those that are gone are left out. */
    CompletableFuture<List<Documents.Entry>> make(List<T> some);

    /** Writes one. */
    void write(Documents.Entry entry, AtomWriter out);
  }

  /**
   * A page of which nothing is made.
   *
   * @param largest about how many bytes the largest entry has
   * @param loop where all of this is done
   */
  FeedRest(List<T> things, Form<T> form, int largest, Executor loop) {
    this.things = things;
    this.form = form;
    this.largest = largest;
    this.loop = loop;
  }

  /**
   * What it holds while a piece waits for the socket, not only that piece: also the writer's
   * buffers, some counts and, of entries that are larger than usual, two copies.
   */
  @Override
  public int mostBytes() {
    return largest <= WRITTEN_BYTES / 2 ? PIECE_BYTES : PIECE_BYTES + 2 * largest;
  }

  @Override
  public void next(Listener listener) {
    loop.execute(() -> resume(listener));
  }

  /** All of it at once, for a page that is short; fails with what kept it from being written. */
  CompletableFuture<byte[]> whole() {
    var whole = new CompletableFuture<byte[]>();
    var bytes = new ByteArrayOutputStream();
    next(
        new Listener() {
          @Override
          public void piece(byte[] piece, boolean last) {
            bytes.writeBytes(piece);
            if (last) {
              whole.complete(bytes.toByteArray());
            } else {
              next(this);
            }
          }

          @Override
          public void failed(String reason) {
            whole.completeExceptionally(fault == null ? new IllegalStateException(reason) : fault);
          }
        });
    return whole;
  }

  private void resume(Listener listener) {
    try {
      if (position < written.length) {
        tell(listener);
      } else if (made.isEmpty() && asked < things.size()) {
        make(listener);
      } else {
        write();
        tell(listener);
      }
    } catch (RuntimeException | Error broken) {
      fail(listener, broken);
    }
  }

  private void make(Listener listener) {
    var end = Math.min(things.size(), asked + AT_A_TIME);
    var some = things.subList(asked, end);
    asked = end;
    var unused =
        form.make(some)
            .handleAsync(
                (entries, failed) -> {
                  if (failed == null) {
                    made.addAll(entries);
                    resume(listener);
                  } else {
                    fail(listener, failed);
                  }
                  return null;
                },
                loop);
  }

  private void write() {
    var to = out;
    if (to == null) {
      to = new AtomWriter();
      out = to;
      form.begin(to);
    }
    while (!made.isEmpty() && to.characters() < WRITTEN_BYTES) {
      form.write(made.remove(), to);
    }
    isWritten = made.isEmpty() && asked == things.size();
    written = isWritten ? to.close().bytes() : to.bytes();
    position = 0;
  }

  private void tell(Listener listener) {
    var end = Math.min(written.length, position + PIECE_BYTES);
    var isAll = position == 0 && end == written.length;
    var piece = isAll ? written : Arrays.copyOfRange(written, position, end);
    position = end;
    if (end == written.length) {
      written = NOTHING;
      position = 0;
    }
    listener.piece(piece, isWritten && written.length == 0);
  }

  private void fail(Listener listener, Throwable why) {
    fault = why;
    FAULTS.error(why, "A page of a list could not be written to its end");
    listener.failed("the list cannot be written");
  }

  @Override
  public void close() {} // holds nothing that must be given back
}
