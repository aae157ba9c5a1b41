package io.peeklock.kernel.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.TopicFixture;
import io.peeklock.kernel.machine.TopicFixture.Message;
import io.peeklock.proof.Rule;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A checkpoint whose topics and subscriptions get messages before it has described them. */
class CopiesInCheckpointTest {

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private TopicFixture topic;
  private final List<Fact> written = new ArrayList<>();

  @BeforeEach
  void createMany() {
    topic = TopicFixture.of(shard);
    for (int i = 0; i < 10; i++) {
      topic.subscription("s" + i);
    }
    topic.send(Message.plain());
  }

  private void write(Snapshot snapshot, int parts) {
    for (int i = 0; i < parts; i++) {
      List<Fact> part = snapshot.next();
      written.addAll(part);
      if (part.isEmpty()) {
        return;
      }
    }
  }

  @Test
  @Rule({"I-01", "I-05"})
  void hasThemAsTheyWereBeforeTheirCopies() {
    long before = shard.machine.stateHash();
    int known = shard.log.size();

    Snapshot snapshot = Snapshot.begin(shard.machine.state(), 1);
    write(snapshot, 3);
    topic.send(Message.plain(), Message.plain());
    write(snapshot, 3);
    topic.send(Message.plain());
    write(snapshot, 1_000);
    snapshot.end();

    Machine rebuilt = new Machine();
    written.forEach(fact -> rebuilt.apply(0, fact));
    assertThat(rebuilt.stateHash()).isEqualTo(before);
    shard.log.subList(known, shard.log.size()).forEach(each -> rebuilt.apply(0, each.fact()));
    assertThat(rebuilt.stateHash()).isEqualTo(shard.machine.stateHash());
  }
}
