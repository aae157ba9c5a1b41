package io.peeklock.amqp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.peeklock.amqp.engine.codec.Described;
import io.peeklock.amqp.engine.codec.Unsigned;
import io.peeklock.amqp.engine.framing.FrameText;
import io.peeklock.amqp.engine.framing.FrameTrace;
import io.peeklock.amqp.engine.limits.EngineConfig;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What is told of frames, and what never is. */
class FrameTraceTest {
  private final List<String> told = new ArrayList<>();
  private final RecordingEdge edge = new RecordingEdge();
  private final AmqpEngine engine = engine(EngineConfig.defaults("peeklock"));

  private AmqpEngine engine(EngineConfig config) {
    var made =
        new AmqpEngine(
            config,
            UnpooledByteBufAllocator.DEFAULT,
            edge,
            0,
            new FrameTrace() {
              @Override
              public void received(String frame) {
                told.add("> " + frame);
              }

              @Override
              public void sent(String frame) {
                told.add("< " + frame);
              }
            });
    edge.engine = made;
    return made;
  }

  private void feed(byte[] bytes) {
    engine.ingest(Unpooled.wrappedBuffer(bytes), 0);
    var out = engine.takeOutput();
    if (out != null) {
      out.release();
    }
  }

  private void open() {
    feed(ClientFrames.hex(ClientFrames.SASL_HEADER));
    feed(ClientFrames.saslInit("ANONYMOUS"));
    feed(ClientFrames.hex(ClientFrames.AMQP_HEADER));
    feed(ClientFrames.open());
    feed(ClientFrames.begin(1, 5000));
    feed(ClientFrames.attachSender(1, 0, "link-name"));
  }

  @Test
  void everyFrameIsALineWithTheNamesOfItsFields() {
    open();

    assertThat(told)
        .allMatch(line -> !line.contains("\n"))
        .anyMatch(line -> line.startsWith("> header AMQP 03010000"))
        .anyMatch(line -> line.startsWith("< header AMQP 03010000"))
        .anyMatch(line -> line.startsWith("< ch=0 sasl-mechanisms{mechanisms=[MSSBCBS, PLAIN"))
        .anyMatch(line -> line.startsWith("> ch=0 sasl-init{mechanism=ANONYMOUS"))
        .anyMatch(line -> line.startsWith("< ch=0 sasl-outcome{code=0"))
        .anyMatch(line -> line.startsWith("> ch=0 open{container-id="))
        .anyMatch(line -> line.startsWith("< ch=0 open{container-id=peeklock"))
        .anyMatch(line -> line.startsWith("> ch=1 begin{next-outgoing-id="))
        .anyMatch(line -> line.startsWith("> ch=1 attach{name=link-name, handle=0, role=false"));
  }

  @Test
  void aPasswordIsNotTold() {
    feed(ClientFrames.hex(ClientFrames.SASL_HEADER));
    feed(ClientFrames.saslInit("PLAIN", "\0name\0canary".getBytes(StandardCharsets.UTF_8)));

    assertThat(told)
        .contains("> ch=0 sasl-init{mechanism=PLAIN, initial-response=[hidden], hostname=host}");
    assertThat(String.join("", told)).doesNotContain("canary", "63616e617279");
  }

  @Test
  void ofAPayloadTheSizeIsToldAndOfATagItsBeginning() {
    open();
    var body = "canary".repeat(20).getBytes(StandardCharsets.UTF_8);

    feed(ClientFrames.transfer(1, 0, 0, false, body));

    assertThat(told).anyMatch(line -> line.contains("transfer{") && line.endsWith("=120 bytes"));
    assertThat(String.join("", told)).doesNotContain("canary", "63616e61");
  }

  @Test
  void ofALockTokenTheBeginningIsTold() {
    open();
    var token = UUID.fromString("12345678-0000-0000-0000-0000000caca0");
    var source = new Described(new Unsigned.Ulong(0x28), List.of("q", List.of("one", token)));

    feed(ClientFrames.frame(1, 0x12, "link", new Unsigned.Uint(9), true, null, null, source));

    assertThat(told).anyMatch(line -> line.contains("[one, 12345678…]"));
    assertThat(String.join("", told)).doesNotContain("caca0");
  }

  @Test
  void whatLooksLikeASecretIsNotToldWhereverItStands() {
    open();

    feed(ClientFrames.attachSender(1, 1, "SharedAccessSignature sr=x&sig=canary&se=1&skn=n"));
    feed(ClientFrames.attachSender(1, 2, "Endpoint=sb://h;SharedAccessKey=canary"));
    feed(ClientFrames.attachSender(1, 3, "Bearer canary"));

    assertThat(told).filteredOn(line -> line.contains("hidden")).hasSizeGreaterThanOrEqualTo(3);
    assertThat(String.join("", told)).doesNotContain("canary");
  }

  @Test
  void aHeartbeatAndWhatCannotBeReadAreToldToo() {
    open();
    told.clear();

    feed(ClientFrames.hex("00000008 02000000"));
    feed(ClientFrames.hex("0000000c 02000000 00531ec0"));

    assertThat(told).contains("> heartbeat", "> a frame of 12 bytes that cannot be read");
  }

  @Test
  void whateverIsInAFrameNothingIsThrownAndLinesAreBounded() {
    var random = new Random(7);
    for (var i = 0; i < 20_000; i++) {
      var bytes = new byte[8 + random.nextInt(200)];
      random.nextBytes(bytes);
      if (i % 2 == 0) { // more that reads like a performative
        bytes[4] = 2;
        bytes[8 % bytes.length] = 0;
      }
      var line = FrameText.frame(Unpooled.wrappedBuffer(bytes), 0, bytes.length);
      assertThat(line.length()).isLessThanOrEqualTo(2_001);
    }
  }
}
