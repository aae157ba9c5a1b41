package io.peeklock.kernel.queue;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Effect;
import io.peeklock.kernel.Request;
import io.peeklock.kernel.queue.QueueFixture.Consumer;
import io.peeklock.kernel.queue.ShardFixture.Note;
import io.peeklock.proof.Rule;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What sessions cost, however much is done with them. */
class SessionScaleTest {

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private QueueFixture queue() {
    return QueueFixture.of(shard, Definitions.lockDuration(ofSeconds(30)).withSession(true));
  }

  private SessionTable sessions(QueueFixture queue) {
    return Objects.requireNonNull(shard.machine.state().known(queue.id).sessions());
  }

  @Test
  @Rule({"S-244", "S-128"})
  void renewalsLeaveNothingBehindWhileAnOlderLockIsFirst() {
    QueueFixture queue = queue();
    Consumer older = queue.accepts("older", ZERO);
    Consumer renewing = queue.accepts("renewing", ZERO);

    for (int i = 0; i < 1_000; i++) {
      shard.passes(ofMillis(10));
      shard.ask(
          new Request.RenewSession(
              renewing.asker, new Note(), queue.id, "renewing", renewing.asker));
    }

    assertThat(sessions(queue).locked()).isEqualTo(2);
    shard.advance(ofSeconds(20));
    assertThat(sessions(queue).locked()).isEqualTo(1);
    assertThat(shard.effects)
        .filteredOn(Effect.SessionLost.class::isInstance)
        .extracting(Effect::to)
        .containsExactly(older.asker);
    shard.advance(ofSeconds(10));
    assertThat(sessions(queue).locked()).isZero();
  }
}
