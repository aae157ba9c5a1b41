package io.peeklock.amqp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.peeklock.amqp.connection.EdgeNamespaceRouter;
import io.peeklock.amqp.engine.codec.AmqpReader;
import io.peeklock.amqp.engine.codec.AmqpValues;
import io.peeklock.amqp.engine.codec.Described;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.Unsigned;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A peer that speaks AMQP frame by frame over a channel in memory, and keeps what it hears. */
final class TestClient {
  static final int ATTACH = 0x12;
  static final int FLOW = 0x13;
  static final int TRANSFER = 0x14;
  static final int DISPOSITION = 0x15;
  static final int DETACH = 0x16;
  static final int CLOSE = 0x18;

  private static final HexFormat HEX = HexFormat.of();

  final BrokerFixture broker;
  final EmbeddedChannel channel;
  private final ByteBuf received = Unpooled.buffer();
  private final List<Frame> frames = new ArrayList<>();
  private int nextDeliveryId;
  int writes;

  /** One frame that the broker sent. */
  record Frame(int channel, int code, List<@Nullable Object> fields, byte[] payload) {
    @Nullable Object field(int i) {
      return fields.get(i);
    }

    long number(int i) {
      return asLong(fields.get(i));
    }
  }

  TestClient(BrokerFixture broker) {
    this(broker, EdgeNamespaceRouter.NONE);
  }

  /** One that begins at this broker and may go to another. */
  TestClient(BrokerFixture broker, EdgeNamespaceRouter choice) {
    this.broker = broker;
    this.channel = new EmbeddedChannel();
    channel.freezeTime();
    channel.pipeline().addLast(broker.edge.newConnectionHandler(true, () -> {}, choice));
  }

  /** One whose socket takes what it is told to. */
  TestClient(BrokerFixture broker, SlowChannel channel) {
    this.broker = broker;
    this.channel = channel;
    channel.freezeTime();
    channel
        .pipeline()
        .addLast(broker.edge.newConnectionHandler(true, () -> {}, EdgeNamespaceRouter.NONE));
  }

  /** One on the event loop of another, as two sockets are. */
  TestClient(BrokerFixture broker, TestClient other, ByteBufAllocator memory) {
    var loop = other.channel.eventLoop();
    this.broker = broker;
    this.channel =
        new EmbeddedChannel() {
          @Override
          public EventLoop eventLoop() {
            return loop;
          }
        };
    channel.freezeTime();
    channel.config().setAllocator(memory);
    channel
        .pipeline()
        .addLast(broker.edge.newConnectionHandler(true, () -> {}, EdgeNamespaceRouter.NONE));
  }

  static long asLong(@Nullable Object value) {
    if (value instanceof Unsigned unsigned) {
      return unsigned.value();
    }
    if (value instanceof Number number) {
      return number.longValue();
    }
    throw new AssertionError("not a number: " + value);
  }

  // --- bytes ---

  TestClient bytes(String hex) {
    channel.writeInbound(Unpooled.wrappedBuffer(HEX.parseHex(hex.replace(" ", ""))));
    broker.settle();
    return this;
  }

  TestClient connect(String mechanism, byte[] response) {
    return sasl(mechanism, response).bytes("414d515000010000");
  }

  TestClient sasl(String mechanism, byte[] response) {
    return sasl(mechanism, response, null);
  }

  TestClient sasl(String mechanism, byte[] response, @Nullable String host) {
    bytes("414d515003010000");
    var fields = Arrays.asList(new Symbol(mechanism), response, host);
    return send(frameBytes(1, 0, 0x41, fields, new byte[0]));
  }

  TestClient open() {
    return open("localhost");
  }

  TestClient open(@Nullable String host) {
    return open(host, 65_536);
  }

  TestClient open(@Nullable String host, int frameBytes) {
    return perform(0, 0x10, "client", host, uint(frameBytes), new Unsigned.Ushort(100));
  }

  TestClient begin(int session) {
    perform(session, 0x11, null, uint(0), uint(2048), uint(2048));
    return this;
  }

  /** Sends a performative. */
  TestClient perform(int session, int code, @Nullable Object... fields) {
    return send(frameBytes(0, session, code, Arrays.asList(fields), new byte[0]));
  }

  TestClient send(ByteBuf bytes) {
    channel.writeInbound(bytes);
    broker.settle();
    return this;
  }

  /** Sends a part of a read burst, which goes on. */
  void gathers(ByteBuf bytes) {
    var unused = channel.writeOneInbound(bytes);
  }

  /** Writes a frame. */
  static ByteBuf frameBytes(
      int type, int session, int code, List<? extends @Nullable Object> fields, byte[] payload) {
    var out = Unpooled.buffer();
    out.writeInt(0).writeByte(2).writeByte(type).writeShort(session);
    AmqpValues.encode(
        out, new Described(new Unsigned.Ulong(code), new ArrayList<@Nullable Object>(fields)));
    out.writeBytes(payload);
    return out.setInt(0, out.readableBytes());
  }

