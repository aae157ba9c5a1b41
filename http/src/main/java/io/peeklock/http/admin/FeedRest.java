package io.peeklock.http.admin;

import io.peeklock.http.admin.atom.AtomWriter;
import io.peeklock.runtime.RateLimitedLog;
import io.peeklock.runtime.message.BodyRest;
import java.util.Arrays;
import java.util.Iterator;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

/**
 * A page of a list, written as its reader takes it: what it holds does not grow with the page, and
 * the event loop serves others between two pieces. It has the entries as they were when it was
 * asked for.
 */
final class FeedRest implements BodyRest {
  static final int PIECE_BYTES = 64 << 10;
  private static final RateLimitedLog FAULTS =
      new RateLimitedLog(LoggerFactory.getLogger(FeedRest.class));
  private static final byte[] NOTHING = {};

  private final AtomWriter out;
  private final Iterator<Documents.Entry> entries;
  private final Consumer<Documents.Entry> write;
  private final Executor loop;
  private byte[] written = NOTHING;
  private int position;
  private boolean isWritten;

  /**
   * A page of which the head is written.
   *
   * @param out whose outermost element is open
   * @param write writes an entry there
   * @param loop where all of this is done
   */
  FeedRest(
      AtomWriter out,
      Iterator<Documents.Entry> entries,
      Consumer<Documents.Entry> write,
      Executor loop) {
    this.out = out;
    this.entries = entries;
    this.write = write;
    this.loop = loop;
  }

  @Override
  public int mostBytes() {
    return PIECE_BYTES;
  }

  /** The next piece; nothing after the last. */
  byte[] read() {
    if (position == written.length && !isWritten) {
      writeOn();
    }
    var end = Math.min(written.length, position + PIECE_BYTES);
    var piece = Arrays.copyOfRange(written, position, end);
    position = end;
    return piece;
  }

  private void writeOn() {
    while (entries.hasNext() && out.characters() < PIECE_BYTES) {
      write.accept(entries.next());
    }
    isWritten = !entries.hasNext();
    written = isWritten ? out.close().bytes() : out.bytes();
    position = 0;
  }

  /** Whether the last piece was read. */
  boolean isOver() {
    return isWritten && position == written.length;
  }

  @Override
  public void next(Listener listener) {
    loop.execute(
        () -> {
          try {
            listener.piece(read(), isOver());
          } catch (RuntimeException | Error fault) {
            FAULTS.error(fault, "A page of a list could not be written to its end");
            listener.failed("the list cannot be written");
          }
        });
  }

  @Override
  public void close() {} // holds nothing that must be given back
}
