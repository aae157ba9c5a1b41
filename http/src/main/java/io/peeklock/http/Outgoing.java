package io.peeklock.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpVersion;
import io.peeklock.runtime.RateLimitedLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * What a connection says: one answer at a time. It counts until the system has taken it, so that
 * many who ask and do not read hold no more than a budget. Belongs to the event loop of its
 * connection.
 */
final class Outgoing {
  /** An answer that is no larger counts nowhere: it takes no more than the head of a request. */
  static final int FREE_BYTES = 16 << 10;

  private static final RateLimitedLog REFUSALS =
      new RateLimitedLog(LoggerFactory.getLogger(Outgoing.class));
  private static final HttpAnswer NO_ROOM =
      HttpAnswer.error(503, "too many answers wait to be read; try again").with("Retry-After", "1");

  private final HttpConnection connection;
  private final HttpEdge edge;
  private final ChannelHandlerContext out;
  private @Nullable StreamedAnswer stream;

  Outgoing(HttpConnection connection, HttpEdge edge, ChannelHandlerContext out) {
    this.connection = connection;
    this.edge = edge;
    this.out = out;
  }

  /**
   * Writes an answer; the connection is told when it has left.
   *
   * @param keep whether the connection goes on after it
   */
  void write(Reply reply, RequestHead asked, boolean keep) {
    var isHead = asked.method().equals("HEAD");
    var bytes = reply.taken() != null || isHead ? 0 : reply.mostBytes();
    var counted = bytes > FREE_BYTES ? bytes : 0;
    if (counted > 0 && !edge.answers().take(counted)) {
      if (asked.method().equals("GET")) {
        REFUSALS.warn("An answer of {} bytes was refused: too many wait to be read", bytes);
        reply.drop();
        write(new Reply(NO_ROOM, null), asked, keep);
        return;
      }
      edge.answers().takeAnyway(counted); // what it tells of has happened
    }
    send(
        reply,
        asked,
        keep,
        () -> {
          edge.answers().give(counted);
          reply.gone();
        });
  }

  private void send(Reply reply, RequestHead asked, boolean keep, Runnable gone) {
    var response = Responses.of(reply.answer(), asked, edge.origins());
    if (!keep) {
      response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
    var rest = reply.answer().rest();
    if (rest != null && asked.method().equals("HEAD")) {
      rest.close();
      response.headers().remove(HttpHeaderNames.CONTENT_LENGTH); // nobody knows it
    } else if (rest != null) {
      var current = asked.request().protocolVersion().equals(HttpVersion.HTTP_1_1);
      stream = new StreamedAnswer(connection, out, rest, gone);
      stream.begin(response, reply.answer().body(), current);
      return;
    }
    var unused =
        out.writeAndFlush(response)
            .addListener(
                written -> {
                  gone.run();
                  connection.answerEnded(written.isSuccess());
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
