package io.peeklock.conformance.raw;

import io.peeklock.conformance.BrokerProcess;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A TCP connection that speaks AMQP frames. Writes are buffered until {@link #flush}; reads block,
 * and fail with {@link EOFException} once the broker hung up. For one thread.
 */
public final class RawConnection implements AutoCloseable {
  /** Performatives and SASL frames by their descriptor. */
  public static final long OPEN = 0x10;

  /** Begin. */
  public static final long BEGIN = 0x11;

  /** Attach. */
  public static final long ATTACH = 0x12;

  /** Flow. */
  public static final long FLOW = 0x13;

  /** Transfer. */
  public static final long TRANSFER = 0x14;

  /** Disposition. */
  public static final long DISPOSITION = 0x15;

  /** Detach. */
  public static final long DETACH = 0x16;

  /** End. */
  public static final long END = 0x17;

  /** Close. */
  public static final long CLOSE = 0x18;

  private static final byte[] SASL_HEADER = {'A', 'M', 'Q', 'P', 3, 1, 0, 0};
  private static final byte[] AMQP_HEADER = {'A', 'M', 'Q', 'P', 0, 1, 0, 0};
  private static final int TIMEOUT_MILLIS = 60_000;
  private static final long WINDOW = Integer.MAX_VALUE;

  private final Socket socket;
  private final DataInputStream in;
  private final OutputStream out;
  private long nextDelivery;

  private RawConnection(int port) throws IOException {
    this(port, 0);
  }

  private RawConnection(int port, int receiveBufferBytes) throws IOException {
    socket = new Socket();
    socket.setTcpNoDelay(true);
    if (receiveBufferBytes > 0) { // before connect: the window is agreed on there
      socket.setReceiveBufferSize(receiveBufferBytes);
    }
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
    out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
  }

  /** Only the socket: nothing is said yet. */
  public static RawConnection silent(int port) throws IOException {
    return new RawConnection(port);
  }

  /** Past SASL PLAIN with the well-known key, opened, with one session on channel 0. */
  public static RawConnection ready(int port) throws IOException {
    return ready(new RawConnection(port));
  }

  /** The same with a small buffer in the kernel, so that the broker feels how slowly we read. */
  public static RawConnection narrow(int port, int receiveBufferBytes) throws IOException {
    return ready(new RawConnection(port, receiveBufferBytes));
  }

  private static RawConnection ready(RawConnection connection) throws IOException {
    try {
      connection.saslPlain(BrokerProcess.KEY_NAME, BrokerProcess.KEY);
      connection.open(Map.of());
      connection.begin(0);
      return connection;
    } catch (IOException | RuntimeException failed) {
      connection.close();
      throw failed;
    }
  }

  /** Past SASL ANONYMOUS, opened, with one session: only {@code $cbs} is there. */
  public static RawConnection anonymous(int port) throws IOException {
    var connection = new RawConnection(port);
    try {
      connection.sasl("ANONYMOUS", new byte[0]);
      connection.open(Map.of());
      connection.begin(0);
      return connection;
    } catch (IOException | RuntimeException failed) {
      connection.close();
      throw failed;
    }
  }

  /** Goes through SASL PLAIN up to our AMQP header. */
  public void saslPlain(String name, String key) throws IOException {
    sasl("PLAIN", ("\0" + name + "\0" + key).getBytes(StandardCharsets.UTF_8));
  }

  /** Goes through SASL and the exchange of AMQP headers; fails unless the outcome is good. */
  public void sasl(String mechanism, byte[] response) throws IOException {
    var outcome = saslOutcome(mechanism, response);
    if (outcome != 0) {
      throw new IOException("SASL outcome " + outcome);
    }
    write(AMQP_HEADER);
    flush();
    expectHeader(AMQP_HEADER);
  }

  /** Goes through SASL as far as its outcome, and returns that. */
  public long saslOutcome(String mechanism, byte[] response) throws IOException {
    write(SASL_HEADER);
    flush();
    expectHeader(SASL_HEADER);
    readFrame();
    write(frame(1, 0, AmqpWriter.bytes(Described.list(0x41, new Symbol(mechanism), response))));
    flush();
    return performative(readFrame()).number(0, -1);
  }

  /** Opens and waits for the broker's open. */
  public Described open(Map<?, ?> properties) throws IOException {
    send(
        0,
        Described.list(
            OPEN,
            "raw",
            "localhost",
            Unsigned.uint(65_536),
            Unsigned.ushort(255),
            null,
            null,
            null,
            null,
            null,
            properties));
    flush();
    return await(OPEN);
  }

  /** Begins a session and waits for the broker's begin. */
  public Described begin(int channel) throws IOException {
    send(
        channel,
        Described.list(
            BEGIN,
            null,
            Unsigned.uint(0),
            Unsigned.uint(WINDOW),
            Unsigned.uint(WINDOW),
            Unsigned.uint(1 << 20)));
    flush();
    return await(BEGIN);
  }

  /** Writes one frame without a payload. */
  public void send(int channel, Described performative) throws IOException {
    send(channel, performative, new byte[0]);
  }

  /** Writes one frame. */
  public void send(int channel, Described performative, byte[] payload) throws IOException {
    var head = AmqpWriter.bytes(performative);
    var body = Arrays.copyOf(head, head.length + payload.length);
    System.arraycopy(payload, 0, body, head.length, payload.length);
    write(frame(0, channel, body));
  }

  /** The bytes of a frame: type 0 is AMQP, 1 is SASL. */
  public static byte[] frame(int type, int channel, byte[] body) {
    return ByteBuffer.allocate(8 + body.length)
        .putInt(8 + body.length)
        .put((byte) 2)
        .put((byte) type)
        .putShort((short) channel)
        .put(body)
        .array();
  }

  /** The id of the next delivery that we send. */
  long takeDeliveryId() {
    return nextDelivery++;
  }

  /** Writes any bytes. */
  public void write(byte[] bytes) throws IOException {
    out.write(bytes);
  }

  /** Sends what was written. */
  public void flush() throws IOException {
    out.flush();
  }

  /** Whether a frame has begun to arrive. */
  public boolean readable() throws IOException {
    return in.available() > 0;
  }

  /** How long {@link #readFrame} waits; 0 for ever. */
  public void readTimeout(int millis) throws IOException {
    socket.setSoTimeout(millis);
  }

  /** The next frame. */
  public Frame readFrame() throws IOException {
    var size = in.readInt();
    if (size < 8 || size > 1 << 20) {
      throw new IOException("not a frame: its size is " + size);
    }
    var words = in.readUnsignedByte();
    in.readUnsignedByte();
    var channel = in.readUnsignedShort();
    var body = new byte[size - 8];
    in.readFully(body);
    var buffer = ByteBuffer.wrap(body);
    buffer.position(words * 4 - 8);
    if (!buffer.hasRemaining()) {
      return new Frame(channel, null, new byte[0]);
    }
    var value = new AmqpReader(buffer).read();
    var payload = new byte[buffer.remaining()];
    buffer.get(payload);
    return new Frame(channel, (Described) value, payload);
  }

  /** Skips frames up to the first of this kind. */
  public Described await(long code) throws IOException {
    while (true) {
      var frame = readFrame();
      if (frame.code() == code) {
        return performative(frame);
      }
      if (frame.code() == CLOSE || frame.code() == END) {
        throw new IOException("the broker gave up: " + frame.performative());
      }
    }
  }

  /** Reads until the broker hangs up; returns its close performative if it sent one. */
  public @Nullable Described awaitHangUp() throws IOException {
    Described close = null;
    try {
      while (true) {
        var frame = readFrame();
        if (frame.code() == CLOSE) {
          close = frame.performative();
        }
      }
    } catch (EOFException hungUp) {
      return close;
    }
  }

  private static Described performative(Frame frame) throws IOException {
    var performative = frame.performative();
    if (performative == null) {
      throw new IOException("an empty frame where a performative was due");
    }
    return performative;
  }

  /** Reads the eight bytes of a protocol header. */
  public byte[] readHeader() throws IOException {
    var header = new byte[8];
    in.readFully(header);
    return header;
  }

  private void expectHeader(byte[] expected) throws IOException {
    var header = readHeader();
    if (!Arrays.equals(header, expected)) {
      throw new IOException("header " + Arrays.toString(header));
    }
  }

  /** Drops the socket without a word. */
  @Override
  public void close() throws IOException {
    socket.close();
  }
}
