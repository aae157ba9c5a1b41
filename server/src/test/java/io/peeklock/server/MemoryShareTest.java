package io.peeklock.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.Rule;
import org.junit.jupiter.api.Test;

/** All namespaces in memory fit into half of the direct memory. */
class MemoryShareTest {
  @Test
  @Rule("I-46")
  void oneNamespaceHasHalfOfTheDirectMemoryAndAtMost512MiB() {
    assertThat(MemoryShare.bytes(1, 1L << 30)).isEqualTo(512L << 20);
    assertThat(MemoryShare.bytes(1, 8L << 30)).isEqualTo(512L << 20);
    assertThat(MemoryShare.bytes(1, 150L << 20)).isEqualTo(75L << 20);
  }

  @Test
  @Rule("I-46")
  void severalNamespacesShareIt() {
    assertThat(2 * MemoryShare.bytes(2, 1L << 30)).isEqualTo(512L << 20);
    assertThat(MemoryShare.bytes(1)).isPositive();
  }
}
