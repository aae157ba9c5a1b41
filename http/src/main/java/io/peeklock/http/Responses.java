package io.peeklock.http;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Answers as they are written. */
final class Responses {
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT);

  private Responses() {}

  /** A peer that waits is told to send its body. */
  static FullHttpResponse resume() {
    return new DefaultFullHttpResponse(
        HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER);
  }

  /** An answer with the headers that each has; to HEAD without its body. */
  static FullHttpResponse of(HttpAnswer answer, @Nullable RequestHead asked, Origins origins) {
    var onlyHead = asked != null && asked.method().equals("HEAD");
    var bytes = onlyHead ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(answer.body());
    var response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(answer.status()), bytes);
    var headers = response.headers();
    answer.headers().forEach(header -> headers.add(header.name(), header.value()));
    headers.set(HttpHeaderNames.DATE, DATE.format(ZonedDateTime.now(ZoneOffset.UTC)));
    headers.set("X-Content-Type-Options", "nosniff");
    origins.welcome(asked, headers);
    if (answer.status() != 204) {
      headers.set(HttpHeaderNames.CONTENT_LENGTH, answer.body().length);
    }
    return response;
  }
}
