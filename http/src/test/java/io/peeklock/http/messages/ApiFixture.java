package io.peeklock.http.messages;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.peeklock.http.Authorisation;
import io.peeklock.http.HostNames;
import io.peeklock.http.HttpEdge;
import io.peeklock.http.HttpLimits;
import io.peeklock.http.HttpPeer;
import io.peeklock.http.Router;
import io.peeklock.http.Upgrade;
import io.peeklock.runtime.ShardClock;
import io.peeklock.runtime.access.AccessControl;
import io.peeklock.runtime.access.EntityPolicies;
import io.peeklock.runtime.access.Policy;
import io.peeklock.runtime.access.Right;
import io.peeklock.runtime.access.Secret;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A connection to the runtime API, over one queue in memory. */
final class ApiFixture implements Upgrade, ShardClock {
  static final long NOW_SECONDS = 1_800_000_000L;
  private static final String KEY = "SAS_KEY_VALUE";

  final MemoryMessages messages = new MemoryMessages();
  final EmbeddedChannel channel = new EmbeddedChannel();
  private final String host;
  long nowMillis = NOW_SECONDS * 1_000;
  int recognised;

  ApiFixture() {
    this(false);
  }

  ApiFixture(boolean tls) {
    this(tls, "127.0.0.1", "localhost:5300");
  }

  /** A peer from there, who calls the broker by this name. */
  ApiFixture(boolean tls, String address, String host) {
    this.host = host;
    var names = new HostNames(List.of("broker.test"));
    var access =
        new AccessControl(
            List.of(Policy.root(Secret.of(KEY)), policy(Right.SEND), policy(Right.LISTEN)),
            EntityPolicies.NONE,
            names::own);
    var routes = MessageRoutes.routes(messages, new Authorisation(access, this));
    var edge = new HttpEdge(HttpLimits.DEFAULT, names, new Router(routes));
    var remote = new InetSocketAddress(address, 40_000);
    channel.freezeTime();
    channel
        .pipeline()
        .addLast(edge.newConnectionHandler(new HttpPeer(remote, tls, () -> recognised++, this)));
  }

  private static Policy policy(Right right) {
    return new Policy(right.claim(), "", Secret.of(KEY), Secret.of("other"), Set.of(right));
  }

  static String token() {
    return token("http://localhost/", Policy.ROOT_NAME, KEY, NOW_SECONDS + 60);
  }

  static String token(String resource, String policy) {
    return token(resource, policy, KEY, NOW_SECONDS + 60);
  }

  static String token(String resource, String policy, String key, long expiry) {
    try {
      var encoded = URLEncoder.encode(resource, StandardCharsets.UTF_8);
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      var bytes = mac.doFinal((encoded + "\n" + expiry).getBytes(StandardCharsets.UTF_8));
      var signature = Base64.getEncoder().encodeToString(bytes);
      return String.join(
          "&",
          "SharedAccessSignature sr=" + encoded,
          "sig=" + URLEncoder.encode(signature, StandardCharsets.UTF_8),
          "se=" + expiry,
          "skn=" + policy);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** What comes back for a request with a good token; headers are lines. */
  String ask(String line, String headers, String body) {
    return askWith(line, "Authorization: " + token() + "\r\n" + headers, body);
  }

  String ask(String line) {
    return ask(line, "", "");
  }

  /** The same without a token. */
  String askWith(String line, String headers, String body) {
    var bytes = body.getBytes(StandardCharsets.UTF_8);
    var length = bytes.length == 0 ? "" : "Content-Length: " + bytes.length + "\r\n";
    var text = line + " HTTP/1.1\r\nHost: " + host + "\r\n" + headers + length + "\r\n";
    var request = Unpooled.buffer();
    request.writeBytes(text.getBytes(StandardCharsets.UTF_8)).writeBytes(bytes);
    channel.writeInbound(request);
    return answered();
  }

  String answered() {
    channel.runPendingTasks();
    var text = new StringBuilder();
    for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
      text.append(part.toString(StandardCharsets.ISO_8859_1));
      part.release();
    }
    return text.toString();
  }

  String after(long millis) {
    channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    return answered();
  }

  /** The value of a header; fails without it. */
  static String header(String answer, String name) {
    for (var line : answer.split("\r\n", -1)) {
      if (line.startsWith(name + ": ")) {
        return line.substring(name.length() + 2);
      }
    }
    throw new AssertionError("no " + name + " in " + answer);
  }

  @Override
  public String path() {
    return "/up";
  }

  @Override
  public FullHttpResponse answer(HttpRequest request) {
    return new DefaultFullHttpResponse(
        HttpVersion.HTTP_1_1, HttpResponseStatus.UPGRADE_REQUIRED, Unpooled.EMPTY_BUFFER);
  }

  @Override
  public void enter(ChannelPipeline pipeline, String authority) {}

  @Override
  public long wallMillis() {
    return nowMillis;
  }

  @Override
  public long monotonicMillis() {
    return 0;
  }
}
