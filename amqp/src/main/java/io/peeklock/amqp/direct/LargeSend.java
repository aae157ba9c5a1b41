package io.peeklock.amqp.direct;

import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.FormatCode;
import io.peeklock.amqp.message.BareMessage;
import io.peeklock.amqp.message.MessageNormalizer;
import io.peeklock.amqp.message.SendRun;
import io.peeklock.amqp.send.LargeIntake;
import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Request;
import io.peeklock.runtime.Catalogue;
import io.peeklock.runtime.LargeBody;
import io.peeklock.runtime.StagedBodies;
import io.peeklock.runtime.Submission;
import io.peeklock.runtime.intake.PieceOwner;
import io.peeklock.runtime.intake.UnreadTime;
import io.peeklock.runtime.message.Answer;
import io.peeklock.runtime.message.Answer.Misfit;
import io.peeklock.runtime.message.BodyIntake;
import io.peeklock.runtime.message.OutgoingMessage;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A message without a link that is too large for memory, on its way to a file of its own as its
 * bytes arrive; what {@link LargeIntake} is for links. Lives on an event loop.
 *
 * <pre>
 *   TAKING → finish → SYNCING → the shard's, which answers
 *      └ too large, no room, given up: over, and the file is gone
 * </pre>
 *
 * The body is one data section, since there are clients that read no second one; its length is
 * amended at the end when nobody knew it at the beginning.
 */
final class LargeSend implements BodyIntake, PieceOwner {
  private static final int DATA_HEAD_BYTES = 8;
  private static final long BACKLOG_HIGH_BYTES = 1 << 20;

  private final SingleReply<Integer> asker;
  private final Catalogue.Entry entry;
  private final long mostBytes;
  private final CompletableFuture<Answer<Integer>> answer;
  private final SendRun run;
  private final LargeBody.Writer writer;
  private @Nullable ByteBuffer head;
  private long headBytes;
  private int lengthAt;
  private long announced;
  private long taken;
  private boolean finishing;
  private final UnreadTime unread = new UnreadTime();

  /**
   * One that {@link #begin} begins.
   *
   * @param asker told by the shard
   * @param mostBytes of the message with its properties
   * @param answer the asker's
   */
  LargeSend(
      SingleReply<Integer> asker,
      Catalogue.Entry entry,
      long mostBytes,
      CompletableFuture<Answer<Integer>> answer) {
    this.asker = asker;
    this.entry = entry;
    this.mostBytes = mostBytes;
    this.answer = answer;
    this.run = new SendRun(entry.definition(), asker.at.loopContext.messageIds);
    this.writer = asker.at.loopContext.arena.openLarge(mostBytes + MessageNormalizer.MAX_GROWTH);
    writer.givesWay(this);
  }

  /**
   * Takes everything but the body. Nothing is written before the first byte of that.
   *
   * @param bodyBytes below 0 when nobody knows
   * @return why it is not taken, or null
   */
  <T> @Nullable Answer<T> begin(OutgoingMessage message, long bodyBytes) {
    var encoded = Unpooled.buffer(1_024);
    var now = asker.at.edge.settings().clock().wallMillis();
    var problem = BareMessage.writeBeforeBody(encoded, message, now);
    var length = encoded.readableBytes();
    headBytes = (long) length + DATA_HEAD_BYTES;
    announced = bodyBytes;
    if (problem == null && bodyBytes > mostBytes - headBytes) {
      // What a client claims may be as large as a number can be.
      problem = DirectMessaging.tooLarge(Math.max(bodyBytes, headBytes + bodyBytes), mostBytes);
    }
    var normalizer = asker.at.loopContext.normalizer;
    if (problem == null) {
      problem = normalizer.inspect(encoded, 0, length);
    }
    if (problem != null) {
      return DirectMessaging.unfit(problem);
    }
    if (entry.definition().requiresSession() && normalizer.sessionId() == null) {
      return new Answer.Refused<>(new Refusal.SessionIdMissing());
    }
    run.note(normalizer);
    var out = ByteBuffer.allocate(length + MessageNormalizer.MAX_GROWTH + DATA_HEAD_BYTES);
    normalizer.write(out);
    run.wrote(out, 0, normalizer);
    MessageNormalizer.descriptor(out, Descriptor.DATA);
    out.put((byte) FormatCode.BIN32);
    lengthAt = out.position();
    head = out.putInt((int) Math.max(0, bodyBytes)).flip();
    return null;
  }

