package io.peeklock.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpVersion;
import io.peeklock.runtime.RateLimitedLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a connection says: one answer at a time. It counts until the system has taken it, so that
 * many who ask and do not read hold no more than a budget. Belongs to the event loop of its
 * connection.
 */
final class Outgoing {
  /** An answer that is no larger counts nowhere: it takes no more than the head of a request. */
  static final int FREE_BYTES = 16 << 10;

  private static final Logger LOG = LoggerFactory.getLogger(Outgoing.class);
  private static final RateLimitedLog REFUSALS = new RateLimitedLog(LOG);
  private static final RateLimitedLog FAULTS = new RateLimitedLog(LOG);
  private static final HttpAnswer FAILED =
      HttpAnswer.error(500, "the broker failed at this request; its log says why");
  private static final HttpAnswer NO_ROOM =
      HttpAnswer.error(503, "too many answers wait to be read; try again").with("Retry-After", "1");

  private final AnswerListener listener;
  private final ConnectionTerms terms;
  private final ChannelHandlerContext out;
  private @Nullable StreamedAnswer stream;

  Outgoing(AnswerListener listener, ConnectionTerms terms, ChannelHandlerContext out) {
    this.listener = listener;
    this.terms = terms;
    this.out = out;
  }

  /**
   * Writes an answer; the listener is told when it has left.
   *
   * @param keep whether the connection goes on after it
   */
  void write(PendingAnswer pending, RequestHead asked, boolean keep) {
    try {
      writeOrRefuse(pending, asked, keep);
    } catch (RuntimeException | Error fault) { // what it has begun cannot be mended
      FAULTS.error(fault, "An answer to {} could not be written", asked.method());
      pending.spoil();
      stream = null;
      listener.answerEnded(false);
    }
  }

  private void writeOrRefuse(PendingAnswer pending, RequestHead asked, boolean keep) {
    var isHead = asked.method().equals("HEAD");
    var bytes = pending.isCountedElsewhere() || isHead ? 0 : pending.mostBytes();
    var counted = bytes > FREE_BYTES ? bytes : 0;
    if (counted > 0 && !terms.budgets().answers().take(counted)) {
      if (asked.method().equals("GET")) {
        REFUSALS.warn("An answer of {} bytes was refused: too many wait to be read", bytes);
        pending.drop();
        send(NO_ROOM, asked, keep, () -> {});
        return;
      }
      terms.budgets().answers().takeAnyway(counted); // what it tells of has happened
    }
    pending.counts(() -> terms.budgets().answers().give(counted));
    FullHttpResponse response;
    try {
      response = response(pending.answer(), asked, keep);
    } catch (RuntimeException | Error fault) {
      FAULTS.error(fault, "An answer to {} could not be made", asked.method());
      pending.spoil();
      send(FAILED, asked, keep, () -> {});
      return;
    }
    send(pending.answer(), response, asked, pending::gone);
  }

  private void send(HttpAnswer answer, RequestHead asked, boolean keep, Runnable gone) {
    send(answer, response(answer, asked, keep), asked, gone);
  }

  private FullHttpResponse response(HttpAnswer answer, RequestHead asked, boolean keep) {
    var response = Responses.of(answer, asked, terms.origins());
    if (!keep) {
      response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
    return response;
  }

  private void send(
      HttpAnswer answer, FullHttpResponse response, RequestHead asked, Runnable gone) {
    var rest = answer.rest();
    if (rest != null && asked.method().equals("HEAD")) {
      rest.close();
      response.headers().remove(HttpHeaderNames.CONTENT_LENGTH); // nobody knows it
    } else if (rest != null) {
      var current = asked.request().protocolVersion().equals(HttpVersion.HTTP_1_1);
      stream = new StreamedAnswer(listener, out, rest, gone);
      stream.begin(response, answer.body(), current);
      return;
    }
    var unused =
        out.writeAndFlush(response)
            .addListener(
                written -> {
                  gone.run();
                  listener.answerEnded(written.isSuccess());
                });
  }

  /** The answer has left, or its connection is gone. */
  void end() {
    var ended = stream;
    stream = null;
    if (ended != null) {
      ended.close();
    }
  }
}
