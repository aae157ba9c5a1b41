package io.peeklock.amqp.engine.link;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.framing.Output;
import io.peeklock.amqp.engine.messaging.Outcome;
import io.peeklock.amqp.engine.messaging.PeerState;
import io.peeklock.amqp.engine.session.SettlementBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The deliveries that a session sends: delivery ids, the client's window, the delivery in progress,
 * and the unsettled ones. One delivery at a time: two of one session never interleave (T-32).
 *
 * <pre>
 * IDLE ─ begin ─► WRITING ─ end ─► IDLE                       (the payload fits a frame)
 *                    │      └────► STALLED ─ window ─► IDLE   (more frames; the rest waits here)
 *                    └─ cancel ──► IDLE
 * IDLE ─ beginLarge ─► LARGE ─ last piece, or abort ─► IDLE   (the rest waits at the edge)
 * </pre>
 */
final class OutgoingDeliveries {
  private enum Mode {
    IDLE,
    WRITING,
    STALLED,
    LARGE
  }

  private final Output output;
  private final TransferWriter writer;
  private final SettlementBuffer settlements;
  private final UnsettledTable<SendingLink> unsettled = new UnsettledTable<>();
  private int nextDeliveryId;
  private int nextOutgoingId;
  private long window;
  private boolean somebodyWaits;

  private Mode mode = Mode.IDLE;
  private @Nullable SendingLink current;
  private long context;
  private long tagHigh;
  private long tagLow;
  private boolean settled;
  private boolean firstFrameOut;
  private int frameAt;
  private int payloadAt;
  private @Nullable ByteBuf rest;

  OutgoingDeliveries(
      Output output,
      TransferWriter writer,
      SettlementBuffer settlements,
      int firstId,
      long window) {
    this.output = output;
    this.writer = writer;
    this.settlements = settlements;
    this.nextDeliveryId = firstId;
    this.nextOutgoingId = firstId;
    this.window = window;
  }

  int nextOutgoingId() {
    return nextOutgoingId;
  }

  long window() {
    return window;
  }

  int unsettledCount() {
    return unsettled.size();
  }

  /** How many frames may be sent now; remembers a call that got 0. */
  int sendableFrames() {
    boolean free = mode == Mode.IDLE && window > 0;
    somebodyWaits |= !free;
    return free ? (int) Math.min(window, Integer.MAX_VALUE) : 0;
  }

  boolean mayStart() {
    return sendableFrames() > 0;
  }

  // ------------------------------------------------------------------ deliveries in one go

  ByteBuf begin(SendingLink link, long itsContext, long high, long low, boolean isSettled) {
    start(link, itsContext, high, low, isSettled);
    mode = Mode.WRITING;
    ByteBuf out = output.withRoom(TransferWriter.HEAD_ROOM);
    frameAt = writer.first(out, link.localHandle(), nextDeliveryId, high, low, isSettled);
    payloadAt = out.writerIndex();
    output.lock(frameAt);
    return out;
  }

  int end(SendingLink link) {
    require(link, Mode.WRITING);
    output.unlock();
    ByteBuf out = output.withRoom(0);
    int id = commit(link);
    int frameSize = output.frameSize();
    mode = Mode.IDLE;
    if (out.writerIndex() - frameAt > frameSize) {
      cut(out, frameAt + frameSize);
    }
    TransferWriter.finish(out, frameAt);
    countFrame(out.writerIndex() - frameAt);
    if (mode == Mode.STALLED) {
      pump();
    } else {
      current = null;
    }
    return id;
  }

  void cancel(SendingLink link) {
    require(link, Mode.WRITING);
    output.rollBack();
    finishCurrent();
  }

  /** Keeps the payload after the first frame for {@link #pump}. */
  private void cut(ByteBuf out, int endOfFirst) {
    int bytes = out.writerIndex() - endOfFirst;
    rest = output.allocator().buffer(bytes).writeBytes(out, endOfFirst, bytes);
    out.writerIndex(endOfFirst);
    TransferWriter.setMore(out, payloadAt);
    firstFrameOut = true;
    mode = Mode.STALLED;
  }

