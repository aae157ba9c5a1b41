package io.peeklock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.journal.memory.MemoryJournal;
import io.peeklock.proof.Rule;
import io.peeklock.server.config.ConfigurationException;
import org.junit.jupiter.api.Test;

/** All namespaces together fit into the direct memory of bodies. */
class MemoryShareTest {
  private static final long MIB = 1L << 20;

  @Test
  @Rule("I-46")
  void oneNamespaceHasTwoThirdsAndAtMost512MiB() {
    assertThat(new MemoryShare(1_024 * MIB, 512 * MIB, 768 * MIB, 1).inMemory())
        .isEqualTo(512 * MIB);
    assertThat(new MemoryShare(1_024 * MIB, 512 * MIB, 8_192 * MIB, 1).inMemory())
        .isEqualTo(512 * MIB);
    assertThat(new MemoryShare(1_024 * MIB, 512 * MIB, 150 * MIB, 1).inMemory())
        .isEqualTo(100 * MIB);
    assertThat(MemoryShare.of(1).inMemory()).isPositive();
  }

  @Test
  @Rule("I-46")
  void nextToNothingIsRefusedWithASentence() {
    assertThatThrownBy(() -> new MemoryShare(64 * MIB, 16 * MIB, MIB, 1).inMemory())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("PEEKLOCK_BODY_MEMORY");
  }

  /** As when the operator's own flags bound direct memory below what the launcher gave Netty. */
  @Test
  @Rule("I-46")
  void networkAndBodiesShareTheDirectMemoryThatThereIs() {
    assertThat(MemoryShare.of(230 * MIB, 178 * MIB, 76 * MIB, 1))
        .isEqualTo(new MemoryShare(230 * MIB, 76 * MIB, 102 * MIB, 1));
    for (var ofNetty : new long[] {0, 200 * MIB, 512 * MIB}) {
      assertThat(MemoryShare.of(200 * MIB, 200 * MIB, ofNetty, 1))
          .isEqualTo(new MemoryShare(200 * MIB, 100 * MIB, 100 * MIB, 1));
    }
  }

  @Test
  @Rule("I-46")
  void severalNamespacesFitWithWhatIsStagedAndWhatRests() {
    for (var bodies : new long[] {20 * MIB, 102 * MIB, 768 * MIB}) {
      for (var count = 1; count <= 6; count++) {
        var share = new MemoryShare(1_024 * MIB, 512 * MIB, bodies, count);
        assertThat(count * MemoryJournal.mostBytes(share.inMemory())).isLessThan(bodies);
        assertThat(count * (share.resident() + share.staged())).isLessThan(bodies / 2);
      }
    }
  }

  @Test
  @Rule("I-46")
  void whatTheOperatorWantsMustBeThere() {
    var share = new MemoryShare(1_024 * MIB, 512 * MIB, 768 * MIB, 2);

    assertThat(share.inMemory(300 * MIB)).isEqualTo(300 * MIB);
    assertThatThrownBy(() -> share.inMemory(400 * MIB))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("400 MiB for each of 2 namespaces need")
        .hasMessageContaining("PEEKLOCK_BODY_MEMORY");
  }
}
