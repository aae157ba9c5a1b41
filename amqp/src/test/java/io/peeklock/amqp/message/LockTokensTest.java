package io.peeklock.amqp.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.Rule;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Tokens of locks. */
class LockTokensTest {
  private final LockTokens tokens = new LockTokens(LockTokens.Key.random());

  @Test
  @Rule({"T-34", "S-097"})
  void aTagIsTheGuidInTheOrderOfDotNet() {
    var tag = HexFormat.of().parseHex("33221100554477668899aabbccddeeff");

    assertThat(LockTokens.uuid(tag, 0))
        .isEqualTo(UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"));
  }

  @Test
  void everyTokenLeadsBackToItsLockAndNoneRepeats() {
    var locks = LongStream.rangeClosed(1, 500).map(i -> i << 24 | i % 7).toArray();

    var tags = tokens.mint(locks);

    var seen = new HashSet<UUID>();
    for (var i = 0; i < locks.length; i++) {
      var token = LockTokens.uuid(tags, i);
      assertThat(tokens.lockOf(token)).isEqualTo(locks[i]);
      assertThat(seen.add(token)).isTrue();
    }
  }

  @Test
  void inventedTokensAndThoseOfAnotherStartAreUnknown() {
    var earlier = new LockTokens(LockTokens.Key.random()).mint(new long[] {1 << 24});
    var mine = LockTokens.uuid(tokens.mint(new long[] {1 << 24}), 0);

    assertThat(tokens.lockOf(LockTokens.uuid(earlier, 0))).isEqualTo(LockTokens.UNKNOWN);
    assertThat(tokens.lockOf(UUID.randomUUID())).isEqualTo(LockTokens.UNKNOWN);
    var flipped = new UUID(mine.getMostSignificantBits() ^ 1, mine.getLeastSignificantBits());
    assertThat(tokens.lockOf(flipped)).isEqualTo(LockTokens.UNKNOWN);
  }
}