  static Unsigned.Uint uint(long value) {
    return new Unsigned.Uint(value);
  }

  static Unsigned.Ubyte ubyte(int value) {
    return new Unsigned.Ubyte(value);
  }

  static Described source(@Nullable String address) {
    return source(address, Map.of());
  }

  static Described source(@Nullable String address, Map<Symbol, ?> filter) {
    return new Described(
        new Unsigned.Ulong(0x28),
        Arrays.asList(
            address,
            uint(0),
            null,
            uint(0),
            false,
            null,
            null,
            filter.isEmpty() ? null : new LinkedHashMap<>(filter),
            null,
            null,
            null));
  }

  static Described target(@Nullable String address) {
    return new Described(
        new Unsigned.Ulong(0x29), Arrays.asList(address, uint(0), null, uint(0), false));
  }

  // --- links ---

  /** Attaches a sender. */
  TestClient sender(int session, int handle, String address) {
    return perform(
        session,
        ATTACH,
        "s-" + address,
        uint(handle),
        false,
        ubyte(0),
        ubyte(0),
        source("here"),
        target(address),
        null,
        null,
        uint(0));
  }

  /** Attaches a receiver; sender settle mode 0 is peek-lock, 1 receive-and-delete. */
  TestClient receiver(int session, int handle, String address, int senderSettleMode) {
    return receiver(session, handle, "r-" + address, address, "there", senderSettleMode);
  }

  TestClient receiver(
      int session,
      int handle,
      String name,
      String address,
      @Nullable String reply,
      int senderSettleMode) {
    return perform(
        session,
        ATTACH,
        name,
        uint(handle),
        true,
        ubyte(senderSettleMode),
        ubyte(0),
        source(address),
        target(reply),
        null,
        null,
        null);
  }

  /** Gives credit: absolute, as after so many deliveries. */
  TestClient credit(int session, int handle, long deliveryCount, long credit, boolean drain) {
    return flow(session, handle, 2048, deliveryCount, credit, drain);
  }

  /** Credit, with room for so many transfers on the session since its begin. */
  TestClient flow(int session, int handle, long window, long credit) {
    return flow(session, handle, window, 0, credit, false);
  }

  /** Drains, with room for so many transfers on the session since its begin. */
  TestClient drain(int session, int handle, long window, long credit) {
    return flow(session, handle, window, 0, credit, true);
  }

  /** Room for so many transfers on the session since its begin, and nothing about a link. */
  TestClient window(int session, long window) {
    return perform(session, FLOW, uint(0), uint(window), uint(0), uint(2048));
  }

  private TestClient flow(
      int session, int handle, long window, long deliveryCount, long credit, boolean drain) {
    return perform(
        session,
        FLOW,
        uint(0),
        uint(window),
        uint(0),
        uint(2048),
        uint(handle),
        uint(deliveryCount),
        uint(credit),
        null,
        drain,
        false);
  }

  TestClient credit(int handle, long credit) {
    return credit(0, handle, 0, credit, false);
  }

  /** A transfer frame of one whole delivery. */
  ByteBuf transfer(int session, int handle, int format, boolean settled, byte[] message) {
    var id = nextDeliveryId++;
    return frameBytes(
        0,
        session,
        TRANSFER,
        Arrays.asList(uint(handle), uint(id), tag(id), uint(format & 0xffff_ffffL), settled, false),
        message);
  }

  /** The same in a delivery state, such as a transaction. */
  ByteBuf transferIn(
      @Nullable Object state, int handle, int format, boolean settled, byte[] message) {
    return transferIn(0, state, handle, format, settled, message);
  }

  /** The same on any session. */
  ByteBuf transferIn(
      int session,
      @Nullable Object state,
      int handle,
      int format,
      boolean settled,
      byte[] message) {
    var id = nextDeliveryId++;
    return frameBytes(
        0,
        session,
        TRANSFER,
        Arrays.asList(
            uint(handle),
            uint(id),
            tag(id),
            uint(format & 0xffff_ffffL),
            settled,
            false,
            null,
            state),
        message);
  }

  /** A frame of the delivery at hand, which more may follow. */
  ByteBuf part(int handle, byte[] piece, boolean more) {
    return part(handle, piece, more, true);
  }

  ByteBuf part(int handle, byte[] piece, boolean more, boolean settled) {
    var id = nextDeliveryId;
    var fields = Arrays.asList(uint(handle), uint(id), tag(id), uint(0), settled, more);
    return frameBytes(0, 0, TRANSFER, fields, piece);
  }

  static byte[] tag(int id) {
    return ("t" + id).getBytes(StandardCharsets.US_ASCII);
  }

  TestClient message(int handle, byte[] message) {
    return send(transfer(0, handle, 0, false, message));
  }

  /** Sends a message in frames of so many bytes, each in a read of its own. */
  TestClient inFrames(int handle, byte[] message, int frameBytes) {
    return inFramesOf(handle, 0, message, frameBytes);
  }

