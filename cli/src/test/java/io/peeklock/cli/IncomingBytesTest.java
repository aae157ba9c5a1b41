package io.peeklock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.engine.Engine;
import org.apache.qpid.protonj2.engine.EngineFactory;
import org.apache.qpid.protonj2.engine.exceptions.EngineFailedException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is counted is what a broker sent, however little of it came at once. */
@Timeout(300)
class IncomingBytesTest {
  private static final int BOUND = 1 << 20;
  private static final int READ_BUFFER = 64 << 10;
  private static final int EMPTY_FRAME = 8;
  private static final int FRAME_WEIGHT = 4 << 10;

  private final Engine engine = EngineFactory.PROTON.createNonSaslEngine();
  private final IncomingBytes bytes = IncomingBytes.of(engine, BOUND);

  @BeforeEach
  void begin() {
    engine.outputHandler(written -> {}).errorHandler(failed -> {});
    engine.start();
    read("AMQP\0\1\0\0".getBytes(StandardCharsets.ISO_8859_1));
  }

  /** In a buffer as large as the network may use for a few bytes. */
  private void read(byte[] come) {
    ProtonBuffer buffer = ProtonBufferAllocator.defaultAllocator().allocate(READ_BUFFER);
    buffer.writeBytes(come);
    engine.ingest(buffer.convertToReadOnly());
    assertThat(buffer.isReadable()).isFalse();
  }

  private static byte[] frames(int count) {
    var frames = ByteBuffer.allocate(count * EMPTY_FRAME);
    while (frames.hasRemaining()) {
      frames.putInt(EMPTY_FRAME).put((byte) 2).put((byte) 0).putShort((short) 0);
    }
    return frames.array();
  }

  @Test
  void aSlowLineFillsNoBound() {
    assertThatCode(
            () -> {
              for (var i = 0; i < 10_000; i++) {
                read(frames(1));
              }
            })
        .doesNotThrowAnyException();
  }

  @Test
  void bytesAreCountedUntilTheyAreTaken() {
    read(frames(BOUND / EMPTY_FRAME - 1));
    bytes.taken();
    read(frames(BOUND / EMPTY_FRAME));

    assertThatThrownBy(() -> read(frames(1)))
        .isInstanceOf(EngineFailedException.class)
        .hasMessageContaining("more than 1 MiB");
  }

  @Test
  void aFrameWeighsMoreThanItsBytesWhereverItIsCut() {
    bytes.taken();
    read(frames((BOUND - FRAME_WEIGHT) / EMPTY_FRAME)); // empty ones weigh nothing more
    read(new byte[] {0});
    read(new byte[] {0, 0});

    assertThatThrownBy(() -> read(new byte[] {15})).hasMessageContaining("more than 1 MiB");
  }
}
