package io.peeklock.simulator.client;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.Endpoint;
import io.peeklock.runtime.Sender;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** One who asks and is told: the request channel of the clients, or a receiver. */
final class SimEndpoint extends Endpoint {
  private final Listener listener;
  private final ArrayDeque<Decided> decided = new ArrayDeque<>();
  private final @Nullable Receiver receiver;
  private boolean isGivenUp;

  /** What was decided, and its place in the recorder. */
  private record Decided(Effect effect, HistoryRecorder.Event event) {}

  /** Whose endpoint it is. */
  interface Listener {
    /** The broker decided something; it is told later, or never. */
    HistoryRecorder.Event decided(Effect effect);

    /** It is told. */
    void told(SimEndpoint to, Effect effect, @Nullable Bodies bodies, HistoryRecorder.Event event);

    /** It is never told, as it could not be read. */
    void skipped(SimEndpoint to, Effect effect, HistoryRecorder.Event event);

    /** Something that was to be told could not be read. */
    void unreadable(SimEndpoint endpoint, String reason);

    /** Telling has failed. */
    void lost(SimEndpoint endpoint, Throwable cause);

    /** More may be asked. */
    void resume();

    /** Runs something on the thread of the clients. */
    void execute(Runnable task);
  }

  /** A request channel. */
  SimEndpoint(Sender sender, Listener listener) {
    super(sender);
    this.listener = listener;
    this.receiver = null;
  }

  /** That of a receiver. */
  SimEndpoint(Sender sender, Listener listener, Receiver receiver) {
    super(sender);
    this.listener = listener;
    this.receiver = receiver;
  }

  /** The receiver whose endpoint it is; null for a request channel. */
  @Nullable Receiver receiver() {
    return receiver;
  }

  @Override
  public void decided(Effect effect) {
    if (!isGivenUp) {
      decided.add(new Decided(effect, listener.decided(effect)));
    }
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // two effects may be equal and are still two
  public void onEffect(Effect effect, @Nullable Bodies bodies) {
    if (isGivenUp) {
      if (bodies != null) {
        bodies.drop();
      }
      return;
    }
    var next = decided.remove();
    while (next.effect() != effect) {
      listener.skipped(this, next.effect(), next.event());
      next = decided.remove();
    }
    listener.told(this, effect, bodies, next.event());
  }

  @Override
  public void flush() {
    // Everything was told already.
  }

  @Override
  public void resume() {
    listener.resume();
  }

  @Override
  public void unreadable(String reason) {
    listener.unreadable(this, reason);
  }

  @Override
  public void lost(Throwable cause) {
    listener.lost(this, cause);
  }

  /** What was decided first, and not told yet, could not be read. */
  void skip() {
    var next = decided.remove();
    listener.skipped(this, next.effect(), next.event());
  }

  /** Nothing that was decided for it will be told any more. */
  void giveUp() {
    isGivenUp = true;
    decided.forEach(each -> listener.skipped(this, each.effect(), each.event()));
    decided.clear();
  }

  @Override
  public void execute(Runnable task) {
    listener.execute(task);
  }
}
