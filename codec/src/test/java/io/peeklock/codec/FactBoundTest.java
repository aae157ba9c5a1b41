package io.peeklock.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.Copies;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.ForwardFact;
import io.peeklock.kernel.fact.MessagesRestored;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How much room is reserved for facts: memory of the log's thread, whatever clients send. */
class FactBoundTest {
  private static final String[] PARTS = {
    "a", "order-4711", "größe", "日本", "😀", "\ud83d", "\udc00"
  };

  private final Random chance = new Random(2);
  private final ByteBuffer out = ByteBuffer.allocate(32 << 20).order(ByteOrder.LITTLE_ENDIAN);

  @Test
  void theRoomForABatchToManySubscriptionsIsWhatIsWritten() {
    var ids = new String[1_000];
    for (var i = 0; i < ids.length; i++) {
      ids[i] = String.format(Locale.ROOT, "%0128d", i);
    }
    var copies = new Copies[60];
    for (var i = 0; i < copies.length; i++) {
      copies[i] = new Copies(new QueueId(i + 5), 1, null, null, ids, null);
    }
    var sizes = new int[ids.length];
    var numbers = new long[ids.length];

    for (var fact :
        List.of(
            new Fact.Published(new QueueId(1), 1, 1, 1, sizes, sizes, null, copies),
            new Fact.ScheduledPublished(new QueueId(1), numbers, 1, 1, copies),
            new ForwardFact.ForwardPublished(
                new QueueId(1), numbers, new QueueId(3), 1, 1, null, copies, "a/dead/one"),
            new ForwardFact.Forwarded(
                new QueueId(1), numbers, new QueueId(3), 1, 1, null, null, ids, null))) {
      assertThat(FactCodec.bytes(List.of(fact))).isEqualTo(written(fact));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 7, 60, 500, 3_000})
  void randomFactsTakeTheRoomThatTheySay(int count) {
    for (var round = 0; round < 20; round++) {
      for (var fact : facts(count)) {
        assertThat(FactCodec.bytes(List.of(fact)))
            .as("%s of %d", fact.getClass(), count)
            .isEqualTo(written(fact));
      }
    }
  }

  @Test
  void samplesOfAllKindsTakeTheRoomThatTheySay() {
    for (var fact : FactSamples.all().values()) {
      assertThat(FactCodec.bytes(List.of(fact))).isEqualTo(written(fact));
    }
  }

  @Test
  void factsThatDoNotFitAreNotWritten() {
    var before = List.<Fact>of(new Fact.Completed(new QueueId(1), new long[] {1}));
    for (var fact : FactSamples.all().values()) {
      var facts = List.of(fact);
      var start = (int) FactCodec.bytes(before);
      var whole = start + (int) FactCodec.bytes(facts);
      for (var room = start; room <= whole; room++) {
        var small = ByteBuffer.allocate(room).order(ByteOrder.LITTLE_ENDIAN);
        FactCodec.encode(before, small);

        assertThat(FactCodec.encodeIfRoom(facts, small)).isEqualTo(room == whole);
        assertThat(small.position()).isEqualTo(room == whole ? whole : start);
      }
    }
  }

  private long written(Fact fact) {
    out.clear();
    FactCodec.encode(List.of(fact), out);
    return out.position();
  }

