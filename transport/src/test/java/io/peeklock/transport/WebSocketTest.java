package io.peeklock.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.peeklock.proof.Rule;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The framing of WebSocket: what goes through, what is answered, what ends the connection. */
class WebSocketTest {
  private static final byte[] MASK = {0x12, 0x34, 0x56, 0x78};
  private static final int BINARY = 0x82;

  private final ByteArrayOutputStream heard = new ByteArrayOutputStream();
  private final EmbeddedChannel channel = channel();

  @Test
  @Rule("T-64")
  void theUpgradeIsAnsweredAsTheClientForJavaWantsIt() {
    var request = upgrade();
    request.headers().set("Connection", "Upgrade,Keep-Alive");

    var answer = WebSocketUpgrade.answer(request);

    assertThat(answer.status().toString()).isEqualTo("101 Switching Protocols");
    assertThat(answer.headers().get("Upgrade")).isEqualTo("websocket");
    assertThat(answer.headers().get("Connection")).isEqualTo("upgrade");
    assertThat(answer.headers().get("Sec-WebSocket-Protocol")).isEqualTo("AMQPWSB10");
    // The example of RFC 6455 1.3.
    assertThat(answer.headers().get("Sec-WebSocket-Accept"))
        .isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  }

  @ParameterizedTest
  @CsvSource({"amqp, amqp", "'chat, amqp', amqp", "'amqp, AMQPWSB10', AMQPWSB10"})
  void theProtocolIsOneThatBothSpeak(String offered, String taken) {
    var request = upgrade();
    request.headers().set("Sec-WebSocket-Protocol", offered);

    assertThat(WebSocketUpgrade.answer(request).headers().get("Sec-WebSocket-Protocol"))
        .isEqualTo(taken);
  }

  @ParameterizedTest
  @CsvSource({
    "Upgrade, h2c, 426",
    "Connection, keep-alive, 426",
    "Sec-WebSocket-Version, 8, 426",
    "Sec-WebSocket-Key, short, 400",
    "Sec-WebSocket-Key, AAAA, 400",
    "Sec-WebSocket-Protocol, mqtt, 400",
  })
  void whatIsNoUpgradeForAmqpIsRefused(String header, String value, int status) {
    var request = upgrade();
    request.headers().set(header, value);

    assertThat(WebSocketUpgrade.answer(request).status().code()).isEqualTo(status);
  }

