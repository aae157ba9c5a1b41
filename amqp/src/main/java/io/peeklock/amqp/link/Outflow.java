package io.peeklock.amqp.link;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.Future;
import io.peeklock.amqp.limit.HoldPace;
import io.peeklock.amqp.limit.Holdings;
import io.peeklock.amqp.limit.ReadPauses;
import io.peeklock.kernel.request.DeliveryPortion;
import io.peeklock.runtime.meter.RoomMeter;
import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.runtime.thread.EventLoopThread;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Tracks how a client reads its output: which links must learn that their bytes have left, which
 * hold bytes that it does not take, and whether it reads fast enough. On the connection's event
 * loop.
 *
 * <p>Bytes have left when the operating system has taken them: until then their buffer is our
 * memory, and counts.
 */
public final class Outflow {
  /** A client that reads nothing for this long while others wait is closed. */
  static final long STALL_MILLIS = 120_000;

  /** The time in which an eighth of a client's held bytes must leave while room is scarce. */
  static final long PACE_MILLIS = 60_000;

  static final int PACE_PARTS = 8;

  /** The same without long pauses, while a queue gets nothing for lack of room. */
  static final long AWAITED_MILLIS = 10_000;

  static final long AWAITED_PARTS = PACE_PARTS * (PACE_MILLIS / AWAITED_MILLIS);

  /** A client that holds no more than this is not in the way of others. */
  private static final long LITTLE_BYTES = DeliveryPortion.BYTES;

  /** Deliveries above this wait, even if the socket would take more. */
  private static final int OUTPUT_HIGH_BYTES = 256 << 10;

  /** The bytes that may wait for a socket without being counted. */
  private static final long UNCOUNTED_BYTES = 16 << 10;

  /** Unread answers above this stop reading, see {@link #isUnread}. */
  private static final long UNREAD_HIGH_BYTES = 2 << 20;

  /** How long small amounts of left bytes wait before they are reported. */
  private static final long LATE_MILLIS = 1_000;

  /** What Netty adds for each write to its count of pending bytes. */
  private static final int ENTRY_BYTES = 96;

  private static final long NEVER = Long.MAX_VALUE;

  private final Host host;
  private final Channel channel;
  private final Set<Source> soon = new LinkedHashSet<>();
  private final Set<Source> late = new LinkedHashSet<>();
  private final Set<Source> holding = new LinkedHashSet<>();
  private final HoldPace socket = new HoldPace(STALL_MILLIS, 1);
  private final HoldPace pace = new HoldPace(PACE_MILLIS, PACE_PARTS);
  private final HoldPace awaited = new HoldPace(AWAITED_MILLIS, AWAITED_PARTS);
  private final ArrayDeque<Leaving> leaving = new ArrayDeque<>();
  private long lateAtMillis = NEVER;
  private boolean looks;
  private boolean stalled;
  private long handedBytes;
  private long countedBytes;

  /** The connection, as this class sees it. */
  @EventLoopThread
  interface Host {
    /** Monotonic, for timers. */
    @AnyThread
    long nowMillis();

    /** Makes the connection call {@link Outflow#check} after {@code millis} at the latest. */
    void dueIn(long millis);

    /** Stops reading, for one of the reasons of {@link ReadPauses}. */
    void pause(int reason);

    /** Reads again, if there is no other reason not to. */
    void resume(int reason);

    /** Runs a task; a fault in it ends only the connection. */
    void perform(Runnable task);

    /** The memory that the connection holds for its client. */
    @AnyThread
    Holdings holdings();

    /** The bytes that the engine has written and that are not handed to the socket yet. */
    int outputBytes();

    /** The total bytes of deliveries that the engine has written. */
    long transferredBytes();

    /** The budget of deliveries. */
    RoomMeter room();
  }

  /** A link that writes, as this class sees it. */
  @EventLoopThread
  public interface Source {
    /**
     * The bytes written since the last call, which {@link #left} will report; for links that called
     * {@link Outflow#reportSoon}.
     */
    long takeWritten();

    /** Reports that this many of those bytes have left; also after the link ended. */
    void left(long bytes);

