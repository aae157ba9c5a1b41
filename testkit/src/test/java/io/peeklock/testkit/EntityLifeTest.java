package io.peeklock.testkit;

import static io.peeklock.kernel.request.ReceiveMode.PEEK_LOCK;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.EntityStatus;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.proof.Rule;
import io.peeklock.testkit.ShardFixture.Note;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Entities that the broker itself deletes or stops, as whoever runs it sees them. */
final class EntityLifeTest {
  private final ShardFixture world = new ShardFixture();

  @Test
  @Rule({"S-307", "S-312"})
  void anEntityThatNobodyUsedIsDeletedAndWhoeverRunsTheBrokerIsTold() {
    var temporary = QueueDefinition.named("Temporary").with();
    world.queue(temporary.autoDeleteOnIdleMillis(300_000).build());

    world.advance(Duration.ofMinutes(5));

    assertThat(world.shard.catalogue().queue("temporary")).isNull();
    assertThat(world.news).containsExactly("idle: temporary");
  }

  @Test
  @Rule("S-312")
  void whatIsAskedForIsNoNews() {
    world.queue("orders");
    var admin = world.client();
    admin.ask(new EntityRequest.DeleteQueue(admin, new Note("delete"), "orders"));
    world.shardExecutor.settle();

    assertThat(world.news).isEmpty();
  }

  @Test
  @Rule("I-34")
  void aNewTermCountsIdleTimeAnew() {
    var temporary = QueueDefinition.named("temporary").with();
    world.queue(temporary.autoDeleteOnIdleMillis(300_000).build());
    world.advance(Duration.ofMinutes(4));
    world.journal.loseLeadership(0);
    world.shardExecutor.settle();

    world.advance(Duration.ofMinutes(4));

    assertThat(world.shard.catalogue().queue("temporary")).isNotNull();
    world.advance(Duration.ofMinutes(1));
    assertThat(world.shard.catalogue().queue("temporary")).isNull();
  }

  @Test
  @Rule("S-429")
  void aQueueThatTheBrokerStoppedIsNotOpenedByAnUpdate() {
    var orders = world.queue("orders");
    world.client().send(orders, "one");
    world.journal.damage(1);
    var unlucky = world.client();
    unlucky.receive(orders, PEEK_LOCK, 1);
    assertThat(unlucky.troubles).hasSize(1);

    var admin = world.client();
    var active = QueueDefinition.named("orders").with().status(EntityStatus.ACTIVE).build();
    admin.ask(new EntityRequest.UpdateQueue(admin, new Note("update"), active));
    world.shardExecutor.settle();

    assertThat(admin.wasTold(Effect.QueueChanged.class)).isTrue();
    var later = world.client();
    later.receive(orders, PEEK_LOCK, 1);
    assertThat(later.troubles).hasSize(1);
    assertThat(later.told).isEmpty();
  }
}
