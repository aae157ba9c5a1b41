package io.peeklock.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.EventExecutor;
import io.peeklock.runtime.RateLimitedLog;
import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.runtime.thread.EventLoopThread;
import java.net.InetSocketAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request that waits for its answer. To be read on the connection's event loop; {@link #answer}
 * and {@link #whenGone} may be called from any thread.
 */
public final class HttpCall {
  private static final Logger LOG = LoggerFactory.getLogger(HttpCall.class);
  private static final RateLimitedLog FAULTS = new RateLimitedLog(LOG);

  private final Connection connection;
  private final HttpPeer peer;
  private final RequestHead head;
  private ByteBuf body = Unpooled.EMPTY_BUFFER;

  /** What calls need of the connection that they came by. */
  interface Connection {
    /** Takes the answer to a call; drops it when the peer is gone or has one. */
    @AnyThread
    void answer(HttpCall answered, PendingAnswer pending);

    /** Whether there is memory for an answer that is not small. */
    @AnyThread
    boolean mayAnswer();

    /** Runs the listener when the peer goes away before this call is answered. */
    @AnyThread
    void whenGone(HttpCall waiting, Runnable listener);

    /** What takes the body of this call has room again. */
    @EventLoopThread
    void readOn(HttpCall taken);

    /** The peer is authenticated. */
    @AnyThread
    void recognised();

    /** Whether it has. */
    @AnyThread
    boolean isKnown();

    /** The event loop that all of it belongs to. */
    @AnyThread
    EventExecutor loop();

    /** Closes, for want of anything better. */
    @AnyThread
    void abandon();
  }

  HttpCall(Connection connection, HttpPeer peer, RequestHead head) {
    this.connection = connection;
    this.peer = peer;
    this.head = head;
  }

  /** The body has come. */
  void whole(ByteBuf all) {
    body = all;
  }

  /** What it asks for. */
  public RequestHead head() {
    return head;
  }

  /**
   * The whole body, within what its route holds; valid until it is answered. Empty for one that
   * goes to a {@link BodySink}.
   */
  public ByteBuf body() {
    return body;
  }

  /** The peer's address. */
  public InetSocketAddress remote() {
    return peer.remote();
  }

  /** Whether it came through TLS; addresses in answers then begin with {@code https}. */
  public boolean tls() {
    return peer.tls();
  }

  /**
   * The peer is authenticated: it leaves the places that the listener has for those who are not.
   */
  public void recognised() {
    connection.recognised();
    peer.recognised().run();
  }

  /** Whether it has, in this request or an earlier one. */
  boolean isKnown() {
    return connection.isKnown();
  }

  /** The {@link BodySink} has room again. */
  @EventLoopThread
  public void readOn() {
    connection.readOn(this);
  }

  /** Runs a task on the connection's event loop, where what takes a while holds nobody else up. */
  public void execute(Runnable task) {
    loop().execute(task);
  }

  /** The connection's event loop. */
  EventExecutor loop() {
    return connection.loop();
  }

  /**
   * Takes a step towards the answer. When it fails, for want of memory too, the call is answered
   * with 500 and the log says why: nothing else would ever end a call that a handler has. From any
   * thread; throws nothing.
   */
  public void attempt(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error fault) {
      failed(fault);
    }
  }

  private void failed(Throwable fault) {
    try {
      FAULTS.error(fault, "A {} from {} failed", head.method(), peer.remote());
      answer(HttpAnswer.error(500, "the broker failed at this request; its log says why"));
    } catch (RuntimeException | Error again) {
      LOG.debug("There is no answer to a request that failed", again);
      connection.abandon();
    }
  }

  /**
   * Ends the call. Of several answers the first counts; one for a peer that is gone is dropped. One
   * to GET for which there is no memory becomes a 503; to others it goes all the same.
   */
  public void answer(HttpAnswer answer) {
    give(PendingAnswer.of(answer));
  }

  /**
   * The same where what the answer holds is counted elsewhere for as long as it is held: it takes
   * nothing of the budget of answers.
   *
   * @param taken run once, on any thread: when the system has taken all of the answer for the
   *     socket, or when it goes to nobody
   */
  public void answer(HttpAnswer answer, Runnable taken) {
    answer(answer, taken, () -> {});
  }

  /**
   * The same where something is to be undone when the peer gets 500 in its place.
   *
   * @param notWritten run once before {@code taken}, on any thread, when a fault of the broker's
   *     keeps the answer from being written; not when the peer is gone
   */
  public void answer(HttpAnswer answer, Runnable taken, Runnable notWritten) {
    give(new PendingAnswer(answer, taken, notWritten));
  }

  private void give(PendingAnswer pending) {
    try {
      connection.answer(this, pending);
    } catch (RuntimeException | Error fault) {
      pending.spoil();
      throw fault;
    }
  }

  /**
   * Whether there is memory for an answer that is not small. What asks to change something is
   * better refused before it is changed than after.
   */
  @AnyThread
  public boolean mayAnswer() {
    return connection.mayAnswer();
  }

  /** Closes the connection, answered or not. */
  @AnyThread
  public void abandon() {
    connection.abandon();
  }

  /**
   * To be told, on the event loop, when the peer goes away before it has its answer; at once when
   * it has gone already. One listener, the last one.
   */
  public void whenGone(Runnable listener) {
    connection.whenGone(this, listener);
  }
}
