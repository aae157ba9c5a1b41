package io.peeklock.cli;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.engine.Engine;
import org.apache.qpid.protonj2.engine.EngineHandler;
import org.apache.qpid.protonj2.engine.EngineHandlerContext;
import org.apache.qpid.protonj2.engine.exceptions.ProtocolViolationException;

/**
 * Bounds what a broker sends beyond what a command has taken. The client library keeps what comes,
 * whatever window and credit it gave: an endless message would take all memory. Safe for any
 * thread.
 */
final class IncomingBytes implements EngineHandler {
  private static final long MOST_BYTES = 256L << 20;

  private final long mostBytes;
  private final AtomicLong untaken = new AtomicLong();

  private IncomingBytes(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Looks at all that comes on a connection from now on. */
  static IncomingBytes of(Connection connection) {
    var memory = Long.getLong("io.netty.maxDirectMemory", Runtime.getRuntime().maxMemory());
    var bytes = new IncomingBytes(Math.min(MOST_BYTES, memory / 2));
    engine(connection)
        .pipeline()
        .addLast("incoming-bytes", bytes); // what comes is read there first
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
    if (untaken.addAndGet(buffer.capacity()) > mostBytes) { // it is kept as it was allocated
      throw new ProtocolViolationException(
          "it sent more than " + (mostBytes >> 20) + " MiB of which no message is whole");
    }
    context.fireRead(buffer);
  }
}