  /** Sends as much of the rest as the window takes. */
  private void pump() {
    ByteBuf left = rest;
    SendingLink link = current;
    if (mode != Mode.STALLED || left == null || link == null) {
      return;
    }
    while (window > 0 && left.isReadable()) {
      writeFrame(link, left, true);
    }
    if (left.isReadable()) {
      somebodyWaits = true;
    } else {
      finishCurrent();
    }
  }

  // ------------------------------------------------------------------ large deliveries

  int beginLarge(SendingLink link, long itsContext, long high, long low, boolean isSettled) {
    start(link, itsContext, high, low, isSettled);
    mode = Mode.LARGE;
    firstFrameOut = false;
    return commit(link);
  }

  boolean continueLarge(SendingLink link, ByteBuf piece, boolean last) {
    if (!isLarge(link)) {
      piece.skipBytes(piece.readableBytes());
      return true;
    }
    boolean taken = !last && !piece.isReadable();
    while (!taken && window > 0) {
      boolean ended = writeFrame(link, piece, last);
      taken = ended || (!last && !piece.isReadable());
      if (ended) {
        finishCurrent();
      }
    }
    somebodyWaits |= !taken;
    return taken;
  }

  void abortLarge(SendingLink link) {
    if (!isLarge(link)) {
      return;
    }
    int slot = settled ? UnsettledTable.NOT_FOUND : unsettled.find(nextDeliveryId - 1);
    if (slot != UnsettledTable.NOT_FOUND) {
      forget(slot, link);
    }
    if (firstFrameOut) {
      ByteBuf out = output.withRoom(TransferWriter.HEAD_ROOM);
      int start = writer.further(out, link.localHandle(), settled, false, true);
      TransferWriter.finish(out, start);
      countFrame(out.writerIndex() - start);
    } else {
      nextDeliveryId--; // never seen by the client: a gap would make it throw (T-30)
      link.countDelivery(-1);
    }
    finishCurrent();
  }

  boolean isStalledOn(SendingLink link) {
    return mode == Mode.STALLED && current == link;
  }

  private boolean isLarge(SendingLink link) {
    return mode == Mode.LARGE && current == link;
  }

  /** Writes one frame out of {@code payload}; true when it was the delivery's last. */
  private boolean writeFrame(SendingLink link, ByteBuf payload, boolean lastPiece) {
    int frameSize = output.frameSize();
    ByteBuf out = output.withRoom(TransferWriter.HEAD_ROOM);
    int start =
        firstFrameOut
            ? writer.further(out, link.localHandle(), settled, false, false)
            : writer.first(out, link.localHandle(), nextDeliveryId - 1, tagHigh, tagLow, settled);
    int bodyAt = out.writerIndex();
    int bytes = Math.min(payload.readableBytes(), frameSize - (bodyAt - start));
    boolean ended = lastPiece && bytes == payload.readableBytes();
    if (!ended) {
      TransferWriter.setMore(out, bodyAt);
    }
    out.writeBytes(payload, bytes);
    TransferWriter.finish(out, start);
    firstFrameOut = true;
    countFrame(out.writerIndex() - start);
    return ended;
  }

  private void start(SendingLink link, long itsContext, long high, long low, boolean isSettled) {
    if (!link.canSend()) {
      throw new IllegalStateException("this link cannot send now: " + link.name());
    }
    current = link;
    context = itsContext;
    tagHigh = high;
    tagLow = low;
    settled = isSettled;
  }

  private int commit(SendingLink link) {
    int id = nextDeliveryId++;
    link.countDelivery(1);
    if (!settled) {
      unsettled.add(id, context, link);
      link.countUnsettled(1);
    }
    return id;
  }

  private void countFrame(int bytes) {
    output.countTransferred(bytes);
    nextOutgoingId++;
    window--;
  }

  private void finishCurrent() {
    mode = Mode.IDLE;
    current = null;
    if (rest != null) {
      rest.release();
      rest = null;
    }
  }

  private void require(SendingLink link, Mode wanted) {
    if (mode != wanted || current != link) {
      throw new IllegalStateException("no delivery was begun on this link: " + link.name());
    }
  }

  // ------------------------------------------------------------------ the client's window

  /**
   * The client's window from a FLOW: what it takes, less what is on the way to it.
   *
   * @param nextIncomingId the id it expects next; our first one if it has not seen our begin yet
   */
  void onWindow(int nextIncomingId, long incomingWindow) {
    window = Math.max(0, incomingWindow + (nextIncomingId - nextOutgoingId));
    pump();
  }

