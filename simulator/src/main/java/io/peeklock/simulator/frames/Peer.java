package io.peeklock.simulator.frames;

import io.peeklock.simulator.world.World;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The client's end of a connection, and the network between: bytes go to the broker in pieces that
 * are cut at random, and come back in the same way.
 */
final class Peer {
  private static final byte[] SASL = {'A', 'M', 'Q', 'P', 3, 1, 0, 0};
  private static final byte[] AMQP = {'A', 'M', 'Q', 'P', 0, 1, 0, 0};
  private static final long QUIET_MILLIS = 60_000;

  private final World world;
  private final SimulatedSocket socket;
  private final Settings settings;
  private final ArrayDeque<byte[]> out = new ArrayDeque<>();
  private final TreeMap<Integer, Session> sessions = new TreeMap<>();
  private ByteArrayOutputStream in = new ByteArrayOutputStream();
  private int channels;
  private long wroteAtMillis;
  private boolean isSending;
  private boolean isTaking;
  private boolean isOver;
  private boolean isClosing;

  /**
   * What it is like.
   *
   * @param login name and key, or null for a token that it puts
   * @param frameBytes max-frame-size, in both directions
   * @param window of its sessions, in frames
   * @param idleMillis idle-time-out that it asks for; 0 for none
   */
  record Settings(
      @Nullable String login, String key, int frameBytes, int window, long idleMillis) {}

  Peer(World world, SimulatedSocket socket, Settings settings) {
    this.world = world;
    this.socket = socket;
    this.settings = settings;
    var login = settings.login();
    var response =
        login == null
            ? new byte[0]
            : ("\0" + login + "\0" + settings.key()).getBytes(StandardCharsets.UTF_8);
    add(SASL);
    add(
        WireWriter.frame(
            1,
            0,
            Wire.composite(
                Frame.SASL_INIT,
                new Wire.Symbol(login == null ? "ANONYMOUS" : "PLAIN"),
                response,
                null),
            new byte[0]));
    add(AMQP);
    write(
        0,
        Wire.composite(
            Frame.OPEN,
            "simulated",
            "localhost",
            new Wire.Uint(settings.frameBytes()),
            new Wire.Ushort(1_000),
            settings.idleMillis() == 0 ? null : new Wire.Uint(settings.idleMillis())));
  }

  boolean isOver() {
    return isOver || isClosing;
  }

  int frameBytes() {
    return settings.frameBytes();
  }

  Session begin() {
    var channel = channels++;
    var session = new Session(this, channel, settings.window());
    sessions.put(channel, session);
    return session;
  }

  void ended(int channel) {
    sessions.remove(channel);
  }

  void write(int channel, Wire.Described performative) {
    write(channel, performative, new byte[0]);
  }

  void write(int channel, Wire.Described performative, byte[] payload) {
    add(WireWriter.frame(0, channel, performative, payload));
  }

  private void add(byte[] bytes) {
    if (!isOver) {
      out.add(bytes);
      wroteAtMillis = world.monotonicMillis();
    }
  }

  /** Says that it closes, and waits for the answer. */
  void close() {
    if (!isOver()) {
      write(0, Wire.composite(Frame.CLOSE, (Object) null));
      isClosing = true;
      over();
    }
  }

  /** The network is gone after so many bytes more of what was written. */
  void cut(int afterBytes) {
    if (isOver) {
      return;
    }
    isOver = true;
    var last = new ByteArrayOutputStream();
    out.forEach(last::writeBytes);
    out.clear();
    var bytes = Arrays.copyOf(last.toByteArray(), Math.min(afterBytes, last.size()));
    socket
        .eventLoop()
        .execute(
            () -> {
              if (socket.reads() && bytes.length > 0) {
                socket.receive(bytes);
              }
              var unused = socket.close();
            });
    over();
  }