  @Override
  public void write(ByteBuffer bytes) {
    if (finishing || answer.isDone()) {
      bytes.position(bytes.limit());
      return;
    }
    taken += bytes.remaining();
    if (taken > mostBytes - headBytes) {
      refuse(DirectMessaging.unfit(DirectMessaging.tooLarge(headBytes + taken, mostBytes)));
      return;
    }
    writeHead();
    writer.write(bytes);
    if (writer.isRefused()) {
      refuse(noRoom());
    }
  }

  private void writeHead() {
    if (head != null) {
      writer.write(head);
      head = null;
    }
  }

  private static Answer<Integer> noRoom() {
    return new Answer.Unfit<>(
        Misfit.BUSY, "There is no room for another large message for now. A retry helps");
  }

  private void refuse(Answer<Integer> why) {
    writer.abort();
    answer.complete(why);
  }

  @Override
  public boolean hasRoom() {
    var hasRoom = writer.backlogBytes() <= BACKLOG_HIGH_BYTES;
    if (!hasRoom) {
      unread.begin(nowMillis());
    }
    return hasRoom;
  }

  @Override
  public void whenRoom(Runnable listener) {
    writer.whenRoom(
        asker,
        () -> {
          unread.end(nowMillis());
          listener.run();
        });
  }

  @Override
  public long nowMillis() {
    return asker.at.edge.settings().clock().monotonicMillis();
  }

  @Override
  public long unreadMillis(long nowMillis) {
    return unread.millis(nowMillis);
  }

  @Override
  public void execute(Runnable task) {
    asker.execute(task);
  }

  @Override
  public void executeLater(long millis, Runnable task) {
    var unused = asker.at.loop.schedule(task, millis, TimeUnit.MILLISECONDS);
  }

  @Override
  public void giveWay() {
    refuse(noRoom());
  }

  @Override
  public void finish() {
    if (finishing || answer.isDone()) {
      return;
    }
    var unpaid = asker.at.edge.charge(1, entry.definition().path());
    if (unpaid != null) {
      refuse(DirectMessaging.unfit(unpaid));
      return;
    }
    writeHead();
    if (announced < 0) {
      writer.amend(lengthAt, ByteBuffer.allocate(Integer.BYTES).putInt((int) taken).flip());
    } else {
      Invariant.check(taken == announced, "a body is as long as was said");
    }
    finishing = true;
    writer.finish(asker, this::synced);
  }

  private void synced(LargeBody.@Nullable Staged staged) {
    if (staged == null) {
      answer.complete(noRoom());
      return;
    }
    if (answer.isDone()) { // the broker said goodbye meanwhile
      staged.release();
      return;
    }
    asker.at.run(answer, () -> submit(staged));
  }

  private void submit(LargeBody.Staged staged) {
    var bodies = inRun(staged);
    asker.submit(
        Submission.of(
            bodies,
            () -> new Request.Send(asker, SingleReply.TICKET, entry.queue(), run.burst(), true)));
  }

  private StagedBodies inRun(LargeBody.Staged staged) {
    try {
      run.add((int) Math.min(Integer.MAX_VALUE, staged.length()), 0, false);
      return asker.at.loopContext.stageAtOnce(arena -> arena.commit(staged));
    } catch (RuntimeException | Error fault) {
      staged.release();
      throw fault;
    }
  }

  @Override
  public void abort() {
    if (!finishing) {
      answer.cancel(false);
      writer.abort();
    }
  }

  /** It has failed, and somebody else says so. */
  void drop() {
    if (!finishing) {
      writer.abort();
    }
  }

  @Override
  public CompletableFuture<Answer<Integer>> answer() {
    return answer;
  }
}