  /** Whether a call got 0 earlier and may try again now; true once only. */
  boolean isAwaitedAndFree() {
    boolean tells = somebodyWaits && window > 0 && mode != Mode.STALLED && mode != Mode.WRITING;
    if (tells) {
      somebodyWaits = false;
    }
    return tells;
  }

  // ------------------------------------------------------------------ settlement

  boolean settle(SendingLink link, int deliveryId, Outcome outcome) {
    int slot = unsettled.find(deliveryId);
    if (slot == UnsettledTable.NOT_FOUND || unsettled.link(slot) != link) {
      return false;
    }
    forget(slot, link);
    settlements.answerOutgoing(deliveryId, true, outcome);
    return true;
  }

  boolean isUnsettled(SendingLink link, int deliveryId) {
    int slot = unsettled.find(deliveryId);
    return slot != UnsettledTable.NOT_FOUND && unsettled.link(slot) == link;
  }

  boolean answerUnsettled(SendingLink link, int deliveryId, Outcome outcome) {
    int slot = unsettled.find(deliveryId);
    if (slot == UnsettledTable.NOT_FOUND || unsettled.link(slot) != link) {
      return false;
    }
    unsettled.setReported(slot, false);
    settlements.answerOutgoing(deliveryId, false, outcome);
    return true;
  }

  /**
   * A client's disposition over a range. Exactly the deliveries that are unsettled inside of it are
   * hit, wherever it starts and ends (T-69); the edge may answer while it is walked (T-70).
   * Deliveries that were reported before are skipped cheaply, so that repeated dispositions cost
   * little.
   */
  void onDisposition(int first, int last, boolean byClient, PeerState state) {
    int width = last - first;
    if (width < 0) {
      return; // backwards, or wider than serial numbers can tell
    }
    int candidates = byClient ? unsettled.size() : unsettled.unreported();
    if (candidates == 0) {
      return;
    }
    boolean isNarrow = width <= 64 + 4L * candidates;
    int[] ids = isNarrow ? null : unsettled.idsWithin(first, width, byClient);
    int count = ids == null ? width + 1 : ids.length;
    if (state.mapOffset() >= 0) {
      state.isFor(toTell(first, ids, count));
    }
    for (int i = 0; i < count; i++) {
      hit(ids == null ? first + i : ids[i], byClient, state);
    }
  }

  /** How many of them will be reported to the edge. */
  private int toTell(int first, int @Nullable [] ids, int count) {
    int found = 0;
    for (int i = 0; i < count; i++) {
      int id = ids == null ? first + i : ids[i];
      int slot = unsettled.find(id);
      boolean isOver = slot == UnsettledTable.NOT_FOUND || unsettled.isReported(slot);
      found += isOver || isUnfinished(id) ? 0 : 1;
    }
    return found;
  }

  private void hit(int id, boolean byClient, PeerState state) {
    int slot = unsettled.find(id);
    if (slot == UnsettledTable.NOT_FOUND) {
      return;
    }
    SendingLink link = unsettled.link(slot);
    if (link == null || isUnfinished(id)) {
      return;
    }
    boolean known = unsettled.isReported(slot);
    long itsContext = unsettled.context(slot);
    if (byClient) {
      forget(slot, link);
    } else {
      unsettled.setReported(slot, true);
    }
    if (!known) {
      link.onDisposition(id, itsContext, state, byClient);
    }
  }

  /** Whether the client cannot have seen all of this delivery: it names an id it does not hold. */
  private boolean isUnfinished(int id) {
    return mode == Mode.LARGE && !firstFrameOut && id == nextDeliveryId - 1;
  }

  private void forget(int slot, SendingLink link) {
    unsettled.remove(slot);
    link.countUnsettled(-1);
  }

  // ------------------------------------------------------------------ ends

  /** Forgets a link that ended, with its half-sent and its unsettled deliveries. */
  void leave(SendingLink link, int itsUnsettled) {
    if (current == link) {
      if (mode == Mode.WRITING) {
        output.rollBack();
      } else if (mode == Mode.LARGE && !firstFrameOut) {
        nextDeliveryId--;
      }
      finishCurrent();
    }
    unsettled.forget(itsUnsettled);
  }

  void discard() {
    finishCurrent();
  }
}
