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
 * How a client takes what is written to it: which links hear that their bytes have left, which hold
 * what it does not take, and whether it takes enough. On the connection's event loop.
 *
 * <p>Bytes have left when the system has taken them: until then their buffer is memory of ours, and
 * counts.
 */
public final class Outflow {
  /** Who takes nothing for so long holds what others wait for, and is closed. */
  static final long STALL_MILLIS = 120_000;

  /** Of what is held for a client, an eighth must leave in so long while room is scarce. */
  static final long PACE_MILLIS = 60_000;

  static final int PACE_PARTS = 8;

  /** The same pace, but without long pauses, while a queue gets nothing for want of room. */
  static final long AWAITED_MILLIS = 10_000;

  static final long AWAITED_PARTS = PACE_PARTS * (PACE_MILLIS / AWAITED_MILLIS);

  /** Who holds no more than this is not in the way of a message that finds no room. */
  private static final long LITTLE_BYTES = DeliveryPortion.BYTES;

  /** Deliveries beyond this wait, although the socket may take more. */
  private static final int OUTPUT_HIGH_BYTES = 256 << 10;

  /** So much may wait for a socket without being counted. */
  private static final long UNCOUNTED_BYTES = 16 << 10;

  /** Answers above this stop the reading, see {@link #isUnread}. */
  private static final long UNREAD_HIGH_BYTES = 2 << 20;

  /** What is too little to be told at once is told after so long. */
  private static final long LATE_MILLIS = 1_000;

  /** What Netty adds to the bytes of each write in its count of those that wait. */
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

  /** What it sees of its connection. */
  @EventLoopThread
  interface Host {
    /** Monotonic, for timers. */
    @AnyThread
    long nowMillis();

    /** Something is due after so long. */
    void dueIn(long millis);

    /** Stops reading, for one of the reasons of {@link ReadPauses}. */
    void pause(int reason);

    /** Reads again, if there is no other reason not to. */
    void resume(int reason);

    /** Runs a task of the connection's: a fault in it ends the connection and nothing else. */
    void perform(Runnable task);

    /** What the connection holds for its client. */
    @AnyThread
    Holdings holdings();

    /** Bytes that the engine has written and that were not handed to the socket yet. */
    int outputBytes();

    /** Bytes of deliveries that the engine has written, ever. */
    long transferredBytes();

    /** The room that deliveries share. */
    RoomMeter room();
  }

  /** What it sees of a link that writes. */
  @EventLoopThread
  public interface Source {
    /**
     * What was written since it was asked last, and is told through {@link #left}; for those who
     * ask {@link Outflow} for that.
     */
    long takeWritten();

    /** So many bytes of what was taken have left us; also when the link is over. */
    void left(long bytes);

    /** Bytes that it holds for its client, not those on their way to the socket. */
    long heldBytes();

    /**
     * Looks whether the client lets through what this link holds for it, and ends the link when it
     * has not for too long.
     *
     * @return whether to look again before long
     */
    boolean checkHeld(long nowMillis);

    /** The connection takes too little of what is held for it while others wait: it ends. */
    void tooSlow();
  }

  /**
   * Bytes of a link that have left when so many of all were taken. They stay in a queue, rather
   * than with the promise of a write, so that whoever looks next can tell them.
   */
  private record Leaving(Source link, long bytes, long until) {}

  public Outflow(Host host, Channel channel) {
    this.host = host;
    this.channel = channel;
  }

  // --- what the links say ---

  /** Whether deliveries may be written, rather than wait, beside so many bytes. */
  public boolean hasRoom(int outputBytes) {
    return outputBytes < OUTPUT_HIGH_BYTES && channel.isWritable();
  }

  /** A link wants {@link Source#left} for what it has written until the next hand-over. */
  public void reportSoon(Source link) {
    soon.add(link);
  }

