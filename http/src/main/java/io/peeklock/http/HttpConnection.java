package io.peeklock.http;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import io.peeklock.kernel.Invariant;
import io.peeklock.runtime.RateLimitedLog;
import io.peeklock.runtime.thread.AnyThread;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of a connection: one request at a time.
 *
 * <pre>
 *   WAITING → (first byte) HEAD → BODY → BUSY (a handler has it) → ANSWERING → WAITING …
 *      any of them → ENDING, in which nothing is heard any more
 * </pre>
 *
 * A peer that sends the next request before it has its answer (pipelining) gets that answer with
 * {@code Connection: close}, and asks again, as RFC 9112 9.3.2 has it: so nothing piles up here.
 *
 * <p>Nothing is read between the last request and its answer. Behind the answer a little is thrown
 * away, unread, for a peer that is still sending would else lose it.
 */
final class HttpConnection extends SimpleChannelInboundHandler<HttpObject>
    implements HttpCall.Connection, AnswerListener {
  private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);
  private static final RateLimitedLog REFUSALS = new RateLimitedLog(LOG);
  private static final long RATE_CHECK_MILLIS = 1_000;

  private final ConnectionTerms terms;
  private final HttpPeer peer;
  private final Sites sites;
  private final Set<HttpConnection> alive;
  private State state = State.WAITING;
  private @Nullable ChannelHandlerContext context;
  private @Nullable ScheduledFuture<?> deadline;
  private @Nullable RequestHead head;
  private @Nullable IncomingBody body;
  private @Nullable HttpCall call;
  private @Nullable Runnable goneListener;
  private @Nullable Linger linger;
  private boolean paused;
  private boolean last;
  private boolean keep;
  private volatile boolean known;
  private @Nullable Outgoing outgoing;

  private enum State {
    WAITING,
    HEAD,
    BODY,
    BUSY,
    ANSWERING,
    ENDING
  }

  /**
   * One that is not in a pipeline yet.
   *
   * @param alive has it while it is in one
   */
  HttpConnection(ConnectionTerms terms, HttpPeer peer, Sites sites, Set<HttpConnection> alive) {
    this.terms = terms;
    this.peer = peer;
    this.sites = sites;
    this.alive = alive;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
    outgoing = new Outgoing(this, terms, added);
    alive.add(this);
    schedule(terms.limits().headMillis(), this::headIsLate);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext removed) {
    schedule(0, null);
    dropBody();
    alive.remove(this);
  }

  /** Before each decoding. */
  void bytesCame(int bytes) {
    if (state == State.WAITING) {
      state = State.HEAD;
      schedule(terms.limits().headMillis(), this::headIsLate);
    } else if (linger != null && !linger.takes(bytes)) {
      drop();
    } else if (linger != null && linger.isEarly(nanoTime())) {
      schedule(Linger.SILENCE_MILLIS, this::drop);
    }
  }

  @Override
  protected void channelRead0(ChannelHandlerContext unused, HttpObject message) {
    if (state == State.ENDING) {
      return;
    }
    if (message.decoderResult().isFailure()) {
      refuse(RequestChecks.unreadable(message.decoderResult().cause()));
      return;
    }
    if (message instanceof HttpRequest request) {
      begin(request);
    }
    if (message instanceof HttpContent content && state == State.BODY) {
      take(content);
    }
  }

  private void begin(HttpRequest request) {
    if (state == State.BUSY || state == State.ANSWERING) {
      last = true; // pipelined: not kept
      discardFurtherInput();
      return;
    }
    switch (terms.checks().judge(request, peer)) {
      case RequestChecks.Judgement.Bad bad -> refuse(bad);
      case RequestChecks.Judgement.Good good -> route(good.head());
    }
  }

  private void route(RequestHead good) {
    head = good;
    var router = sites.at(good.authority());
    if (router == null) {
      refuse(421, "this connection came by another host name; make one for this name");
      return;
    }
    if (asksForUpgrade(good)) {
      state = State.BODY;
      return;
    }
    var preflight = terms.origins().preflight(good);
    if (preflight != null) {
      end(preflight);
      return;
    }
    var found = router.find(good);
    var length = HttpUtil.getContentLength(good.request(), 0L);
    if (found.isEmpty()) {
      end(HttpAnswer.error(404, "there is nothing at this path"));
    } else if (!found.get().knows(good.method())) {
      end(
          HttpAnswer.error(405, good.method() + " is not known at this path")
              .with("Allow", found.get().allowed()));
    } else if (found.get().refuses(length)) {
      refuse(found.get().tooLarge());
    } else if (hasBody(good, length) && !found.get().takes(good.header("Content-Type"))) {
      refuse(415, "the content type should be " + found.get().contentTypes().getFirst());
    } else {
      awaitBody(good, found.get(), length);
    }
  }

  private static boolean hasBody(RequestHead head, long length) {
    return length > 0 || HttpUtil.isTransferEncodingChunked(head.request());
  }

  private boolean asksForUpgrade(RequestHead good) {
    var path = good.path().toLowerCase(Locale.ROOT);
    var own = peer.upgrade().path().toLowerCase(Locale.ROOT);
    return path.equals(own) || path.equals(own + "/");
  }

  private void awaitBody(RequestHead good, Route found, long length) {
    var waits = HttpUtil.is100ContinueExpected(good.request());
    if (!waits && good.header("Expect") != null) {
      refuse(417, "the only expectation is 100-continue");
      return;
    }
    state = State.BODY;
    var next = new HttpCall(this, peer, good);
    call = next;
    body = new IncomingBody(terms.budgets(), found, next, new BodyPace(terms.limits(), nanoTime()));
    schedule(terms.limits().headMillis(), this::checkRate);
    var chunked = HttpUtil.isTransferEncodingChunked(good.request());
    next.attempt(() -> arriving().open(chunked ? -1 : length, waits));
    if (state == State.BODY && waits) {
      var unused = opened().writeAndFlush(Responses.resume());
    }
  }

  private void take(HttpContent content) {
    var arriving = body;
    if (arriving == null) {
      upgrade(content);
      return;
    }
    if (content.content().isReadable()) {
      var wrong = arriving.take(content.content(), opened().alloc());
      if (wrong != null) {
        refuse(wrong);
      }
    }
    if (state != State.BODY) {
      return; // refused, or answered before its end
    }
    if (content instanceof LastHttpContent) {
      hand(arriving);
    } else if (!arriving.hasRoom()) {
      read(false);
    }
  }

  private void hand(IncomingBody whole) {
    state = State.BUSY;
    schedule(0, null);
    read(true);
    present(call).attempt(whole::end);
  }

  @Override
  public void readOn(HttpCall taken) {
    if (call == taken && state == State.BODY) {
      read(true);
    }
  }

  /** Reads on from the socket after a stop of its own, or stops. */
  private void read(boolean on) {
    if (paused == on) {
      paused = !on;
      if (body != null) {
        body.pace().pause(paused, nanoTime());
      }
      opened().channel().config().setAutoRead(on);
    }
  }

  /** What follows is no request of ours; it stays where it is until the answer is written. */
  private void discardFurtherInput() {
    var decoder = opened().pipeline().get(StrictRequestDecoder.class);
    if (decoder != null) {
      decoder.discardRest();
    }
    read(false);
  }

  @Override
  @AnyThread
  public void recognised() {
    known = true;
  }

  @Override
  public boolean isKnown() {
    return known;
  }

  @Override
  @AnyThread
  public boolean mayAnswer() {
    return !terms.budgets().answers().isFull();
  }

  @Override
  public EventExecutor loop() {
    return opened().executor();
  }

  @Override
  @AnyThread
  public void answer(HttpCall answered, PendingAnswer pending) {
    var loop = opened().executor();
    if (!loop.inEventLoop()) {
      loop.execute(() -> answered.attempt(() -> answer(answered, pending)));
      return;
    }
    if (call == answered && state == State.BUSY) {
      call = null;
      goneListener = null;
      dropBody();
      write(pending);
      return;
    }
    pending.drop();
    if (call == answered && state == State.BODY) {
      end(pending.answer()); // the rest of its body is not waited for
    } // else the peer is gone, or it has its answer
  }

  private void write(PendingAnswer pending) {
    var asked = present(head);
    var current = asked.request().protocolVersion().equals(HttpVersion.HTTP_1_1);
    keep = !last && current && HttpUtil.isKeepAlive(asked.request());
    state = State.ANSWERING;
    answerGoesOn();
    if (!keep) {
      discardFurtherInput();
    }
    present(outgoing).write(pending, asked, keep);
  }

  @Override
  public void answerGoesOn() {
    schedule(terms.limits().answerMillis(), this::drop);
  }

  @Override
  public void answerEnded(boolean whole) {
    present(outgoing).end();
    if (whole) {
      afterAnswer(keep && !last);
    } else {
      drop();
    }
  }

  private void afterAnswer(boolean resume) {
    if (state != State.ANSWERING) {
      return;
    }
    head = null;
    if (resume) {
      state = State.WAITING;
      schedule(terms.limits().idleMillis(), this::drop);
    } else {
      linger();
    }
  }

  private void upgrade(HttpContent content) {
    var asked = present(head);
    if (content.content().isReadable() || !(content instanceof LastHttpContent)) {
      refuse(400, "an upgrade has no body");
      return;
    }
    var response = peer.upgrade().answer(asked.request());
    var switches = response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS);
    if (!switches) {
      REFUSALS.warn("Upgrade from {} refused with {}", peer.remote(), response.status().code());
      endWith(response);
      return;
    }
    state = State.ENDING;
    var here = opened();
    var unused = here.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    var pipeline = here.pipeline();
    peer.upgrade().enter(pipeline, asked.authority());
    pipeline.remove(this);
    pipeline.remove(HttpResponseEncoder.class);
    pipeline.remove(StrictRequestDecoder.class);
  }

  private void refuse(RequestChecks.Judgement.Bad bad) {
    refuse(bad.status(), bad.reason());
  }

  /** Answers, and hears nothing more: the rest of what comes may not be what it seems. */
  private void refuse(int status, String reason) {
    REFUSALS.warn("HTTP request from {} refused with {}: {}", peer.remote(), status, reason);
    end(HttpAnswer.error(status, reason));
  }

  private void end(HttpAnswer answer) {
    endWith(Responses.of(answer, head, terms.origins()));
  }

  private void endWith(FullHttpResponse response) {
    state = State.ENDING;
    call = null;
    goneListener = null;
    discardFurtherInput();
    dropBody();
    response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    schedule(terms.limits().answerMillis(), this::drop);
    var unused = opened().writeAndFlush(response).addListener(written -> linger());
  }

  private void linger() {
    state = State.ENDING;
    linger = new Linger(known, nanoTime());
    discardFurtherInput();
    read(true);
    schedule(Linger.SILENCE_MILLIS, this::drop);
    var tls = opened().pipeline().get(SslHandler.class);
    if (tls != null) {
      var unused = tls.closeOutbound();
    } else if (opened().channel() instanceof DuplexChannel socket) {
      var unused = socket.shutdownOutput();
    } else {
      drop();
    }
  }

  private void headIsLate() {
    if (state == State.WAITING) {
      drop();
    } else {
      refuse(408, "the headers did not come in time");
    }
  }

  private void checkRate() {
    if (arriving().pace().isTooSlow(nanoTime())) {
      refuse(408, "the body comes too slowly");
    } else {
      schedule(RATE_CHECK_MILLIS, this::checkRate);
    }
  }

  @Override
  @AnyThread
  public void whenGone(HttpCall waiting, Runnable listener) {
    var loop = opened().executor();
    if (!loop.inEventLoop()) {
      loop.execute(() -> whenGone(waiting, listener));
    } else if (call == waiting) {
      goneListener = listener;
    } else if (!opened().channel().isActive()) {
      listener.run();
    }
  }

  @Override
  @AnyThread
  public void abandon() {
    var unused = opened().close();
  }

  void closeSoon() {
    var loop = opened().executor();
    loop.execute(
        () -> {
          last = true;
          if (state == State.WAITING || state == State.HEAD) {
            drop();
          }
        });
  }

  @Override
  public void channelInactive(ChannelHandlerContext inactive) {
    state = State.ENDING;
    schedule(0, null);
    call = null;
    var listener = goneListener;
    goneListener = null;
    dropBody();
    present(outgoing).end();
    if (listener != null) {
      listener.run();
    }
    inactive.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext caught, Throwable cause) {
    LOG.debug("HTTP connection from {} failed: {}", peer.remote(), cause.toString());
    drop();
  }

  private void drop() {
    state = State.ENDING;
    var unused = opened().close();
  }

  private void dropBody() {
    var dropped = body;
    body = null;
    if (dropped != null) {
      dropped.drop();
    }
  }

  /** Replaces the deadline; null for none. */
  private void schedule(long millis, @Nullable Runnable what) {
    if (deadline != null) {
      deadline.cancel(false);
      deadline = null;
    }
    if (what != null) {
      deadline = opened().executor().schedule(what, millis, TimeUnit.MILLISECONDS);
    }
  }

  private long nanoTime() {
    return opened().executor().ticker().nanoTime();
  }

  private IncomingBody arriving() {
    return Invariant.present(body, "a body is on its way");
  }

  private ChannelHandlerContext opened() {
    return present(context);
  }

  private static <T> T present(@Nullable T part) {
    return Invariant.present(part, "the connection is in a pipeline and has a request");
  }
}
