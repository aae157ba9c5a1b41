package io.peeklock.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.peeklock.runtime.RateLimitedLog;
import io.peeklock.runtime.message.BodyRest;
import org.slf4j.LoggerFactory;

/**
 * An answer whose body is read as the peer takes it: the next piece when the last one is on its
 * way. Lives on the event loop of its connection.
 */
final class StreamedAnswer implements BodyRest.Listener {
  private static final RateLimitedLog FAULTS =
      new RateLimitedLog(LoggerFactory.getLogger(StreamedAnswer.class));

  private final AnswerListener listener;
  private final ChannelHandlerContext out;
  private final BodyRest rest;
  private final Runnable gone;
  private boolean over;

  /**
   * An answer that has not begun.
   *
   * @param gone run once: when all of it has left, or when no more of it will
   */
  StreamedAnswer(AnswerListener listener, ChannelHandlerContext out, BodyRest rest, Runnable gone) {
    this.listener = listener;
    this.out = out;
    this.rest = rest;
    this.gone = gone;
  }

  /**
   * Begins with the head and the bytes that are there.
   *
   * @param whole the answer as if these bytes were all
   * @param chunked whether the peer knows chunks; else the end of the connection ends the body
   */
  void begin(HttpResponse whole, byte[] first, boolean chunked) {
    var head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, whole.status(), whole.headers());
    head.headers().remove(HttpHeaderNames.CONTENT_LENGTH);
    if (chunked) {
      head.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
    }
    var unused = out.write(head);
    write(first, false);
  }

  private void write(byte[] bytes, boolean last) {
    listener.answerGoesOn();
    if (last) {
      over = true;
      var ignored = out.write(new DefaultHttpContent(Unpooled.wrappedBuffer(bytes)));
      var unused =
          out.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT)
              .addListener(
                  written -> {
                    gone.run();
                    listener.answerEnded(written.isSuccess());
                  });
      return;
    }
    var unused =
        out.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(bytes)))
            .addListener(
                written -> {
                  if (written.isSuccess() && !over) {
                    resume();
                  }
                });
  }

  /** Netty would only log what is thrown, and the peer wait for a piece that never comes. */
  private void resume() {
    try {
      rest.next(this);
    } catch (RuntimeException | Error fault) {
      FAULTS.error(fault, "An answer ends within its body");
      listener.answerEnded(false);
    }
  }

  @Override
  public void piece(byte[] bytes, boolean last) {
    onLoop(() -> write(bytes, last));
  }

  /** The peer must not take the part for the whole: the connection ends within the body. */
  @Override
  public void failed(String reason) {
    onLoop(
        () -> {
          over = true;
          gone.run();
          listener.answerEnded(false);
        });
  }

  /** The peer is gone. */
  void close() {
    if (!over) {
      over = true;
      rest.close();
      gone.run();
    }
  }

  private void onLoop(Runnable task) {
    if (out.executor().inEventLoop()) {
      runUnlessOver(task);
    } else {
      out.executor().execute(() -> runUnlessOver(task));
    }
  }

  private void runUnlessOver(Runnable task) {
    if (!over) {
      task.run();
    }
  }
}
