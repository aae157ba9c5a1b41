package io.peeklock.amqp.direct;

import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.codec.AmqpDecodeException;
import io.peeklock.amqp.message.DecodedHead;
import io.peeklock.amqp.message.PendingBurst;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.effect.MessageBurst;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.request.Request;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.message.Answer;
import io.peeklock.runtime.message.ReceivedMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A look at messages, which stay as they are. */
final class DirectPeek extends DirectEndpoint {
  /** How much one look brings at most: it is all in memory until it is handed over. */
  private static final long MOST_BYTES = 8 << 20;

  private final CompletableFuture<Answer<List<ReceivedMessage>>> answer;

  DirectPeek(Place at, CompletableFuture<Answer<List<ReceivedMessage>>> answer) {
    super(at);
    this.answer = answer;
  }

  /** Asks; on the loop. */
  void begin(QueueId queue, long from, int most) {
    submit(new Request.Peek(this, SingleReply.TICKET, queue, from, most, MOST_BYTES));
  }

  @Override
  void handle(Effect effect, @Nullable Bodies bodies) {
    if (effect instanceof Effect.Peeked peeked && bodies != null) {
      answer.complete(translated(peeked.messages(), bodies));
    } else if (effect instanceof Effect.Peeked) {
      answer.complete(new Answer.Given<>(List.of()));
    } else if (effect instanceof Effect.Refused refused) {
      answer.complete(new Answer.Refused<>(refused.refusal()));
    }
  }

  private Answer<List<ReceivedMessage>> translated(MessageBurst messages, Bodies bodies) {
    var burst = PendingBurst.of(messages, bodies, at.loopContext.tokens);
    var all = new ArrayList<ReceivedMessage>(messages.count());
    try {
      while (!burst.isDone()) {
        all.add(next(burst));
        burst.advance();
      }
      return new Answer.Given<>(all);
    } catch (AmqpDecodeException damaged) {
      return new Answer.Unfit<>(Answer.Misfit.UNREADABLE, String.valueOf(damaged.getMessage()));
    } finally {
      burst.release();
      at.loopContext.written();
    }
  }

  private ReceivedMessage next(PendingBurst burst) {
    if (burst.bodies().large(burst.next()) != null) { // released with the others
      return new ReceivedMessage(
          Map.of(), Map.of(), stored(burst, 0), null, new byte[0], null, () -> {});
    }
    var out = Unpooled.buffer(burst.bytes() + 512);
    burst.write(out, at.loopContext.writer);
    var head = DecodedHead.of(out);
    var bodyBytes = out.writerIndex() - head.bodyAt;
    var body = Unpooled.buffer(Math.max(1, bodyBytes));
    new BodyContent().take(out, head.bodyAt, bodyBytes, body);
    return new ReceivedMessage(
        head.texts,
        head.applicationProperties,
        stored(burst, head.dueAtMillis),
        null,
        LargeRest.bytesOf(body),
        null,
        () -> {});
  }

  private static ReceivedMessage.Stored stored(PendingBurst burst, long dueAtMillis) {
    var messages = burst.messages;
    var i = burst.next();
    var numbers = messages.enqueuedNumbers();
    var sources = messages.deadLetterSources();
    var expires = messages.expiresAtMillis()[i];
    var enqueued = messages.enqueuedAtMillis()[i];
    return new ReceivedMessage.Stored(
        messages.sequenceNumbers()[i],
        numbers == null ? 0 : numbers[i],
        enqueued,
        messages.deliveryCounts()[i],
        expires == QueueDefinition.FOREVER ? expires : expires - enqueued,
        dueAtMillis,
        messages.states()[i],
        sources == null ? null : sources[i]);
  }

  @Override
  void dropped(String sentence) {
    answer.complete(new Answer.Unfit<>(Answer.Misfit.BUSY, sentence));
  }

  @Override
  void bodyFailed(String reason) {
    answer.complete(new Answer.Unfit<>(Answer.Misfit.UNREADABLE, reason));
  }
}
