package io.peeklock.amqp.direct;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.ScheduledFuture;
import io.peeklock.amqp.engine.codec.AmqpDecodeException;
import io.peeklock.amqp.message.DecodedHead;
import io.peeklock.amqp.message.LockTokens;
import io.peeklock.amqp.message.PendingBurst;
import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.MessageState;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.LargeBody;
import io.peeklock.runtime.RateLimitedLog;
import io.peeklock.runtime.ReadFault;
import io.peeklock.runtime.message.Answer;
import io.peeklock.runtime.message.BodyRest;
import io.peeklock.runtime.message.ReceivedMessage;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * A receiver that takes one message and goes.
 *
 * <pre>
 *   WAITING → (message) HOLDING → OVER        from when its receiver has taken all of it
 *      └ (time is up) drain → message or nothing → OVER
 * </pre>
 *
 * When its time is up it drains instead of going: a message that was decided for it before then
 * still comes, and one that is received and deleted would be lost otherwise. Whoever cancelled gets
 * nothing; what was locked for it is given back as undelivered.
 */
final class SingleReceive extends DirectEndpoint {
  private static final RateLimitedLog UNDELIVERED =
      new RateLimitedLog(LoggerFactory.getLogger(SingleReceive.class));
  private static final String CANNOT_BE_READ =
      "Receiving from this entity is stopped: a stored message cannot be read. A retry helps only"
          + " after the broker's files were repaired and it was started again";

  private static final RateLimitedLog UNTRANSLATED =
      new RateLimitedLog(LoggerFactory.getLogger(SingleReceive.class));
  private static final String DELETED_AND_UNTRANSLATED =
      " of this entity cannot be said over HTTP. It was received and deleted, and is lost; lock"
          + " messages first, and over AMQP such a one can be received";
  private static final String CANNOT_BE_TRANSLATED =
      "A message of this entity cannot be said over HTTP. It stays locked, and is dead-lettered in"
          + " the end; over AMQP it can be received";

  private final QueueId queue;
  private final ReceiveMode mode;
  private final CompletableFuture<Answer<Optional<ReceivedMessage>>> answer;
  private @Nullable ScheduledFuture<?> timer;
  private @Nullable PendingBurst held;
  private @Nullable LargeBody large;
  private boolean over;

  SingleReceive(
      Place at,
      QueueId queue,
      ReceiveMode mode,
      CompletableFuture<Answer<Optional<ReceivedMessage>>> answer) {
    super(at);
    this.queue = queue;
    this.mode = mode;
    this.answer = answer;
  }

  /** Joins the receivers of its queue; on the loop. */
  void begin(long waitMillis) {
    submit(new Request.OpenReceiver(this, queue, mode));
    submit(new Request.Flow(this, 1, waitMillis == 0));
    if (waitMillis > 0) {
      timer =
          at.loop.schedule(() -> at.run(answer, this::timeIsUp), waitMillis, TimeUnit.MILLISECONDS);
    }
    var unused =
        answer.whenComplete(
            (given, failed) -> {
              if (answer.isCancelled()) {
                at.run(this::cancelled);
              }
            });
  }

  private void timeIsUp() {
    submit(new Request.Flow(this, 1, true));
  }

  private void cancelled() {
    if (held == null && !over) {
      leave();
    }
  }

  @Override
  void handle(Effect effect, @Nullable Bodies bodies) {
    if (effect instanceof Effect.Delivered delivered && bodies != null) {
      at.edge.throttle().owe(1);
      held = PendingBurst.of(delivered.messages(), bodies, at.loopContext.tokens);
      delivered(held);
    } else if (effect instanceof Effect.Drained) {
      end(new Answer.Given<>(Optional.empty()));
    } else if (effect instanceof Effect.ReceiverEnded ended) {
      end(whyEnded(ended.refusal()));
    }
  }

  private static Answer<Optional<ReceivedMessage>> whyEnded(Refusal refusal) {
    return refusal instanceof Refusal.EntityNotFound
        ? new Answer.Unfit<>(
            Answer.Misfit.ENTITY_GONE, "The entity was deleted while a message was waited for")
        : new Answer.Refused<>(refusal);
  }

  /** Without a message; nothing when there is one. */
  private void end(Answer<Optional<ReceivedMessage>> without) {
    if (held == null && !over) {
      leave();
      answer.complete(without);
    }
  }

  private void leave() {
    over = true;
    if (timer != null) {
      timer.cancel(false);
    }
    submit(new Request.CloseReceiver(this));
  }

  // --- a message came ---

  private void delivered(PendingBurst burst) {
    if (over || answer.isDone()) {
      giveBack();
      return;
    }
    var body = burst.takeLarge();
    if (body != null) {
      large = body;
      burst.tellUncounted(this, this::submit);
      body.read(0, LargeRest.pieceOf(body, 0), this, new Beginning());
      return;
    }
    var out = Unpooled.buffer(burst.messages.sizes()[0] + 512);
    try {
      if (isRead(() -> burst.write(out, at.loopContext.writer))) {
        handOver(out, new BodyContent(), false);
      }
    } catch (RuntimeException | Error fault) { // ours alone: others can have the message
      giveBack();
      throw fault;
    }
  }

  /** Writes what is stored; false when it is damaged, which is told. */
  private boolean isRead(Runnable writing) {
    try {
      writing.run();
      return true;
    } catch (AmqpDecodeException unreadable) {
      damaged(String.valueOf(unreadable.getMessage()));
      return false;
    } finally {
      at.loopContext.written();
    }
  }

