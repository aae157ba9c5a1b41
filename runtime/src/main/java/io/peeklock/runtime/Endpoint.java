package io.peeklock.runtime;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.request.Origin;
import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.runtime.thread.ShardThread;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A requester of the shard: a link, a request channel, the console. Effects come in order, already
 * durable, on the shard's thread; an endpoint that lives on another thread collects them and hands
 * them over once, at {@link #flush()}.
 */
public abstract class Endpoint implements Origin, Executor {

  /** The effects that wait at the gate for this endpoint; used by the gate only. */
  final Gate.Line line = new Gate.Line();

  private final Sender sender;

  /** An endpoint with its own sender. */
  protected Endpoint() {
    this(new Sender());
  }

  /** An endpoint that shares a sender with others, such as the links of a connection. */
  protected Endpoint(Sender sender) {
    this.sender = sender;
  }

  /**
   * Receives an effect as it is decided, which it receives again once that is durable, or never.
   * Effects of all endpoints come here in the order of their decisions: for a history of them.
   */
  @ShardThread
  public void decided(Effect effect) {}

  /**
   * Receives one effect. Nothing of it may reach a socket before {@link #flush()}.
   *
   * @param bodies the bodies of a {@link Effect.Delivered}, {@link Effect.Peeked} or {@link
   *     Effect.DeferredReceived}, in the order of its messages, followed by those of its overlays
   *     that are not 0; to be released by the endpoint. Null for other effects.
   */
  @ShardThread
  public abstract void onEffect(Effect effect, @Nullable Bodies bodies);

  /** Ends a run of {@link #onEffect}: now the endpoint may write. */
  @ShardThread
  public abstract void flush();

  /**
   * Reading may resume, as the shard has room again after {@link Broker#submit} returned false.
   * Only one endpoint of a sender is called, for all of them.
   */
  @ShardThread
  public abstract void resume();

  /** A body for this endpoint cannot be read; the deliveries behind it will not come. */
  @ShardThread
  public abstract void unreadable(String reason);

  /**
   * An effect for this endpoint is lost, because {@link #onEffect} failed: the endpoint reports
   * that to its client, or closes.
   */
  @ShardThread
  public void lost(Throwable cause) {
    unreadable("it could not be told: " + cause);
  }

  /** The sender in whose order its requests are decided. */
  @AnyThread
  final Sender sender() {
    return sender;
  }

  /** Runs something on the thread that this endpoint lives on. */
  @Override
  @AnyThread
  public abstract void execute(Runnable task);
}
