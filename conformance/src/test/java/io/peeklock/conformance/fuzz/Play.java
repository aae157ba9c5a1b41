package io.peeklock.conformance.fuzz;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Iterator;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One stream on its connection. What the broker answers is no matter here, the witness and the
 * judge look; only the id of a transaction is read, for later pieces name it.
 */
final class Play {
  private static final int PATIENCE_MILLIS = 5_000;
  private static final int MOST_ANSWERED = 16 << 10;
  private static final long LOOK_NANOS = 100_000;

  /** A declared state whose id has sixteen bytes, up to them. */
  private static final byte[] DECLARED = {0x53, 0x33};

  private final int port;
  private final Iterator<byte[]> pieces;
  private final boolean transacts;
  private @Nullable SocketChannel channel;
  private byte @Nullable [] transaction;
  private boolean answered;

  Play(int port, FuzzStream stream) {
    this.port = port;
    this.pieces = stream.pieces().iterator();
    this.transacts =
        stream.pieces().stream().anyMatch(piece -> find(piece, Scripts.TRANSACTION) > 0);
  }

  /** Connects and writes the first piece; false when the broker did not take it. */
  boolean begin() {
    try {
      var opened = SocketChannel.open();
      channel = opened;
      opened.setOption(StandardSocketOptions.SO_LINGER, 0);
      opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
      opened
          .socket()
          .connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
      opened.configureBlocking(false); // who is not read any more must not hold up the others
    } catch (IOException refused) {
      reset();
      return false;
    }
    goOn();
    return channel != null;
  }

  /** Writes the next piece, if there is one. */
  void goOn() {
    if (channel == null || !pieces.hasNext()) {
      return;
    }
    try {
      if (transacts && transaction == null) {
        transaction = declared(channel);
      }
      channel.write(ByteBuffer.wrap(named(pieces.next())));
    } catch (IOException hungUpOn) {
      reset();
    }
  }

  private byte @Nullable [] declared(SocketChannel channel) throws IOException {
    var into = ByteBuffer.allocate(MOST_ANSWERED);
    var read = channel.read(into);
    answered |= read != 0;
    var bytes = Arrays.copyOf(into.array(), into.position());
    var at = find(bytes, DECLARED);
    var id =
        at < 0
            ? -1
            : find(Arrays.copyOfRange(bytes, at, bytes.length), new byte[] {(byte) 0xa0, 16});
    var from = at + id + 2;
    return id < 0 || from + 16 > bytes.length ? null : Arrays.copyOfRange(bytes, from, from + 16);
  }

  private byte[] named(byte[] piece) {
    if (transaction == null) {
      return piece;
    }
    var at = find(piece, Scripts.TRANSACTION);
    while (at >= 0) {
      System.arraycopy(transaction, 0, piece, at, transaction.length);
      at = find(piece, Scripts.TRANSACTION);
    }
    return piece;
  }

  private static int find(byte[] in, byte[] what) {
    for (var at = 0; at + what.length <= in.length; at++) {
      if (in[at] == what[0] && Arrays.equals(in, at, at + what.length, what, 0, what.length)) {
        return at;
      }
    }
    return -1;
  }

  /**
   * Waits until the broker answered or hung up, so that it was accepted and read before it goes:
   * who is reset in the queue of those to be accepted was never a stream.
   */
  void awaitAnswer(long nanos) {
    var until = System.nanoTime() + nanos;
    try {
      while (channel != null && !answered && System.nanoTime() < until) {
        answered = channel.read(ByteBuffer.allocate(1)) != 0;
        if (!answered) {
          LockSupport.parkNanos(LOOK_NANOS);
        }
      }
    } catch (IOException hungUpOn) {
      reset();
    }
  }

  /** Says that nothing more will come. */
  void finish() {
    try {
      if (channel != null) {
        channel.shutdownOutput();
      }
    } catch (IOException hungUpOn) {
      reset();
    }
  }

  /** Hangs up without a word. */
  void reset() {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException goneAlready) {
      // that is what was asked for
    }
    channel = null;
  }
}
