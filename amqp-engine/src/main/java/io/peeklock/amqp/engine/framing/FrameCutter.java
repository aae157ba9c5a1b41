package io.peeklock.amqp.engine.framing;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.peeklock.amqp.engine.limits.Allowance;

/**
 * Cuts the byte stream into protocol headers and frames. A frame that is complete in the given
 * bytes is handled in place; only a partial frame is copied, and at most one is kept.
 */
public final class FrameCutter {
  /** Receives headers and frames, and says what may come next. */
  public interface Sink {
    /** Whether eight bytes of protocol header are due. */
    boolean wantsHeader();

    /** Whether input must wait, kept here, until {@link FrameCutter#resume}. */
    boolean isPaused();

    /** Whether the caller must keep the rest of its input, and offer it again later. */
    boolean isFull();

    /** Whether all further input is ignored. */
    boolean isFinished();

    /** The largest frame allowed now. */
    int maxFrameSize();

    void onHeader(long header);

    /** A frame with a sound size: {@code offset} is that of its size word. */
    void onFrame(ByteBuf buffer, int offset, int size);
  }

  private static final int HEADER = 8;
  private static final int SIZE_WORD = 4;
  private static final int UNKNOWN = -1;

  /**
   * The bytes that may wait while paused: a client may send its header and open ahead, but no data.
   */
  private static final int MOST_WHILE_PAUSED = 64 * 1024;

  private final HalfFrame kept;
  private final Sink sink;

  /** A cutter for a new connection. */
  public FrameCutter(ByteBufAllocator allocator, Sink sink) {
    this.kept = new HalfFrame(allocator);
    this.sink = sink;
  }

  /**
   * Sets the budget of kept bytes from now on; false, and nothing changed, when it has no room for
   * them.
   */
  public boolean allow(Allowance next) {
    return kept.allow(next);
  }

  /** Handles all readable bytes; those behind the frame that makes the sink full stay. */
  public void take(ByteBuf input) {
    take(input, true);
  }

  /**
   * Takes the bytes.
   *
   * @param mayLeave false for kept bytes, which are bounded and owned here
   */
  private void take(ByteBuf input, boolean mayLeave) {
    var partial = kept.buffer();
    while (partial != null && input.isReadable() && goesOn() && !(mayLeave && sink.isFull())) {
      completeKept(partial, input);
      partial = kept.buffer();
    }
    var isLeft = partial == null ? cut(input, mayLeave) : mayLeave && sink.isFull();
    if (sink.isFinished()) {
      input.skipBytes(input.readableBytes());
      release();
    } else if (input.isReadable() && !isLeft) {
      keep(input);
    }
  }

  /** Continues with waiting input. */
  public void resume() {
    ByteBuf waiting = kept.take();
    if (waiting != null) {
      try {
        take(waiting, false);
      } finally {
        waiting.release();
      }
    }
  }

  /** Releases the kept bytes. */
  public void release() {
    kept.release();
  }

  private boolean goesOn() {
    return !sink.isPaused() && !sink.isFinished();
  }

  /** Handles all complete frames; true when some are left because the sink is full. */
  private boolean cut(ByteBuf input, boolean mayLeave) {
    while (goesOn()) {
      int at = input.readerIndex();
      int size = sizeAt(input);
      if (size == UNKNOWN || size > input.readableBytes()) {
        return false;
      }
      if (mayLeave && sink.isFull()) {
        return true;
      }
      input.skipBytes(size);
      handOn(input, at, size);
    }
    return false;
  }

  /** Adds to the kept bytes until the frame is whole, then hands it on. */
  private void completeKept(ByteBuf partial, ByteBuf input) {
    int size = sizeAt(partial);
    int wanted = size == UNKNOWN ? (sink.wantsHeader() ? HEADER : SIZE_WORD) : size;
    int missing = Math.max(0, wanted - partial.readableBytes());
    kept.add(input, Math.min(missing, input.readableBytes()));
    if (size == UNKNOWN) {
      size = sizeAt(partial); // a header is complete once its size is known
    }
    if (size != UNKNOWN && partial.readableBytes() >= size) {
      var unused = kept.take(); // the same buffer, owned here from now on
      try {
        // Bytes that waited while paused may have more than this frame; cut() takes all complete
        // ones.
        var unusedLeft = cut(partial, false);
        if (partial.isReadable() && !sink.isFinished()) {
          keep(partial);
        }
      } finally {
        partial.release();
      }
    }
  }

  private void handOn(ByteBuf buffer, int at, int size) {
    if (sink.wantsHeader()) {
      sink.onHeader(buffer.getLong(at));
    } else {
      sink.onFrame(buffer, at, size);
    }
  }

  /** The size of the header or frame at the reader index, once it can be known. */
  private int sizeAt(ByteBuf buffer) {
    if (sink.wantsHeader()) {
      return buffer.readableBytes() < HEADER ? UNKNOWN : HEADER;
    }
    if (buffer.readableBytes() < SIZE_WORD) {
      return UNKNOWN;
    }
    int size = buffer.getInt(buffer.readerIndex());
    if (size < HEADER || size > sink.maxFrameSize()) {
      throw ProtocolViolation.of(
          AmqpError.FRAMING_ERROR,
          "a frame of "
              + Integer.toUnsignedString(size)
              + " bytes; allowed are 8 to "
              + sink.maxFrameSize());
    }
    return size;
  }

  private void keep(ByteBuf input) {
    int bytes = input.readableBytes();
    if (sink.isPaused() && kept.bytes() + bytes > MOST_WHILE_PAUSED) {
      throw ProtocolViolation.of(AmqpError.FRAMING_ERROR, "too much input before authentication");
    }
    kept.add(input, bytes);
  }
}
