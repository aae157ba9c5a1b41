package io.peeklock.kernel.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.fact.ForwardFact;
import io.peeklock.kernel.forward.ForwardFixture;
import io.peeklock.kernel.forward.ForwardFixture.Content;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.PartitionKeys;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.proof.Rule;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What holds of the keys of messages on partitioned entities, which have one partition each. */
class PartitionTest {

  private static final Refusal CONTRADICTS = new Refusal.PartitionKeyContradicts();
  private static final Refusal DIFFER = new Refusal.PartitionKeysDiffer();
  private static final Refusal MISSING = new Refusal.PartitionKeyMissing();

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  /** A message's session id, partition key and message id; null or 0 without. */
  private record Sent(@Nullable String session, @Nullable String key, long id) {
    static Sent keyed(@Nullable String key) {
      return new Sent(null, key, 1);
    }
  }

  private static QueueDefinition parted() {
    return QueueDefinition.named("orders").with().partitioned(true).build();
  }

  private Decision send(QueueFixture queue, boolean atomic, Sent... messages) {
    int count = messages.length;
    long[] hashes = new long[2 * count];
    long[] forever = new long[count];
    for (int i = 0; i < count; i++) {
      hashes[2 * i + 1] = messages[i].id;
      forever[i] = QueueDefinition.FOREVER;
    }
    @Nullable String[] sessions = Arrays.stream(messages).map(Sent::session).toArray(String[]::new);
    @Nullable String[] keys = Arrays.stream(messages).map(Sent::key).toArray(String[]::new);
    SendBurst burst =
        new SendBurst(
                count,
                QueueFixture.same(QueueFixture.SIZE, count),
                QueueFixture.same(QueueFixture.HEADER, count),
                forever,
                null,
                hashes,
                sessions)
            .withPartitionKeys(new PartitionKeys(sessions, keys));
    return shard.ask(new Request.Send(new Asker(), new Note(), queue.id, burst, atomic));
  }

  private static List<@Nullable Refusal> refusals(Decision decision) {
    var refusals = ShardFixture.only(decision, Effect.SendAnswered.class).refusals();
    return refusals == null ? List.of() : Arrays.asList(refusals);
  }

  @Test
  @Rule({"S-369", "S-370"})
  void aSessionIdAndAnotherPartitionKeyContradictEachOther() {
    QueueFixture orders = QueueFixture.of(shard, parted());

    Decision decision =
        send(
            orders,
            false,
            new Sent("a", "b", 1),
            new Sent("a", "a", 1),
            new Sent("a", null, 1),
            new Sent(null, "b", 1));

    assertThat(refusals(decision)).containsExactly(CONTRADICTS, null, null, null);
    assertThat(orders.peek()).hasSize(3);
  }

  @Test
  @Rule("S-370")
  void whereThereAreNoPartitionsKeysDoNotMatter() {
    QueueFixture orders = QueueFixture.of(shard, QueueDefinition.named("orders"));

    assertThat(refusals(send(orders, true, new Sent("a", "b", 1), Sent.keyed("c")))).isEmpty();
  }

  @Test
  @Rule("S-373")
  void aBatchHasOneKey() {
    QueueFixture orders = QueueFixture.of(shard, parted());

    assertThat(QueueFixture.whole(send(orders, true, Sent.keyed("a"), Sent.keyed("b"))).refusal())
        .isEqualTo(DIFFER);
    assertThat(QueueFixture.whole(send(orders, true, Sent.keyed("a"), Sent.keyed(null))).refusal())
        .isEqualTo(DIFFER);
    assertThat(
            QueueFixture.whole(send(orders, true, new Sent("a", "b", 1), new Sent("a", "b", 1)))
                .refusal())
        .isEqualTo(CONTRADICTS);
    assertThat(orders.peek()).isEmpty();
    assertThat(refusals(send(orders, true, Sent.keyed("a"), new Sent("a", null, 1)))).isEmpty();
    assertThat(refusals(send(orders, true, Sent.keyed(null), Sent.keyed(null)))).isEmpty();
    assertThat(refusals(send(orders, false, Sent.keyed("a"), Sent.keyed("b")))).isEmpty();
    assertThat(orders.peek()).hasSize(6);
  }

  @Test
  @Rule("S-272")
  void whereDuplicatesAreDetectedABatchHasOneKeyOrOneId() {
    QueueFixture orders = QueueFixture.of(shard, parted().withDuplicateWindow(60_000));
    Sent one = new Sent(null, null, 1);
    Sent two = new Sent(null, null, 2);

    assertThat(QueueFixture.whole(send(orders, true, one, one, two)).refusal()).isEqualTo(DIFFER);
    assertThat(orders.peek()).isEmpty();
    assertThat(refusals(send(orders, false, one, two))).isEmpty();
    assertThat(refusals(send(orders, true, new Sent(null, "a", 3), new Sent(null, "a", 4))))
        .isEmpty();
    assertThat(refusals(send(orders, true, new Sent(null, null, 5), new Sent(null, null, 5))))
        .isEmpty();
    assertThat(orders.peek()).hasSize(5);
    QueueFixture plain = QueueFixture.of(shard, parted().with().path("plain").build());
    assertThat(refusals(send(plain, true, one, two))).as("no id chooses there").isEmpty();
  }

  @Test
  @Rule({"S-271", "S-281"})
  void whereDuplicatesAreDetectedSomethingMustChooseThePartition() {
    QueueFixture orders = QueueFixture.of(shard, parted().withDuplicateWindow(60_000));

    Decision decision =
        send(
            orders,
            false,
            new Sent(null, null, 0),
            new Sent(null, "a", 0),
            new Sent("a", null, 0),
            new Sent(null, null, 7));

    assertThat(refusals(decision)).containsExactly(MISSING, null, null, null);
  }

  @Test
  @Rule("S-271")
  void whoGivesNoIdsAtAllIsRefusedToo() {
    QueueFixture orders = QueueFixture.of(shard, parted().withDuplicateWindow(60_000));
    SendBurst burst =
        new SendBurst(
                1,
                QueueFixture.same(1, 1),
                QueueFixture.same(0, 1),
                new long[] {QueueDefinition.FOREVER})
            .withPartitionKeys(new PartitionKeys(new String[1], new String[1]));

    Decision decision =
        shard.ask(new Request.Send(new Asker(), new Note(), orders.id, burst, false));

    assertThat(refusals(decision)).containsExactly(MISSING);
  }

  @Test
  @Rule({"S-270", "S-299"})
  void whatIsForwardedIsADuplicateByIdAndKeyTogether() {
    ForwardFixture forwards = new ForwardFixture(shard);
    QueueFixture end =
        forwards.queue(ForwardFixture.with("end").partitioned(true).duplicateWindowMillis(60_000));
    QueueFixture start = forwards.queue("start", "end");
    forwards.next(Content.ofId(5));
    start.send(1);

    ForwardFact.Forwarded moved =
        shard.log.stream()
            .map(ShardFixture.Logged::fact)
            .filter(ForwardFact.Forwarded.class::isInstance)
            .map(ForwardFact.Forwarded.class::cast)
            .findFirst()
            .orElseThrow();
    assertThat(moved.messageIdHashes()).as("of id and key").containsExactly(-5, 5);
    assertThat(end.sendWithIds(5).facts()).as("without the key it is another one").hasSize(1);
    assertThat(end.counts().active()).isEqualTo(2);
    forwards.next(Content.ofId(5));
    start.send(1);
    assertThat(end.counts().active()).as("the same again").isEqualTo(2);
  }
}
