package io.peeklock.cli;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.engine.Engine;
import org.apache.qpid.protonj2.engine.EngineHandler;
import org.apache.qpid.protonj2.engine.EngineHandlerContext;
import org.apache.qpid.protonj2.engine.exceptions.ProtocolViolationException;

/**
 * Bounds what a broker sends beyond what a command has taken. The client library keeps what comes,
 * whatever window and credit it gave: an endless message would take all memory.
 *
 * <p>The bytes are copied out of the buffers that the network reads into, since the library would
 * keep those whole, however little came in each: so what is counted is what is held. {@link #taken}
 * is safe for any thread; the rest is the connection's.
 */
final class IncomingBytes implements EngineHandler {
  private static final long MOST_BYTES = 256L << 20;

  /** A message passes through pieces, bytes and text, each of its size. */
  private static final int PARTS_OF_HEAP = 4;

  /** What a frame costs beside its bytes: objects, and time that grows with those before it. */
  private static final int FRAME_BYTES = 4 << 10;

  private static final int SIZE_BYTES = 4;
  private static final int EMPTY_FRAME_BYTES = 8;

  /** The first bytes of a protocol header, which stands where a frame would have its size. */
  private static final int HEADER = 'A' << 24 | 'M' << 16 | 'Q' << 8 | 'P';

  private final long mostBytes;
  private final AtomicLong untaken = new AtomicLong();
  private int prefix;
  private int prefixBytes;
  private int leftOfFrame;

  private IncomingBytes(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Looks at all that comes on a connection, which must be a new one. */
  static IncomingBytes of(Connection connection) {
    var heap = Runtime.getRuntime().maxMemory();
    return of(engine(connection), Math.min(MOST_BYTES, heap / PARTS_OF_HEAP));
  }

  /**
   * Looks at all that an engine reads.
   *
   * @param engine has read nothing yet
   * @param mostBytes that may come and not be taken; each frame counts 4 KiB beside its bytes
   */
  static IncomingBytes of(Engine engine, long mostBytes) {
    var bytes = new IncomingBytes(mostBytes);
    engine.pipeline().addLast("incoming-bytes", bytes); // what comes is read there first
    return bytes;
  }

  /** The library shows its engine to nobody, and has no other place for such a bound. */
  private static Engine engine(Connection connection) {
    try {
      var field = connection.getClass().getDeclaredField("engine");
      field.setAccessible(true);
      return (Engine) field.get(connection);
    } catch (ReflectiveOperationException otherVersion) {
      throw new IllegalStateException("the client library is another than expected", otherVersion);
    }
  }

  /** What has come is with the command, or written out. */
  void taken() {
    untaken.set(0);
  }

  @Override
  public void handleRead(EngineHandlerContext context, ProtonBuffer buffer) {
    var weight = buffer.getReadableBytes() + (long) FRAME_BYTES * framesBegunIn(buffer);
    if (untaken.addAndGet(weight) > mostBytes) {
      throw new ProtocolViolationException(
          "it sent more than " + (mostBytes >> 20) + " MiB of which no message is whole");
    }
    var allocator = ProtonBufferAllocator.defaultAllocator(); // of the heap
    try (var own = allocator.allocateHeapBuffer(buffer.getReadableBytes())) {
      own.writeBytes(buffer);
      context.fireRead(own.convertToReadOnly()); // so its parts are kept as they are
    }
  }

  /** Counts the frames, but empty ones, of which the first four bytes are whole with this. */
  private int framesBegunIn(ProtonBuffer buffer) {
    var begun = 0;
    var at = buffer.getReadOffset();
    var end = at + buffer.getReadableBytes();
    while (at < end) {
      if (leftOfFrame > 0) {
        var passed = Math.min(leftOfFrame, end - at);
        at += passed;
        leftOfFrame -= passed;
      } else {
        prefix = prefix << 8 | (buffer.getByte(at++) & 0xff);
        if (++prefixBytes == SIZE_BYTES) {
          begun += prefix == HEADER || prefix == EMPTY_FRAME_BYTES ? 0 : 1;
          // a size that cannot be ends the connection before the next byte is looked at
          leftOfFrame = prefix == HEADER ? SIZE_BYTES : Math.max(0, prefix - SIZE_BYTES);
          prefix = 0;
          prefixBytes = 0;
        }
      }
    }
    return begun;
  }
}