  /** The same before long, for what is too little to be told at once while there is room. */
  public void reportLate(Source link) {
    late.add(link);
    if (lateAtMillis == NEVER) {
      lateAtMillis = host.nowMillis() + LATE_MILLIS;
      host.dueIn(LATE_MILLIS);
    }
  }

  /**
   * A link holds what its client does not take now: {@link Source#checkHeld} every second.
   *
   * @return whether it did not yet
   */
  public boolean watch(Source link) {
    if (holding.isEmpty()) {
      host.dueIn(LATE_MILLIS);
    }
    return holding.add(link);
  }

  /** Bytes were written that a budget counts until they have left; below 0: they have. */
  public void counted(long bytes) {
    countedBytes += bytes;
  }

  public void forget(Source link) {
    holding.remove(link);
    soon.remove(link);
    late.remove(link);
  }

  // --- the socket ---

  /**
   * What to write the present output with: links that want to know hear at once when it is taken.
   * What happens then is contained like everything else of the connection: Netty would only warn.
   */
  public ChannelPromise whenTaken() {
    if (!late.isEmpty() && host.room().isDeliveryScarce()) {
      soon.addAll(late); // what is not told keeps others waiting now
      late.clear();
    }
    if (soon.isEmpty() || host.outputBytes() == 0) {
      return channel.voidPromise(); // a write that fails reaches exceptionCaught, which closes
    }
    var until = written();
    leave(soon);
    return channel.newPromise().addListener(done -> host.perform(() -> taken(done, until)));
  }

  /** So many bytes were handed over. */
  public void wrote(int bytes) {
    handedBytes += bytes;
    if (isUnread()) {
      host.pause(ReadPauses.UNREAD);
    }
  }

  /** What TLS or WebSocket answers by itself was not {@link #wrote written} here. */
  public void lookAtUnread() {
    if (pending() > UNCOUNTED_BYTES && isUnread()) {
      host.pause(ReadPauses.UNREAD);
    }
  }

  /** Bytes of the connection that were handed over, or are about to be. */
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
   * Whether so much waits for the socket that nothing more is read: who asks and never reads must
   * not fill our memory. Well above what deliveries take, which wait for room, so that a slow
   * reader can always settle; little where the answers of all are too much.
   */
  public boolean isUnread() {
    var uncounted = uncounted();
    var isMuch = host.holdings().unread(uncounted);
    return pending() > UNREAD_HIGH_BYTES || (isMuch && uncounted > 0);
  }

  /** What waits for the socket and is in no budget yet. */
  private long uncounted() {
    return Math.max(0, pending() - countedBytes - UNCOUNTED_BYTES);
  }

  /** Bytes that the system has not taken. */
  private long pending() {
    var buffer = channel.unsafe().outboundBuffer();
    return buffer == null ? 0 : buffer.totalPendingWriteBytes();
  }

  /** Bytes that the system has taken, of buffers that it has not taken whole too. */
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

  /** Something was handed to the socket, or the socket takes more. */
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
   * Looks at the socket and at what links hold, and tells those who are due.
   *
   * @return when to look again, on the monotonic clock
   */
  public long check(long nowMillis) {
    if (nowMillis >= lateAtMillis) {
      lateAtMillis = NEVER;
      leave(late);
    }
    if (host.outputBytes() == 0) {
      leave(soon); // of those whose last bytes went without them
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
   * A frame now and then must not keep what others wait for. What is held is looked at in the sum
   * of the connection: many links behind one slow one are as much in the way.
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

  /** Of deliveries, what the system has taken. */
  private long transferredBytes() {
    var left = host.outputBytes() + handedBytes - takenBytes();
    return host.transferredBytes() - left;
  }

  private boolean isScarce() {
    return host.room().isDeliveryScarce() || host.holdings().isReplyScarce();
  }

  /** Whether the client has taken nothing, or too little, of what waits for it for too long. */
  public boolean isStalled() {
    return stalled;
  }
}
