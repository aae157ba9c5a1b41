package io.peeklock.http.admin;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.peeklock.http.HostNames;
import io.peeklock.http.HttpEdge;
import io.peeklock.http.HttpLimits;
import io.peeklock.http.HttpPeer;
import io.peeklock.http.Router;
import io.peeklock.http.Upgrade;
import io.peeklock.http.admin.atom.XmlNode;
import io.peeklock.http.admin.properties.ProfileTerms;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.EntityProperties;
import io.peeklock.kernel.entity.EntityProperty;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.filter.FilterLimits;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.MessageView;
import io.peeklock.runtime.BodyArena;
import io.peeklock.runtime.Broker;
import io.peeklock.runtime.Catalogue;
import io.peeklock.runtime.Endpoint;
import io.peeklock.runtime.MessageFormat;
import io.peeklock.runtime.Shard;
import io.peeklock.runtime.ShardListener;
import io.peeklock.runtime.Submission;
import io.peeklock.runtime.access.AccessControl;
import io.peeklock.runtime.access.CataloguePolicies;
import io.peeklock.runtime.access.Policy;
import io.peeklock.runtime.access.Right;
import io.peeklock.runtime.access.Secret;
import io.peeklock.runtime.meter.RoomMeter;
import io.peeklock.testkit.SimClock;
import io.peeklock.testkit.SimExecutor;
import io.peeklock.testkit.SimJournal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** A real shard on a journal in memory with the administration API in front, on one thread. */
final class AdminFixture implements Upgrade {
  static final String KEY = "SAS_KEY_VALUE";
  static final String LISTEN_KEY = "Canary7Qx-listen";

  final SimClock clock = new SimClock();
  final SimExecutor shardExecutor = new SimExecutor(clock);
  final SimJournal journal = new SimJournal(shardExecutor);
  final Shard shard;
  static final long ANSWERS_BYTES = 1 << 20;

  final AccessControl access;
  private final HttpEdge edge;
  private EmbeddedChannel channel = new EmbeddedChannel();