  @Test
  void anUpgradeWithoutAProtocolOrByPostIsRefused() {
    var without = upgrade();
    without.headers().remove("Sec-WebSocket-Protocol");

    assertThat(WebSocketUpgrade.answer(without).status().code()).isEqualTo(400);
    assertThat(WebSocketUpgrade.answer(upgrade().setMethod(HttpMethod.POST)).status().code())
        .isEqualTo(426);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 125, 126, 65_535, 65_536, 300_000})
  void everyLengthComesThrough(int length) {
    var payload = random(length);

    send(frame(BINARY, payload));

    assertThat(heard.toByteArray()).isEqualTo(payload);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7, 13})
  void piecesOfAnySizeComeThrough(int size) {
    var payload = random(1_000);
    var bytes = frame(BINARY, payload);

    for (var i = 0; i < bytes.length; i += size) {
      send(Arrays.copyOfRange(bytes, i, Math.min(bytes.length, i + size)));
    }

    assertThat(heard.toByteArray()).isEqualTo(payload);
  }

  @Test
  void aMessageInFramesWithAPingBetweenComesThrough() {
    send(frame(0x02, text("one ")), frame(0x89, text("p")), frame(0x00, text("two ")));
    send(frame(0x80, text("three")), frame(BINARY, text("!")), frame(BINARY, new byte[0]));

    assertThat(heard).hasToString("one two three!");
    assertThat(sent()).isEqualTo("8a0170");
    assertThat(channel.isOpen()).isTrue();
  }

  @Test
  void ofManyPingsThatCameAtATimeTheLastIsAnswered() {
    var pings = Unpooled.buffer();
    for (var i = 0; i < 1_000; i++) {
      pings.writeBytes(frame(0x89, text("ping " + i)));
    }

    send(ByteBufUtil.getBytes(pings));
    assertThat(sent()).isEqualTo("8a08" + HexFormat.of().formatHex(text("ping 999")));

    send(frame(0x89, text("again")));
    assertThat(sent()).isEqualTo("8a05" + HexFormat.of().formatHex(text("again")));
  }

  @Test
  void aPingBeforeAGoodbyeIsNotAnsweredBehindIt() {
    send(ByteBufUtil.getBytes(Unpooled.wrappedBuffer(frame(0x89, text("p")), goodbye())));

    assertThat(sent()).isEqualTo("880203e8");
  }

  @Test
  void ofAFrameWithoutEndNothingIsKept() {
    send(HexFormat.of().parseHex("82ff7fffffffffffffff00000000"));
    for (var i = 0; i < 100; i++) {
      send(new byte[1_000]);
    }

    assertThat(heard.size()).isEqualTo(100_000);
    assertThat(channel.isOpen()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "8203010203, 03ea, without a mask",
    "c28000000000, 03ea, a reserved bit",
    "8180000000000, 03eb, text",
    "01800000000000, 03eb, the beginning of text",
    "808000000000, 03ea, the end of a message that did not begin",
    "838000000000, 03ea, an unknown kind",
    "8b8000000000, 03ea, an unknown control frame",
    "098000000000, 03ea, a ping in parts",
    "89fe007e00000000, 03ea, a ping that is too long",
    "82fe007d00000000, 03ea, a length that could be said shorter",
    "82ff000000000000ffff00000000, 03ea, one that could be said shorter",
    "82ffffffffffffffffff00000000, 03ea, a length below nothing",
    "0280000000000280000000000, 03ea, a message within a message",
  })
  void whatNoClientSendsEndsTheConnectionWithItsCode(String bytes, String code, String why) {
    var even = bytes.length() % 2 == 0 ? bytes : bytes.substring(0, bytes.length() - 1);
    send(HexFormat.of().parseHex(even));

    assertThat(sent()).as(why).isEqualTo("8802" + code);
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void nothingIsHeardAfterAGoodbyeWhichIsAnswered() {
    send(ByteBufUtil.getBytes(Unpooled.wrappedBuffer(goodbye(), frame(BINARY, text("late")))));

    assertThat(sent()).isEqualTo("880203e8");
    assertThat(heard.size()).isZero();
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void whatWeSendIsFramedAndLargeThingsAreParted() {
    channel.writeOutbound(Unpooled.copiedBuffer("abc", StandardCharsets.US_ASCII));
    assertThat(sent()).isEqualTo("8203616263");

    channel.writeOutbound(Unpooled.wrappedBuffer(new byte[126]));
    assertThat(sent()).startsWith("827e007e00");

    channel.writeOutbound(Unpooled.wrappedBuffer(new byte[(64 << 10) + 1]));
    var large = sent();
    assertThat(large).startsWith("827e8000");
    assertThat(large).hasSize(2 * (4 + (32 << 10) + 4 + (32 << 10) + 2 + 1));
  }

  @Test
  void ourEndIsAnnouncedOnce() {
    var unused = channel.close();
    unused = channel.close();

    assertThat(sent()).isEqualTo("880203e9");
  }

  private EmbeddedChannel channel() {
    var made = new EmbeddedChannel();
    WebSocketUpgrade.enter(made.pipeline(), new InetSocketAddress("203.0.113.7", 1), new Hearer());
    return made;
  }

  private void send(byte[]... frames) {
    for (var frame : frames) {
      channel.writeInbound(Unpooled.copiedBuffer(frame));
    }
  }

  private String sent() {
    var hex = new StringBuilder();
    for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
      hex.append(ByteBufUtil.hexDump(part));
      part.release();
    }
    return hex.toString();
  }

  private static HttpRequest upgrade() {
    var request =
        new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, WebSocketUpgrade.PATH);
    request.headers().set("Upgrade", "websocket");
    request.headers().set("Connection", "Upgrade");
    request.headers().set("Sec-WebSocket-Version", "13");
    request.headers().set("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==");
    request.headers().set("Sec-WebSocket-Protocol", "AMQPWSB10");
    return request;
  }

  private static byte[] frame(int first, byte[] payload) {
    var out = Unpooled.buffer(payload.length + 14).writeByte(first);
    if (payload.length < 126) {
      out.writeByte(0x80 | payload.length);
    } else if (payload.length < 1 << 16) {
      out.writeByte(0x80 | 126).writeShort(payload.length);
    } else {
      out.writeByte(0x80 | 127).writeLong(payload.length);
    }
    out.writeBytes(MASK);
    for (var i = 0; i < payload.length; i++) {
      out.writeByte(payload[i] ^ MASK[i % 4]);
    }
    return ByteBufUtil.getBytes(out);
  }

  private static byte[] goodbye() {
    return frame(0x88, HexFormat.of().parseHex("03e8626965"));
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] random(int length) {
    var bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  /** Writes down what it hears. */
  private final class Hearer extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      var bytes = (ByteBuf) message;
      heard.writeBytes(ByteBufUtil.getBytes(bytes));
      bytes.release();
    }
  }
}
