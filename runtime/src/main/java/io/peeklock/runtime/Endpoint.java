package io.peeklock.runtime;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.request.Origin;
import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.runtime.thread.ShardThread;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One who asks the shard and is told by it: a link, a request channel, the console. Effects come in
 * order, already durable, on the shard's thread; an endpoint that lives on another thread collects
 * them and hands them over once, at {@link #flush()}.
 */
public abstract class Endpoint implements Origin, Executor {

  /** What waits at the gate for this endpoint; the gate's own. */
  final Gate.Line line = new Gate.Line();

  private final Sender sender;

  /** One that stands alone: a sender of its own. */
  protected Endpoint() {
    this(new Sender());
  }

  /** One of several that share a sender, such as the links of a connection. */
  protected Endpoint(Sender sender) {
    this.sender = sender;
  }

  /**
   * Hears that something was decided for it, which it is told once that is durable, or never.
   * Effects of all endpoints come here in the order in which they were decided: for who writes a
   * history.
   */
  @ShardThread
  public void decided(Effect effect) {}

  /**
   * Tells one effect. Nothing that was told may reach a socket before {@link #flush()}.
   *
   * @param bodies the bodies of a {@link Effect.Delivered}, {@link Effect.Peeked} or {@link
   *     Effect.DeferredReceived}, in the order of its messages, followed by those of its overlays
   *     that are not 0; to be released by the endpoint. Null for other effects.
   */
  @ShardThread
  public abstract void onEffect(Effect effect, @Nullable Bodies bodies);

  /** Ends a run of {@link #onEffect}: now write. */
  @ShardThread
  public abstract void flush();

  /**
   * The shard has room again after {@link Broker#submit} said stop: read on. Of the endpoints of
   * one sender one is told, for all of them.
   */
  @ShardThread
  public abstract void resume();

  /** A body for this endpoint could not be read; what waited behind it will not come. */
  @ShardThread
  public abstract void unreadable(String reason);

  /**
   * Something that it should have been told is lost, for telling it has failed: whoever waits for
   * it hears of that, or is given up.
   */
  @ShardThread
  public void lost(Throwable cause) {
    unreadable("it could not be told: " + cause);
  }

  /** In whose order its requests are decided. */
  @AnyThread
  final Sender sender() {
    return sender;
  }

  /** Runs something on the thread that this endpoint lives on. */
  @Override
  @AnyThread
  public abstract void execute(Runnable task);
}