  /** A connection that asks and whose socket takes nothing. */
  EmbeddedChannel unread(String path) {
    var shut =
        new EmbeddedChannel() {
          @Override
          protected void doWrite(ChannelOutboundBuffer waiting) {}
        };
    var peer =
        new HttpPeer(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_000), true, () -> {}, this);
    shut.pipeline().addLast(edge.newConnectionHandler(peer));
    var request =
        "GET "
            + path
            + " HTTP/1.1\r\nHost: localhost:5300\r\nAuthorization: "
            + rootToken()
            + "\r\n\r\n";
    shut.writeInbound(Unpooled.copiedBuffer(request, StandardCharsets.UTF_8));
    settle(shut);
    return shut;
  }

  long answersTaken() {
    return edge.budgets().stream()
        .filter(each -> each.name().equals("http_answers"))
        .findFirst()
        .orElseThrow()
        .taken();
  }

  /** How many entities the shard was asked to count. */
  int counted;

  /** What the shard answers who wants it to count; null for the counts. */
  @Nullable Refusal whyNotCounted;

  /** The most bytes that were written at once. */
  int largestPart;

  /** What came back. */
  record Answer(int status, String head, String body) {
    XmlNode xml() {
      return XmlNode.read(new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
    }

    /** The description in an entry. */
    XmlNode description() {
      return content(xml());
    }

    static XmlNode content(XmlNode entry) {
      var content = entry.child("content");
      if (content == null) {
        throw new AssertionError("no content in " + entry);
      }
      return content.children().getFirst();
    }

    /** The text of an element of the description. */
    @Nullable String of(String element) {
      var found = description().child(element);
      return found == null ? null : found.text();
    }

    List<XmlNode> all(String element) {
      return xml().children().stream().filter(node -> node.name().equals(element)).toList();
    }

    List<String> titles() {
      return all("entry").stream()
          .flatMap(entry -> entry.children().stream())
          .filter(node -> node.name().equals("title"))
          .map(XmlNode::text)
          .toList();
    }
  }

  AdminFixture() {
    this(relaxed());
  }

  AdminFixture(ProfileTerms terms) {
    shard = new Shard(journal, shardExecutor, clock, new NoMessages(), new Nobody(), 8 << 20);
    try {
      shard.start();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    var listener =
        new Policy("listener", "", Secret.of(LISTEN_KEY), Secret.of("other"), Set.of(Right.LISTEN));
    access =
        new AccessControl(
            List.of(Policy.root(Secret.of(KEY)), listener),
            new CataloguePolicies(shard::catalogue));
    edge =
        new HttpEdge(
            HttpLimits.DEFAULT.withBodyBytes(1 << 20, 1 << 20, ANSWERS_BYTES),
            new HostNames(List.of()),
            new Router(
                AdminApi.routes(
                    new Watched(), shardExecutor::execute, access, terms, clock::wallMillis)));
  }

  static ProfileTerms relaxed() {
    return new ProfileTerms(
        ProfileTerms.Tier.PREMIUM,
        QueueDefinition.named("defaults"),
        Map.of(),
        1,
        100 << 20,
        1,
        ProfileTerms.ENDLESS_MEGABYTES,
        FilterLimits.CEILING,
        0);
  }

  static ProfileTerms standard() {
    return new ProfileTerms(
        ProfileTerms.Tier.STANDARD,
        QueueDefinition.named("defaults")
            .with()
            .maxMessageBytes(256 << 10)
            .maxSizeBytes(1L << 30)
            .build(),
        Map.of(EntityProperties.LOCK_DURATION, new EntityProperty.Range(5_000, 300_000)),
        1,
        256 << 10,
        1_024,
        5_120,
        FilterLimits.STANDARD,
        0);
  }

  Answer get(String path) {
    return send("GET", path, rootToken(), "", "");
  }

  Answer delete(String path) {
    return send("DELETE", path, rootToken(), "", "");
  }

  /** Makes something of the elements of its description. */
  Answer create(String path, String kind, String elements) {
    return send("PUT", path, rootToken(), "", entry(kind, elements));
  }

  Answer update(String path, String kind, String elements) {
    return send("PUT", path, rootToken(), "If-Match: *\r\n", entry(kind, elements));
  }

  /** A request with the headers that every client sends, over a connection of its own. */
  Answer send(String method, String path, String token, String headers, String body) {
    var length = body.getBytes(StandardCharsets.UTF_8).length;
    return raw(
        method
            + " "
            + path
            + " HTTP/1.1\r\nHost: localhost:5300\r\n"
            + (token.isEmpty() ? "" : "Authorization: " + token + "\r\n")
            + headers
            + (body.isEmpty() ? "" : "Content-Type: application/atom+xml\r\n")
            + (body.isEmpty() ? "" : "Content-Length: " + length + "\r\n")
            + "\r\n"
            + body);
  }

  Answer raw(String request) {
    channel = new EmbeddedChannel();
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_000);
    var peer = new HttpPeer(address, true, () -> {}, this);
    channel.pipeline().addLast(edge.newConnectionHandler(peer));
    channel.writeInbound(Unpooled.copiedBuffer(request, StandardCharsets.UTF_8));
    settle(channel);
    return answer();
  }

  /** Long enough for a list whose entities are counted some at a time. */
  private void settle(EmbeddedChannel each) {
    for (var turn = 0; turn < 100; turn++) {
      each.runPendingTasks();
      shardExecutor.settle();
    }
  }

  private Answer answer() {
    var bytes = Unpooled.buffer();
    for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
      largestPart = Math.max(largestPart, part.readableBytes());
      bytes.writeBytes(part);
      part.release();
    }
    var text = bytes.toString(StandardCharsets.UTF_8);
    var end = text.indexOf("\r\n\r\n");
    if (end < 0) {
      throw new AssertionError("no answer: " + text);
    }
    var head = text.substring(0, end);
    var body = text.substring(end + 4);
    var isChunked = head.contains("transfer-encoding: chunked");
    return new Answer(
        Integer.parseInt(text.substring(9, 12)), head, isChunked ? unchunked(body) : body);
  }

  /** Chunks count octets; the tests that have some write no more than ASCII. */
  private static String unchunked(String chunks) {
    var whole = new StringBuilder();
    var at = 0;
    for (var length = -1; length != 0; ) {
      var line = chunks.indexOf("\r\n", at);
      length = Integer.parseInt(chunks.substring(at, line), 16);
      whole.append(chunks, line + 2, line + 2 + length);
      at = line + 2 + length + 2;
    }
    return whole.toString();
  }

  static String entry(String kind, String elements) {
    return "<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\"><"
        + kind
        + " xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\""
        + " xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\">"
        + elements
        + "</"
        + kind
        + "></content></entry>";
  }

  String rootToken() {
    return token("https://localhost", Policy.ROOT_NAME, KEY, 3_600);
  }

  String token(String resource, String policy, String key, long secondsFromNow) {
    var encoded = URLEncoder.encode(resource, StandardCharsets.UTF_8);
    var expiry = clock.wallMillis() / 1_000 + secondsFromNow;
    return "SharedAccessSignature sr="
        + encoded
        + "&sig="
        + URLEncoder.encode(signature(encoded + "\n" + expiry, key), StandardCharsets.UTF_8)
        + "&se="
        + expiry
        + "&skn="
        + policy;
  }

  private static String signature(String text, String key) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
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

  /** The shard, and what it is asked to count. */
  private final class Watched implements Broker {
    @Override
    public boolean submit(Submission submission) {
      if (submission.request() instanceof EntityRequest.CountMessages count) {
        counted += count.queues().size();
        if (whyNotCounted != null) {
          var asker = (Endpoint) count.origin();
          asker.onEffect(new Effect.Refused(asker, 0, count.ticket(), whyNotCounted), null);
          asker.flush();
          return true;
        }
      }
      return shard.submit(submission);
    }

    @Override
    public Catalogue catalogue() {
      return shard.catalogue();
    }

    @Override
    public void watch(Runnable changed) {
      shard.watch(changed);
    }

    @Override
    public BodyArena newArena() {
      return shard.newArena();
    }

    @Override
    public RoomMeter room() {
      return shard.room();
    }

    @Override
    public void unreadable(Endpoint receiver, String reason) {
      shard.unreadable(receiver, reason);
    }
  }

  /** Nobody reads messages here. */
  private static final class NoMessages implements MessageFormat {
    @Override
    public byte[] merge(ByteBuffer older, byte[] newer) {
      throw new IllegalStateException("no message is settled here");
    }

    @Override
    public MessageView source(byte[] beginning, byte @Nullable [] overlay, DeadLetterCause cause) {
      throw new IllegalStateException("no message is read here");
    }
  }

  /** Nothing is to be done when the shard ends. */
  private static final class Nobody implements ShardListener {
    @Override
    public void leadershipLost() {}

    @Override
    public void idleDeleted(String path) {}

    @Override
    public void ended(Throwable cause) {
      throw new AssertionError(cause);
    }
  }
}
