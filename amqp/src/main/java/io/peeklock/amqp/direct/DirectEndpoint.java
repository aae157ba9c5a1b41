package io.peeklock.amqp.direct;

import io.netty.util.concurrent.EventExecutor;
import io.peeklock.amqp.AmqpEdge;
import io.peeklock.amqp.link.EventLoopContext;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.request.Request;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.Broker;
import io.peeklock.runtime.Endpoint;
import io.peeklock.runtime.RateLimitedLog;
import io.peeklock.runtime.Submission;
import io.peeklock.runtime.message.Answer;
import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.runtime.thread.EventLoopThread;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** One request of {@link DirectMessaging} as the shard knows it. */
@EventLoopThread
abstract class DirectEndpoint extends Endpoint {
  private static final RateLimitedLog FAULTS =
      new RateLimitedLog(LoggerFactory.getLogger(DirectEndpoint.class));
  private static final String FAILED = "The broker failed to answer. A retry may help";

  final Place at;
  private List<PendingEffect> pending = new ArrayList<>(1);

  private record PendingEffect(Effect effect, @Nullable Bodies bodies) {}

  /** What the requests of one event loop share. Belongs to that loop. */
  static final class Place {
    final EventExecutor loop;
    final EventLoopContext loopContext;
    final AmqpEdge edge;
    final Broker broker;
    private boolean full;

    Place(EventExecutor loop, EventLoopContext loopContext, AmqpEdge edge) {
      this.loop = loop;
      this.loopContext = loopContext;
      this.edge = edge;
      this.broker = edge.broker();
    }

    /** Whether messages have to wait until the shard has room again. */
    boolean isFull() {
      return full || !loopContext.arena.hasRoom();
    }

    /** Runs what makes or ends a request; if that fails, whoever waits hears so. */
    @AnyThread
    <T> void run(CompletableFuture<Answer<T>> answer, Runnable request) {
      run(
          () -> {
            try {
              request.run();
            } catch (RuntimeException | Error fault) {
              FAULTS.error(fault, "A request failed and is given up");
              answer.complete(new Answer.Unfit<>(Answer.Misfit.BUSY, FAILED));
            }
          });
    }

    @AnyThread
    void run(Runnable task) {
      if (loop.inEventLoop()) {
        task.run();
      } else {
        loop.execute(task);
      }
    }
  }

  DirectEndpoint(Place at) {
    this.at = at;
  }

  /** The broker hears and says nothing more for now: an answer that is known to be none. */
  abstract void dropped(String sentence);

  /** Handles an effect, and releases its bodies. */
  abstract void handle(Effect effect, @Nullable Bodies bodies);

  /** Called when a stored message for it cannot be read. */
  abstract void bodyFailed(String reason);

  final void submit(Request request) {
    submit(Submission.of(request));
  }

  final void submit(Submission submission) {
    try {
      at.full |= !at.broker.submit(submission);
    } catch (RuntimeException | Error fault) {
      submission.release();
      throw fault;
    }
  }

  @Override
  public final void onEffect(Effect effect, @Nullable Bodies bodies) {
    pending.add(new PendingEffect(effect, bodies));
  }

  @Override
  public final void flush() {
    if (pending.isEmpty()) {
      return;
    }
    var batch = pending;
    pending = new ArrayList<>(1);
    try {
      at.run(() -> batch.forEach(this::handle));
    } catch (RuntimeException | Error fault) {
      batch.forEach(DirectEndpoint::drop);
      throw fault;
    }
  }

  /** A fault of this request must reach neither the shard that tells it nor the next one. */
  private void handle(PendingEffect next) {
    try {
      handle(next.effect, next.bodies);
    } catch (RuntimeException | Error fault) {
      drop(next);
      failed(fault);
    }
  }

  /** What it was doing has failed: whoever waits hears so. */
  final void failed(Throwable fault) {
    FAULTS.error(fault, "A request failed and is given up");
    dropped(FAILED);
  }

  private static void drop(PendingEffect lost) {
    if (lost.bodies != null) {
      lost.bodies.drop();
    }
  }

  @Override
  public final void resume() {
    execute(() -> at.full = false);
  }

  @Override
  public final void unreadable(String reason) {
    flush();
    execute(() -> bodyFailed(reason));
  }

  @Override
  public final void lost(Throwable cause) {
    flush();
    execute(() -> failed(cause));
  }

  @Override
  public final void execute(Runnable task) {
    at.loop.execute(task);
  }
}