  /** The first piece of a large body, which holds all that has to be rewritten. */
  private final class Beginning implements LargeBody.PieceListener {
    @Override
    public void piece(ByteBuffer bytes) {
      try {
        var read = Unpooled.wrappedBuffer(bytes);
        var count = read.readableBytes();
        var out = Unpooled.buffer(count + 1_024);
        if (isRead(() -> burst().write(out, at.loopContext.writer, read, 0, count))) {
          handOver(out, new BodyContent(), true);
        }
      } catch (RuntimeException | Error fault) {
        giveBack();
        SingleReceive.this.failed(fault);
      }
    }

    @Override
    public void failed(Throwable cause) {
      if (cause instanceof ReadFault) {
        giveBack();
        SingleReceive.this.failed(cause);
      } else {
        damaged(String.valueOf(cause.getMessage()));
      }
    }
  }

  private PendingBurst burst() {
    return Invariant.present(held, "a message is held");
  }

  private void handOver(ByteBuf written, BodyContent content, boolean isLarge) {
    ReceivedMessage message;
    try {
      message = translated(written, content, isLarge);
    } catch (AmqpDecodeException untranslated) {
      untranslated(String.valueOf(untranslated.getMessage()));
      return;
    }
    if (!answer.complete(new Answer.Given<>(Optional.of(message)))) {
      giveBack();
    } else if (message.rest() == null) {
      release();
    }
  }

  private ReceivedMessage translated(ByteBuf written, BodyContent content, boolean isLarge) {
    var head = DecodedHead.of(written);
    var body = Unpooled.buffer(Math.max(1, written.writerIndex() - head.bodyAt));
    content.take(written, head.bodyAt, written.writerIndex() - head.bodyAt, body);
    return new ReceivedMessage(
        head.texts,
        head.applicationProperties,
        stored(head.dueAtMillis),
        lock(),
        LargeRest.bytesOf(body),
        isLarge ? rest(content) : null,
        this::taken);
  }

  /** The receiver has the message, or never will: it counts no more as on its way. */
  private void taken() {
    at.run(
        () -> {
          if (!over) {
            leave();
          }
        });
  }

  private @Nullable BodyRest rest(BodyContent content) {
    var body = Invariant.present(large, "the body is large");
    var read = LargeRest.pieceOf(body, 0);
    return read == body.length() ? null : new LargeRest(this, body, read, content);
  }

  private ReceivedMessage.Stored stored(long dueAtMillis) {
    var messages = burst().messages;
    var numbers = messages.enqueuedNumbers();
    var sources = messages.deadLetterSources();
    var expires = messages.expiresAtMillis()[0];
    var enqueued = messages.enqueuedAtMillis()[0];
    return new ReceivedMessage.Stored(
        messages.sequenceNumbers()[0],
        numbers == null ? 0 : numbers[0],
        enqueued,
        messages.deliveryCounts()[0],
        expires == QueueDefinition.FOREVER ? expires : expires - enqueued,
        dueAtMillis,
        dueAtMillis == 0 ? messages.states()[0] : MessageState.SCHEDULED,
        sources == null ? null : sources[0]);
  }

  private long number() {
    return burst().messages.sequenceNumbers()[0];
  }

  private ReceivedMessage.@Nullable Lock lock() {
    var tags = burst().tags();
    return tags == null
        ? null
        : new ReceivedMessage.Lock(LockTokens.uuid(tags, 0), burst().messages.lockedUntilMillis());
  }

  /** The last piece of a large body went to the receiver. */
  void restEnded() {
    release();
  }

  /** The receiver takes no more of a large body, or nobody wants the message. */
  void giveBack() {
    var burst = burst();
    if (mode == ReceiveMode.PEEK_LOCK) {
      submit(new Request.Undelivered(this, burst.locks(0, 1), 1, burst.bytes(0, 1)));
    } else {
      UNDELIVERED.info(
          "Message {} of queue {}, received and deleted, did not reach its receiver, and is lost",
          number(),
          queue);
    }
    release();
    if (!over) {
      leave();
    }
  }

  /**
   * The message is whole, but has no form here: that is no fault of the queue, whose other
   * receivers go on. A lock that lapses is counted, so that whoever asks in this way meets it a few
   * times only.
   */
  void untranslated(String reason) {
    UNTRANSLATED.error("Message {} of queue {} has no form over HTTP: {}", number(), queue, reason);
    release();
    if (!over) {
      leave();
    }
    answer.complete(
        new Answer.Unfit<>(
            Answer.Misfit.UNREADABLE,
            mode == ReceiveMode.PEEK_LOCK
                ? CANNOT_BE_TRANSLATED
                : "Message " + number() + DELETED_AND_UNTRANSLATED));
  }

  /** A stored message is damaged: its queue stops, and says so to all who receive from it. */
  void damaged(String reason) {
    at.broker.unreadable(this, reason);
    giveBack();
    answer.complete(new Answer.Unfit<>(Answer.Misfit.UNREADABLE, CANNOT_BE_READ));
  }

  private void release() {
    burst().release();
    if (large != null) {
      large.release();
      large = null;
    }
  }

  @Override
  void dropped(String sentence) {
    answer.complete(new Answer.Unfit<>(Answer.Misfit.BUSY, sentence));
    execute(this::cancelled);
  }

  @Override
  void bodyFailed(String reason) {
    end(new Answer.Unfit<>(Answer.Misfit.UNREADABLE, CANNOT_BE_READ));
  }
}