    /** The bytes that it holds for its client, without those handed to the socket. */
    long heldBytes();

    /**
     * Checks whether the client takes what this link holds, and ends the link if it has not for too
     * long.
     *
     * @return whether to check again soon
     */
    boolean checkHeld(long nowMillis);

    /** Ends the link, as its connection reads too slowly while others wait. */
    void tooSlow();
  }

  /**
   * Bytes of a link that have left once the system has taken {@code until} bytes in all. They are
   * in a queue, rather than in the promise of a write, so that the next check can report them.
   */
  private record Leaving(Source link, long bytes, long until) {}

  /** Tracks the output of a connection on this channel. */
  public Outflow(Host host, Channel channel) {
    this.host = host;
    this.channel = channel;
  }

  // --- what the links say ---

  /**
   * Whether deliveries may be written now, with this many bytes of output pending in the engine.
   */
  public boolean hasRoom(int outputBytes) {
    return outputBytes < OUTPUT_HIGH_BYTES && channel.isWritable();
  }

  /** Asks for {@link Source#left} for what a link writes until the next hand-over. */
  public void reportSoon(Source link) {
    soon.add(link);
  }

  /** The same with a short delay, for small amounts while there is room. */
  public void reportLate(Source link) {
    late.add(link);
    if (lateAtMillis == NEVER) {
      lateAtMillis = host.nowMillis() + LATE_MILLIS;
      host.dueIn(LATE_MILLIS);
    }
  }

  /**
   * Asks for {@link Source#checkHeld} every second, for a link that holds what its client does not
   * take.
   *
   * @return whether it was not watched before
   */
  public boolean watch(Source link) {
    if (holding.isEmpty()) {
      host.dueIn(LATE_MILLIS);
    }
    return holding.add(link);
  }

  /**
   * Changes the written bytes that a budget counts until they have left; negative when they have.
   */
  public void counted(long bytes) {
    countedBytes += bytes;
  }

  /** Forgets a link that ended, except for its bytes that still have to leave. */
  public void forget(Source link) {
    holding.remove(link);
    soon.remove(link);
    late.remove(link);
  }

  // --- the socket ---

  /**
   * The promise to write the present output with: links that asked are told at once when it is
   * taken. A fault then ends the connection, where Netty would only warn.
   */
  public ChannelPromise whenTaken() {
    if (!late.isEmpty() && host.room().isDeliveryScarce()) {
      soon.addAll(late); // unreported bytes make others wait now
      late.clear();
    }
    if (soon.isEmpty() || host.outputBytes() == 0) {
      return channel.voidPromise(); // a failed write reaches exceptionCaught, which closes
    }
    var until = written();
    leave(soon);
    return channel.newPromise().addListener(done -> host.perform(() -> taken(done, until)));
  }

  /** Counts bytes handed to the socket. */
  public void wrote(int bytes) {
    handedBytes += bytes;
    if (isUnread()) {
      host.pause(ReadPauses.UNREAD);
    }
  }

  /**
   * Checks for unread output that TLS or WebSocket wrote themselves, which {@link #wrote} did not
   * count.
   */
  public void lookAtUnread() {
    if (pending() > UNCOUNTED_BYTES && isUnread()) {
      host.pause(ReadPauses.UNREAD);
    }
  }

  /** The bytes that were handed to the socket, or are about to be. */
  private long written() {
    return handedBytes + host.outputBytes();
  }

  private void leave(Collection<Source> links) {
    for (var link : links) {
      leaving.add(new Leaving(link, link.takeWritten(), written()));
    }
    links.clear();
  }

  private void taken(Future<?> write, long until) {
    if (write.isSuccess()) {
      tellLeft(until);
    } else {
      var unused = channel.close();
    }
  }

  private void tellLeft(long taken) {
    while (!leaving.isEmpty() && leaving.element().until <= taken) {
      var one = leaving.remove();
      if (one.bytes > 0) {
        one.link.left(one.bytes);
      }
    }
  }

