package io.peeklock.amqp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.proof.Rule;
import org.junit.jupiter.api.Test;

/** Heartbeats and the ends that only time brings. */
class TimeTest {
  @Test
  @Rule("T-60")
  void aSilentEngineSendsAnEmptyFrameEvery15Seconds() {
    var fixture = EngineFixture.opened();

    assertThat(fixture.engine.tick(fixture.now)).isEqualTo(fixture.now + 15_000);
    assertThat(fixture.engine.tick(fixture.now + 14_999)).isEqualTo(fixture.now + 15_000);
    assertThat(fixture.frames()).isEmpty();
    assertThat(fixture.engine.tick(fixture.now + 15_000)).isEqualTo(fixture.now + 30_000);

    assertThat(fixture.hexes()).containsExactly("0000000802000000");
  }

  @Test
  void aShorterTimeOutOfTheClientHurriesTheHeartbeatUpToALimit() {
    for (long[] row : new long[][] {{10_000, 5_000}, {1, 100}, {100_000, 15_000}}) {
      byte[] open =
          ClientFrames.frame(0, Descriptor.OPEN, "c", null, null, null, ClientFrames.uint(row[0]));
      var fixture = EngineFixture.opened(EngineFixture.CONFIG, 0, open);

      assertThat(fixture.engine.tick(fixture.now)).isEqualTo(fixture.now + row[1]);
    }
  }

  @Test
  void aClientSilentForTwiceOurTimeOutIsDropped() {
    var fixture = EngineFixture.opened();

    fixture.engine.tick(fixture.now + 480_000);
    assertThat(fixture.engine.isFinished()).isFalse();
    fixture.engine.tick(fixture.now + 480_001);

    assertThat(fixture.edge.heard).containsExactly("fatal amqp:resource-limit-exceeded");
    assertThat(fixture.frames().getLast().code()).isEqualTo(Descriptor.CLOSE);
    assertThat(fixture.engine.tick(fixture.now + 500_000)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aHandshakeHasTenSeconds() {
    var fixture = new EngineFixture();
    fixture.feed(ClientFrames.hex(ClientFrames.SASL_HEADER));

    assertThat(fixture.engine.tick(fixture.now + 9_999)).isEqualTo(fixture.now + 10_000);
    fixture.engine.tick(fixture.now + 10_000);

    assertThat(fixture.edge.heard).containsExactly("fatal amqp:connection:forced");
    assertThat(fixture.engine.isFinished()).isTrue();
  }

  @Test
  void aCloseOfOursWaitsFiveSecondsForItsAnswer() {
    var fixture = EngineFixture.opened();
    long later = fixture.now + 14_000; // the engine last heard the time 14 seconds ago
    fixture.engine.close(null);

    assertThat(fixture.engine.tick(later)).isEqualTo(later + 5_000);
    assertThat(fixture.engine.tick(later + 4_999)).isEqualTo(later + 5_000);
    assertThat(fixture.engine.isFinished()).isFalse();
    fixture.engine.tick(later + 5_000);

    assertThat(fixture.engine.isFinished()).isTrue();
    assertThat(fixture.edge.heard).isEmpty();
  }
}
