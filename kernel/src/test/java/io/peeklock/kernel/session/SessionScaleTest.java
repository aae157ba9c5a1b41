package io.peeklock.kernel.session;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.deliver.DeleteMessagesHandler;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.machine.Definitions;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Consumer;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.state.SessionTable;
import io.peeklock.proof.Rule;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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

  private Decision peek(QueueFixture queue, String id) {
    return shard.decide(
        new Request.Peek(new Asker(), new Note(), queue.id, 0, 250, Long.MAX_VALUE, id));
  }

  /** One message of a session behind very many of another. */
  private QueueFixture crowded(int others) {
    shard.checkEveryStep = false;
    QueueFixture queue = queue();
    String[] ids = new String[others + 1];
    Arrays.fill(ids, "many");
    ids[others] = "one";
    queue.sendTo(ids);
    return queue;
  }

  @Test
  @Rule({"S-227", "S-228"})
  @Timeout(value = 10, unit = TimeUnit.SECONDS) // past all others: more than a minute
  void lookingAtOneSessionDoesNotLookAtAllOthers() {
    QueueFixture queue = crowded(100_000);

    for (int i = 0; i < 100_000; i++) {
      Effect.Peeked peeked = ShardFixture.only(peek(queue, "one"), Effect.Peeked.class);
      assertThat(peeked.messages().sequenceNumbers()).containsExactly(100_001);
    }
    assertThat(ShardFixture.only(peek(queue, "none"), Effect.Peeked.class).messages().count())
        .isZero();
  }

  @Test
  @Rule({"S-411", "S-416"})
  void messagesOfOneSessionAreDeletedHoweverManyOthersAreBefore() {
    QueueFixture queue = crowded(DeleteMessagesHandler.MOST_LOOKED_AT);

    Decision decision =
        shard.ask(
            new EntityRequest.DeleteMessages(
                new Asker(), new Note(), queue.id, 10, Long.MAX_VALUE, "one", null));

    var deleted = ShardFixture.only(decision, Effect.MessagesDeleted.class);
    assertThat(deleted.count()).isEqualTo(1);
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