  /** As {@link #inFrames}, with a message format. */
  TestClient inFramesOf(int handle, int format, byte[] message, int frameBytes) {
    var id = nextDeliveryId++;
    for (var at = 0; at < message.length; at += frameBytes) {
      var piece = Arrays.copyOfRange(message, at, Math.min(message.length, at + frameBytes));
      var more = at + frameBytes < message.length;
      send(
          frameBytes(
              0,
              0,
              TRANSFER,
              Arrays.asList(
                  uint(handle), uint(id), tag(id), uint(format & 0xffff_ffffL), false, more),
              piece));
    }
    return this;
  }

  /** As {@link #inFrames}, in a delivery state, such as a transaction. */
  void inFramesIn(Object state, int handle, byte[] message, int frameBytes) {
    var id = nextDeliveryId++;
    for (var at = 0; at < message.length; at += frameBytes) {
      var piece = Arrays.copyOfRange(message, at, Math.min(message.length, at + frameBytes));
      var more = at + frameBytes < message.length;
      var fields = Arrays.asList(uint(handle), uint(id), tag(id), uint(0), true, more, null, state);
      send(frameBytes(0, 0, TRANSFER, fields, piece));
    }
  }

  /** Settles deliveries of the broker's. */
  TestClient dispose(long first, long last, boolean settled, @Nullable Object state) {
    return perform(0, DISPOSITION, true, uint(first), uint(last), settled, state);
  }

  static Described outcome(int code, @Nullable Object... fields) {
    return new Described(new Unsigned.Ulong(code), Arrays.asList(fields));
  }

  static Described accepted() {
    return outcome(0x24);
  }

  static Described released() {
    return outcome(0x26);
  }

  static Described modified(boolean undeliverableHere, Map<?, ?> annotations) {
    return outcome(0x27, false, undeliverableHere, annotations.isEmpty() ? null : annotations);
  }

  static Described deadLetter(Map<?, ?> info) {
    var error =
        new Described(
            new Unsigned.Ulong(0x1d),
            Arrays.asList(new Symbol("com.microsoft:dead-letter"), null, info));
    return outcome(0x25, error);
  }

  /** Goes without a word. */
  void leave() {
    var unused = channel.close();
  }

  // --- what was heard ---

  void runTasks() {
    channel.runPendingTasks();
    collect();
  }

  void advance(Duration time) {
    channel.advanceTimeBy(time.toMillis(), TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    collect();
  }

  private void collect() {
    for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
      received.writeBytes(out);
      out.release();
      writes++;
    }
    while (received.readableBytes() >= 8) {
      var at = received.readerIndex();
      if (received.getInt(at) == 0x414d5150) {
        received.skipBytes(8);
        continue;
      }
      var size = received.getInt(at);
      if (received.readableBytes() < size) {
        return;
      }
      take(at, size);
      received.skipBytes(size);
    }
  }

  private void take(int at, int size) {
    if (size == 8) {
      return;
    }
    var reader = new AmqpReader().reset(received, at + 8, size - 8);
    var described = described(AmqpValues.decode(reader));
    var fields = new ArrayList<@Nullable Object>(there((List<?>) described.value()));
    var payload = new byte[at + size - reader.position()];
    received.getBytes(reader.position(), payload);
    frames.add(
        new Frame(
            received.getUnsignedShort(at + 6),
            (int) asLong(described.descriptor()),
            fields,
            payload));
  }

  /** Frames of a kind since the last call of this method for it. */
  List<Frame> take(int code) {
    collect();
    var found = frames.stream().filter(frame -> frame.code() == code).toList();
    frames.removeIf(frame -> frame.code() == code);
    return found;
  }

  Frame one(int code) {
    var found = take(code);
    if (found.size() != 1) {
      throw new AssertionError(
          "expected one frame " + Integer.toHexString(code) + ", got " + found + frames);
    }
    return found.getFirst();
  }

  /** Forgets what was heard. */
  TestClient forget() {
    collect();
    frames.clear();
    writes = 0;
    return this;
  }

  /** The condition of the error in a detach, a close or a rejected outcome. */
  static @Nullable String condition(@Nullable Object error) {
    return error instanceof Described described
            && described.value() instanceof List<?> fields
            && !fields.isEmpty()
        ? String.valueOf(fields.getFirst())
        : null;
  }

  static Described described(@Nullable Object value) {
    return there((Described) value);
  }

  /** A value that must be there. */
  static <T> T there(@Nullable T value) {
    if (value == null) {
      throw new AssertionError("it is null");
    }
    return value;
  }

  /** The descriptor of an outcome. */
  static long code(@Nullable Object outcome) {
    return asLong(described(outcome).descriptor());
  }

  /** The first field of an outcome: the error of a rejected one. */
  static @Nullable Object inside(@Nullable Object outcome) {
    return described(outcome).value() instanceof List<?> fields && !fields.isEmpty()
        ? fields.getFirst()
        : null;
  }
}
