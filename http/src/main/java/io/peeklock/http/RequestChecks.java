package io.peeklock.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import org.jspecify.annotations.Nullable;

/**
 * What a request must be before a route is looked for. Whatever two readers could understand
 * differently is refused: where a proxy stands between, the difference is a way to smuggle a
 * request past it.
 */
final class RequestChecks {
  private static final int BAD_REQUEST = 400;
  private static final int FORBIDDEN = 403;

  private final HttpLimits limits;
  private final HostNames names;
  private final Origins origins;

  /** Whether a request may go on. */
  sealed interface Judgement {
    /** It may. */
    record Good(RequestHead head) implements Judgement {}

    /** It may not, and the connection ends: what follows might not be what it seems. */
    record Bad(int status, String reason) implements Judgement {}
  }

  RequestChecks(HttpLimits limits, HostNames names, Origins origins) {
    this.limits = limits;
    this.names = names;
    this.origins = origins;
  }

  /** What the decoder could not read. */
  static Judgement.Bad unreadable(Throwable cause) {
    if (cause instanceof TooLongHttpLineException) {
      return new Judgement.Bad(414, "the request line is too long");
    }
    if (cause instanceof TooLongHttpHeaderException) {
      return new Judgement.Bad(431, "the headers are too long");
    }
    return new Judgement.Bad(BAD_REQUEST, "this is not a request of HTTP/1.1");
  }

  Judgement judge(HttpRequest request, HttpPeer peer) {
    var form = badForm(request);
    if (form != null) {
      return form;
    }
    var target = HttpTarget.parse(request.uri());
    if (target.isEmpty()) {
      return new Judgement.Bad(BAD_REQUEST, "the request target is not a path");
    }
    var host = request.headers().get(HttpHeaderNames.HOST, "").strip();
    if (!HttpTarget.isAuthority(host)) {
      return new Judgement.Bad(BAD_REQUEST, "the name of the host is none");
    }
    var absolute = target.get().authority();
    var authority = absolute == null ? host : absolute;
    var foreign = foreign(request, peer, host, authority);
    return foreign != null
        ? foreign
        : new Judgement.Good(new RequestHead(request, target.get(), authority));
  }

  private Judgement.@Nullable Bad badForm(HttpRequest request) {
    var headers = request.headers();
    var version = request.protocolVersion();
    var old = version.equals(HttpVersion.HTTP_1_0);
    if (!old && !version.equals(HttpVersion.HTTP_1_1)) {
      return new Judgement.Bad(505, "HTTP/1.1 is spoken here");
    }
    if (headers.size() > limits.headerCount()) {
      return new Judgement.Bad(431, "there are more than " + limits.headerCount() + " headers");
    }
    var hosts = headers.getAll(HttpHeaderNames.HOST).size();
    if (hosts > 1 || (hosts == 0 && !old)) {
      return new Judgement.Bad(BAD_REQUEST, "a request names one host");
    }
    var encodings = headers.getAll(HttpHeaderNames.TRANSFER_ENCODING);
    if (encodings.isEmpty()) {
      return null;
    }
    if (old || headers.contains(HttpHeaderNames.CONTENT_LENGTH)) {
      return new Judgement.Bad(BAD_REQUEST, "the length of the body is said in two ways");
    }
    if (encodings.size() > 1 || !encodings.getFirst().strip().equalsIgnoreCase("chunked")) {
      return new Judgement.Bad(501, "the only transfer encoding is chunked");
    }
    return null;
  }

  /** A page that was led here by a name of its owner's cannot be told from a client by else. */
  private boolean isForeign(String authority, HttpPeer peer) {
    return peer.loopback() ? !names.own(authority) : !peer.tls() && names.ownable(authority);
  }

  private Judgement.@Nullable Bad foreign(
      HttpRequest request, HttpPeer peer, String host, String authority) {
    if (isForeign(authority, peer) || (!host.isEmpty() && isForeign(host, peer))) {
      return new Judgement.Bad(
          FORBIDDEN,
          "this broker is not known by the host name of the request; --host-names adds names");
    }
    var origin = request.headers().get(HttpHeaderNames.ORIGIN);
    if (origin != null && !HostNames.sameOrigin(origin, authority) && !origins.allow(origin)) {
      return new Judgement.Bad(
          FORBIDDEN,
          "a page of another origin may not talk to this broker; --cors-origin names those that"
              + " may");
    }
    return null;
  }
}