  /** The network is gone after so many bytes more of what the broker has sent. */
  void cutBack(int afterBytes) {
    if (!isOver) {
      var heard = socket.taken();
      take(Arrays.copyOf(heard, Math.min(afterBytes, heard.length)));
      cut(0);
    }
  }

  /** For a while nothing is read but so many bytes. */
  void readSlowly(int bytes, long millis) {
    var loop = socket.eventLoop();
    loop.execute(() -> socket.takes(bytes));
    var unused = loop.schedule(() -> socket.takes(Long.MAX_VALUE), millis, TimeUnit.MILLISECONDS);
  }

  /** Whether nothing of it is left, on either side. */
  boolean isGone() {
    return isOver && !socket.isOpen();
  }

  private void over() {
    sessions.values().forEach(session -> session.over(null));
    sessions.clear();
  }

  // ---- the network

  /** Has what is under way come nearer: lets the loop and the client work. */
  void move() {
    if (!out.isEmpty() && !isSending && socket.reads()) {
      isSending = true;
      socket.eventLoop().execute(this::deliver);
    }
    if (socket.hasSent() && !isTaking) {
      isTaking = true;
      world.atClients(this::take);
    }
    if (!isOver && !socket.isOpen() && !socket.hasSent() && !isTaking) {
      isOver = true;
      over();
    }
    if (world.monotonicMillis() - wroteAtMillis > QUIET_MILLIS) {
      add(new byte[] {0, 0, 0, 8, 2, 0, 0, 0});
    }
  }

  private void deliver() {
    isSending = false;
    if (!socket.reads()) {
      return;
    }
    var random = world.random();
    var burst = new ByteArrayOutputStream();
    var most = random.of(1, 3, 100);
    for (var i = 0; i < most && !out.isEmpty(); i++) {
      burst.writeBytes(out.remove());
    }
    var bytes = burst.toByteArray();
    if (bytes.length > 1 && random.oneIn(3)) {
      var at = random.between(1, bytes.length - 1);
      out.addFirst(Arrays.copyOfRange(bytes, at, bytes.length));
      bytes = Arrays.copyOf(bytes, at);
    }
    if (bytes.length > 0) {
      socket.receive(bytes);
    }
  }

  private void take() {
    isTaking = false;
    take(socket.taken());
  }

  private void take(byte[] heard) {
    in.writeBytes(heard);
    var bytes = ByteBuffer.wrap(in.toByteArray());
    while (bytes.remaining() >= 8) {
      var size = bytes.getInt(bytes.position());
      if (size == 0x414d5150) {
        bytes.position(bytes.position() + 8);
      } else if (bytes.remaining() < size) {
        break;
      } else {
        var frame = Frame.parse(bytes.slice(bytes.position() + 4, size - 4));
        bytes.position(bytes.position() + size);
        if (frame != null && !isOver) {
          checkSize(frame, size);
          take(frame);
        }
      }
    }
    in = new ByteArrayOutputStream();
    in.write(bytes.array(), bytes.position(), bytes.remaining());
  }

  private void checkSize(Frame frame, int size) {
    if (size > settings.frameBytes()) {
      throw new IllegalStateException(
          "a frame of " + size + " bytes is more than max-frame-size: " + frame.code());
    }
  }

  private void take(Frame frame) {
    switch (frame.code()) {
      case Frame.SASL_MECHANISMS, Frame.OPEN -> {}
      case Frame.SASL_OUTCOME -> {
        if (frame.number(0) != 0) {
          throw new IllegalStateException("the broker refused a good login");
        }
      }
      case Frame.CLOSE -> {
        if (!isClosing) {
          write(0, Wire.composite(Frame.CLOSE, (Object) null));
          isClosing = true;
          over();
        }
      }
      default -> {
        var session = sessions.get(frame.channel());
        if (session != null) {
          session.take(frame);
        } else if (!isClosing) {
          throw new IllegalStateException("a frame for no session: " + frame);
        }
      }
    }
  }
}