  /**
   * Whether so much output waits for the socket that reading must stop: a client that sends
   * requests and never reads must not fill the memory. The limit is well above what deliveries
   * take, which wait for room, so that a slow reader can always settle; it is low when the answers
   * of all clients are too much.
   */
  public boolean isUnread() {
    var uncounted = uncounted();
    var isMuch = host.holdings().unread(uncounted);
    return pending() > UNREAD_HIGH_BYTES || (isMuch && uncounted > 0);
  }

  /** The bytes that wait for the socket and are in no budget. */
  private long uncounted() {
    return Math.max(0, pending() - countedBytes - UNCOUNTED_BYTES);
  }

  /** The bytes that the system has not taken. */
  private long pending() {
    var buffer = channel.unsafe().outboundBuffer();
    return buffer == null ? 0 : buffer.totalPendingWriteBytes();
  }

  /** The bytes that the system has taken, including parts of buffers. */
  private long takenBytes() {
    var buffer = channel.unsafe().outboundBuffer();
    if (buffer == null) {
      return handedBytes;
    }
    var part = buffer.current() instanceof ByteBuf out ? out.readerIndex() : 0;
    return handedBytes - pending() + part + (long) ENTRY_BYTES * buffer.size();
  }

  private boolean isTaken() {
    return pending() == 0 && channel.isWritable();
  }

  /** Called after output was handed to the socket, or when the socket has taken more. */
  public void handedOver() {
    if (isTaken()) {
      socket.stop();
    } else if (!looks) {
      looks = true;
      host.dueIn(LATE_MILLIS);
    }
  }

  // --- time ---

  /**
   * Checks the socket and what links hold, and makes the reports that are due.
   *
   * @return when to look again, on the monotonic clock
   */
  public long check(long nowMillis) {
    if (nowMillis >= lateAtMillis) {
      lateAtMillis = NEVER;
      leave(late);
    }
    if (host.outputBytes() == 0) {
      leave(soon); // of links whose last bytes were written without them
    }
    tellLeft(handedBytes - pending());
    if (!isUnread()) {
      host.resume(ReadPauses.UNREAD);
    }
    looks = !isTaken() || !soon.isEmpty() || !leaving.isEmpty();
    stalled = false;
    if (!isTaken()) {
      stalled = socket.isTooSlow(nowMillis, 1, takenBytes());
    } else {
      socket.stop();
    }
    checkHolding(nowMillis);
    checkPace(nowMillis);
    var next = looks || !holding.isEmpty() ? nowMillis + LATE_MILLIS : NEVER;
    return Math.min(Math.min(lateAtMillis, socket.endMillis()), next);
  }

  private void checkHolding(long nowMillis) {
    for (var link : List.copyOf(holding)) {
      if (!link.checkHeld(nowMillis)) {
        holding.remove(link);
      }
    }
  }

  /**
   * Checks the pace: an occasional frame is not enough while others wait. What the links hold is
   * summed for the connection, as many links behind one slow one are as much in the way.
   */
  private void checkPace(long nowMillis) {
    var held = pending();
    for (var link : holding) {
      held += link.heldBytes();
    }
    if (held == 0 || !isScarce()) {
      pace.stop();
      awaited.stop();
    } else if (isTooSlow(nowMillis, held)) {
      pace.stop();
      awaited.stop();
      List.copyOf(holding).forEach(Source::tooSlow);
      stalled |= pending() > 0;
    }
  }

  private boolean isTooSlow(long nowMillis, long held) {
    var left = transferredBytes();
    if (held <= LITTLE_BYTES || !host.room().isDeliveryAwaited()) {
      awaited.stop();
    } else if (awaited.isTooSlow(nowMillis, held, left)) {
      return true;
    }
    return pace.isTooSlow(nowMillis, held, left);
  }

  /** The bytes of deliveries that the system has taken. */
  private long transferredBytes() {
    var left = host.outputBytes() + handedBytes - takenBytes();
    return host.transferredBytes() - left;
  }

  private boolean isScarce() {
    return host.room().isDeliveryScarce() || host.holdings().isReplyScarce();
  }

  /** Whether the client has read nothing, or too little, for too long. */
  public boolean isStalled() {
    return stalled;
  }
}
