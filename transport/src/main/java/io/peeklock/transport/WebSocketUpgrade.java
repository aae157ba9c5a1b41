package io.peeklock.transport;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * AMQP over WebSockets: judges the request for the upgrade, and puts the bytes of the binary
 * messages before a handler that knows nothing of it. No extension is agreed on, so nothing is
 * compressed.
 */
public final class WebSocketUpgrade {
  /** Where the clients of Service Bus ask for it. */
  public static final String PATH = "/$servicebus/websocket";

  /** What these clients speak there, and what plain AMQP clients do. */
  private static final List<String> PROTOCOLS = List.of("AMQPWSB10", "amqp");

  private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  private static final int KEY_BYTES = 16;
  private static final HttpResponseStatus OTHER_VERSION = HttpResponseStatus.UPGRADE_REQUIRED;

  private WebSocketUpgrade() {}

  /** The answer to a request for the upgrade: 101, or an error that says what is wrong. */
  public static FullHttpResponse answer(HttpRequest request) {
    var headers = request.headers();
    if (!request.method().equals(HttpMethod.GET)
        || !names(headers, HttpHeaderNames.UPGRADE, "websocket")
        || !names(headers, HttpHeaderNames.CONNECTION, "upgrade")) {
      return refusal(OTHER_VERSION, "this path is for AMQP over WebSockets")
          .with(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET);
    }
    if (!"13".equals(headers.get(HttpHeaderNames.SEC_WEBSOCKET_VERSION))) {
      return refusal(OTHER_VERSION, "version 13 of WebSocket is spoken here")
          .with(HttpHeaderNames.SEC_WEBSOCKET_VERSION, "13");
    }
    var accept = acceptOf(headers.get(HttpHeaderNames.SEC_WEBSOCKET_KEY));
    if (accept == null) {
      return refusal(HttpResponseStatus.BAD_REQUEST, "there is no valid Sec-WebSocket-Key");
    }
    for (var protocol : PROTOCOLS) {
      if (names(headers, HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL, protocol)) {
        return new Answer(HttpResponseStatus.SWITCHING_PROTOCOLS, "")
            .with(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET)
            .with(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE)
            .with(HttpHeaderNames.SEC_WEBSOCKET_ACCEPT, accept)
            .with(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL, protocol);
      }
    }
    return refusal(
        HttpResponseStatus.BAD_REQUEST,
        "Sec-WebSocket-Protocol must name one of " + String.join(", ", PROTOCOLS));
  }

  /**
   * Adds what takes the framing off, and the handler of the bytes inside, at the end: one that
   * looks itself how much its peer leaves unread.
   */
  public static void enter(
      ChannelPipeline pipeline, InetSocketAddress remote, ChannelHandler inside) {
    UnreadAnswers.leaveTo(pipeline.channel());
    pipeline.addLast(new WebSocketReader(remote)).addLast(new WebSocketWriter()).addLast(inside);
  }

  private static Answer refusal(HttpResponseStatus status, String reason) {
    var text = "<Error><Code>" + status.code() + "</Code><Detail>" + reason + "</Detail></Error>";
    var answer = new Answer(status, text);
    answer.headers().set(HttpHeaderNames.CONTENT_TYPE, "application/xml; charset=utf-8");
    answer.headers().set(HttpHeaderNames.CONTENT_LENGTH, text.length());
    return answer;
  }

  /** Whether a header, all its occurrences together, lists this word. */
  private static boolean names(HttpHeaders headers, CharSequence header, String word) {
    for (var value : headers.getAll(header)) {
      for (var part : value.split(",", -1)) {
        if (part.strip().toLowerCase(Locale.ROOT).equals(word.toLowerCase(Locale.ROOT))) {
          return true;
        }
      }
    }
    return false;
  }

  private static @Nullable String acceptOf(@Nullable String key) {
    if (key == null || !isKey(key.strip())) {
      return null;
    }
    try {
      var digest =
          MessageDigest.getInstance("SHA-1") // what RFC 6455 4.2.2 asks for; it protects nothing
              .digest((key.strip() + GUID).getBytes(StandardCharsets.US_ASCII));
      return Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-1", impossible);
    }
  }

  private static boolean isKey(String key) {
    try {
      return Base64.getDecoder().decode(key).length == KEY_BYTES;
    } catch (IllegalArgumentException notBase64) {
      return false;
    }
  }

  /** A response that is built header by header. */
  private static final class Answer extends DefaultFullHttpResponse {
    Answer(HttpResponseStatus status, String text) {
      super(HttpVersion.HTTP_1_1, status, Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
    }

    Answer with(CharSequence name, CharSequence value) {
      headers().set(name, value);
      return this;
    }
  }
}