  /** One of each kind that has columns. */
  private List<Fact> facts(int count) {
    var queue = new QueueId(1 + chance.nextInt(Integer.MAX_VALUE));
    var numbers = longs(count);
    return List.of(
        new Fact.Completed(queue, numbers),
        new Fact.Abandoned(queue, numbers, overlay()),
        new Fact.DeadLettered(
            queue, queue, numbers, DeadLetterCause.FORWARDING_FAILED, true, overlay()),
        new Fact.Activated(queue, numbers, chance.nextLong(), chance.nextLong()),
        new Fact.MessageIdsSeen(queue, longs(2 * count), chance.nextLong()),
        new Fact.MessageIdsRestored(queue, longs(2 * count), numbers),
        new Fact.SessionStatesRestored(queue, texts(count), numbers, ints(count), longs(count)),
        new Fact.SessionStateSet(queue, text(), chance.nextLong(), 9, chance.nextLong()),
        new Fact.RuleRemoved(queue, text()),
        enqueued(queue, count),
        scheduled(queue, count),
        restored(queue, count),
        new Fact.Published(
            queue,
            -1,
            -1,
            Long.MIN_VALUE,
            ints(count),
            ints(count),
            longs(2 * count),
            copies(count)),
        new Fact.ScheduledPublished(queue, numbers, -1, chance.nextLong(), copies(count)),
        new ForwardFact.Forwarded(
            queue, numbers, queue, -1, 5, longs(count), longs(2 * count), texts(count), text()),
        new ForwardFact.ForwardPublished(
            queue, numbers, queue, -1, -5, longs(2 * count), copies(count), text()),
        new ForwardFact.PartPublished(
            queue, -1, queue, -1, -5, 7, longs(2), copies(1), Integer.MAX_VALUE, true),
        new ForwardFact.ActivatedInBacklog(queue, numbers, -1, queue, -1, -5),
        new ForwardFact.Dropped(queue, numbers));
  }

  private Fact enqueued(QueueId queue, int count) {
    return new Fact.Enqueued(
        queue,
        chance.nextLong(),
        chance.nextLong(),
        chance.nextLong(),
        ints(count),
        ints(count),
        longs(count),
        longs(2 * count),
        texts(count));
  }

  private Fact scheduled(QueueId queue, int count) {
    return new Fact.Scheduled(
        queue,
        chance.nextLong(),
        chance.nextLong(),
        chance.nextLong(),
        ints(count),
        ints(count),
        longs(count),
        longs(count),
        longs(2 * count),
        texts(count));
  }

  private Fact restored(QueueId queue, int count) {
    var causes = new DeadLetterCause[count];
    Arrays.fill(causes, DeadLetterCause.NONE);
    var overlays = new Fact.StoredOverlay[count];
    Arrays.setAll(overlays, i -> overlay());
    return new MessagesRestored(
        queue,
        longs(count),
        longs(count),
        ints(count),
        ints(count),
        longs(count),
        longs(count),
        ints(count),
        new boolean[count],
        causes,
        overlays,
        texts(count),
        true,
        longs(count),
        ints(count),
        ints(count),
        texts(count));
  }

  private Copies[] copies(int count) {
    var all = new ArrayList<Copies>();
    for (var i = 0; i < 5; i++) {
      var own = chance.nextInt(count + 1);
      var messages = new int[own];
      Arrays.setAll(messages, at -> at);
      var causes = new DeadLetterCause[own];
      Arrays.fill(causes, DeadLetterCause.NONE);
      all.add(new Copies(new QueueId(i + 1), -1, messages, longs(own), texts(own), causes));
    }
    return all.toArray(Copies[]::new);
  }

  private Fact.StoredOverlay overlay() {
    return new Fact.StoredOverlay(chance.nextLong(), Integer.MAX_VALUE);
  }

  /** Of all lengths, most of them worst ones. */
  private long[] longs(int count) {
    var all = new long[count];
    Arrays.setAll(all, i -> chance.nextLong() >> (chance.nextBoolean() ? 0 : chance.nextInt(64)));
    return all;
  }

  private int[] ints(int count) {
    var all = new int[count];
    Arrays.setAll(all, i -> chance.nextInt(Integer.MAX_VALUE) >>> chance.nextInt(31));
    return all;
  }

  private String[] texts(int count) {
    var all = new String[count];
    for (var i = 0; i < count; i++) {
      all[i] = i > 0 && chance.nextBoolean() ? all[chance.nextInt(i)] : text();
    }
    return all;
  }

  private String text() {
    var text = new StringBuilder();
    for (var parts = chance.nextInt(20); parts > 0; parts--) {
      text.append(PARTS[chance.nextInt(PARTS.length)]);
    }
    return text.toString();
  }
}
