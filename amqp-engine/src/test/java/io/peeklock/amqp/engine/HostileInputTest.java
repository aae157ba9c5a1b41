package io.peeklock.amqp.engine;

import static io.peeklock.amqp.engine.ClientFrames.hex;
import static io.peeklock.amqp.engine.ClientFrames.uint;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.codec.Described;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.Unsigned;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bytes that were made to hurt: each is answered with its condition, for little memory. */
class HostileInputTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final long LITTLE = 64 * 1024;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "00000007 | amqp:connection:framing-error",
        "00010001 | amqp:connection:framing-error",
        "ffffffff | amqp:connection:framing-error",
        "80000000 | amqp:connection:framing-error",
        "0000000c 01000000 00000000 | amqp:connection:framing-error",
        "0000000c 04000000 00000000 | amqp:connection:framing-error",
        "0000000c 02010000 00531045 | amqp:connection:framing-error",
        "0000000a 02000000 0053 | amqp:decode-error",
        "0000000c 02000000 00531145 | amqp:invalid-field",
        "0000000c 02000000 00539945 | amqp:decode-error",
        "0000000c 02000000 00534145 | amqp:not-allowed",
        "0000000c 02000000 00532445 | amqp:not-allowed",
        "0000000d 02000000 0053184545 | amqp:connection:framing-error",
        "00000009 02000000 40 | amqp:decode-error",
        "0000000c 02000000 00531840 | amqp:decode-error",
        "00000015 02000000 005311 f0 00000005 7fffffff 41 | amqp:decode-error",
        "00000016 02000000 005318 d0 00000006 00000001 e003 | amqp:decode-error",
        "00000018 02000000 005318 c00b01 f0 00000005 7fffffff 41 | amqp:decode-error",
        "00000018 02000000 005318 c00b01 f0 00000005 00ffffff 56 | amqp:decode-error",
        "00000018 02000000 005318 c00b01 d0 00000005 7fffffff 40 | amqp:decode-error",
        "00000018 02000000 005318 c00b01 d1 00000005 7ffffffe 40 | amqp:decode-error",
        "00000013 02000000 005318 c00601 b17fffffff | amqp:decode-error",
        "00000015 02000000 005318 c00801 00531d c0020143 | amqp:decode-error"
      })
  void itIsAnsweredWithItsCondition(String frame, String condition) {
    byte[] bytes = hex(frame);
    measure(bytes); // classes and text are loaded
    var fixture = EngineFixture.opened();

    long allocated = allocatedBy(fixture, Unpooled.wrappedBuffer(bytes));

    assertThat(fixture.edge.heard).containsExactly("fatal " + condition);
    assertThat(fixture.frames().getLast().hex()).contains("005318");
    assertThat(allocated).isLessThan(LITTLE);
  }

  @Test
  void nestedListsAndDescriptorsOverflowNothing() {
    for (int code : List.of(0xc0, 0x00, 0xe0)) {
      ByteBuf frame = Unpooled.buffer();
      frame.writeInt(0).writeInt(0x02000000).writeMedium(0x005318);
      for (int i = 0; i < 20_000; i++) {
        if (code == 0) {
          frame.writeMedium(0x005324);
        } else {
          frame.writeMedium(code << 16 | 0xff01);
        }
      }
      frame.setInt(0, frame.writerIndex());

      var fixture = EngineFixture.opened();
      long allocated = allocatedBy(fixture, frame);

      assertThat(fixture.edge.heard).containsExactly("fatal amqp:decode-error");
      assertThat(allocated).isLessThan(LITTLE);
    }
  }

  @Test
  void aFullFrameOfTheWorstValuesCostsLessThanItsBudget() {
    ByteBuf frame = Unpooled.buffer();
    frame.writeInt(65536).writeInt(0x02000000).writeMedium(0x005310);
    int fields = 65536 - 8 - 3 - 9;
    frame.writeByte(0xd0).writeInt(fields + 4).writeInt(10);
    frame.writeBytes(hex("a10163" + "4040404040404040"));
    int mapBytes = fields - 3 - 8 - 9;
    frame.writeByte(0xd1).writeInt(mapBytes + 4).writeInt(mapBytes / 4 * 2);
    for (int i = 0; i < mapBytes / 4; i++) {
      frame.writeByte(0xa3).writeByte(1).writeByte('a' + i % 20).writeByte(0x45);
    }
    frame.writeZero(65536 - frame.writerIndex());

    var fixture = new EngineFixture(EngineFixture.CONFIG.withSaslRequired(false), 0);
    fixture.feed(hex(ClientFrames.AMQP_HEADER));
    long allocated = allocatedBy(fixture, frame);

    assertThat(allocated).isLessThan(4L << 20);
  }

  @Test
  void unknownDescriptorsLeaveNothingBehind() {
    var fixture = EngineFixture.receiving(0);
    ByteBuf frame = Unpooled.wrappedBuffer(flowWithADescriptor());
    int descriptorAt = frame.writerIndex() - 9;
    for (int i = 0; i < 20_000; i++) {
      send(fixture, frame, descriptorAt, i);
    }

    long before = allocatedBytes();
    for (int i = 0; i < 200_000; i++) {
      send(fixture, frame, descriptorAt, 1_000_000L + i);
    }
    long allocated = allocatedBytes() - before;

    assertThat(fixture.engine.isFinished()).isFalse();
    assertThat(allocated / 200_000).isLessThan(16);
  }

  @Test
  void aFrameThatNeverComesKeepsOnlyWhatCame() {
    var fixture = EngineFixture.opened();

    long allocated = allocatedBy(fixture, Unpooled.wrappedBuffer(hex("0001000002")));

    assertThat(allocated).isLessThan(LITTLE);
  }

  @Test
  void attachesWithoutEndAreBounded() {
    var fixture = EngineFixture.begun();
    for (int handle = 0; handle < 2_000; handle++) {
      fixture.feed(ClientFrames.attachReceiver(1, handle, "r"));
    }
    assertThat(fixture.edge.sending).hasSize(1_000);

    fixture.feed(ClientFrames.attachReceiver(1, 2_000, "r"));

    assertThat(fixture.edge.heard).endsWith("fatal amqp:connection:framing-error");
  }

  private static void send(EngineFixture fixture, ByteBuf frame, int descriptorAt, long code) {
    frame.setLong(descriptorAt, code);
    frame.readerIndex(0);
    fixture.engine.ingest(frame, fixture.now);
  }

  /**
   * A FLOW whose properties hold {x: described(ulong, null)}; the ulong is 8 bytes before the last.
   */
  private static byte[] flowWithADescriptor() {
    var value = new Described(new Unsigned.Ulong(Long.MIN_VALUE), null);
    return ClientFrames.frame(
        1,
        Descriptor.FLOW,
        uint(0),
        uint(5000),
        uint(0),
        uint(2048),
        null,
        null,
        null,
        null,
        false,
        false,
        Map.of(new Symbol("x"), value));
  }

  private static void measure(byte[] bytes) {
    allocatedBy(EngineFixture.opened(), Unpooled.wrappedBuffer(bytes));
  }

  private static long allocatedBy(EngineFixture fixture, ByteBuf input) {
    fixture.engine.takeOutput();
    long before = allocatedBytes();
    fixture.engine.ingest(input, fixture.now);
    return allocatedBytes() - before;
  }

  private static long allocatedBytes() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }
}
