package io.peeklock.kernel.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.decide.FetchedBodies;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.machine.TopicFixture.Message;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.MessageView;
import io.peeklock.proof.LongProof;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two topics are sent the same: one copies each message for all subscriptions at once, the other
 * one for a few at a time, with other requests, restarts and checkpoints in between. Every
 * subscription ends up with the same.
 */
class CopiesInPartsWalkTest {
  private static final int ROUNDS = 25;
  private static final int SUBSCRIPTIONS = 7;

  @RegisterExtension final ShardFixture atOnce = new ShardFixture();
  @RegisterExtension final ShardFixture inParts = new ShardFixture();

  private Chance chance = new Chance(0);
  private final List<Side> sides = new ArrayList<>();
  private final Map<String, QueueFixture> late = new LinkedHashMap<>();
  private final List<String> names = new ArrayList<>();
  private int made;
  private long serial;

  /** One of the two topics, and all that is there beside. */
  private static final class Side {
    final ShardFixture shard;
    final TopicFixture topic;
    final QueueFixture start;
    final Map<String, QueueFixture> subscriptions = new TreeMap<>();
    final Map<Long, Message> contents = new TreeMap<>();
    final Map<Long, String> changes = new TreeMap<>();
    final Map<Long, Long> topicNumbers = new TreeMap<>();

    Side(ShardFixture shard, QueueDefinition definition, boolean refuses) {
      this.shard = shard;
      this.topic =
          refuses
              ? TopicFixture.refusingUnmatched(shard, definition)
              : TopicFixture.of(shard, definition);
      this.start =
          QueueFixture.of(shard, QueueDefinition.named("start").with().forwardTo("events").build());
      shard.watch(this::noteChanges);
      FetchedBodies sent = shard.store;
      shard.store =
          (bodyId, overlayId, cause) -> {
            MessageView known = contents.get(bodyId);
            return known == null ? sent.source(bodyId, overlayId, cause) : known;
          };
    }

    QueueFixture subscription(String name) {
      return Objects.requireNonNull(subscriptions.get(name));
    }

    /** What copies have of their own. */
    private void noteChanges(Decision decision) {
      Iterator<byte[]> made = decision.made().iterator();
      for (Fact fact : decision.facts()) {
        if (fact instanceof Fact.PropertiesChanged changed) {
          String text = new String(made.next(), StandardCharsets.UTF_8);
          changes.put(changed.overlay().bodyId(), text);
        }
      }
    }

    void note(Message... messages) {
      for (int i = 0; i < messages.length; i++) {
        contents.put(shard.machine.nextBodyId() + i, messages[i]);
      }
    }

    /**
     * What all subscriptions have, but for the ids of bodies, and for the topic's numbers: those it
     * gives with the copies, and others that are scheduled meanwhile have theirs at once.
     */
    Map<String, List<String>> all() {
      Map<String, List<String>> all = new TreeMap<>();
      subscriptions.forEach((name, each) -> all.put(name, shown(each)));
      subscriptions.forEach((name, each) -> all.put(name + "/dead", shown(each.deadLetters())));
      all.put("start", shown(start));
      all.put("start/dead", shown(start.deadLetters()));
      return all;
    }

    List<String> shown(QueueFixture queue) {
      List<String> all = new ArrayList<>();
      for (Received each : queue.peek()) {
        Long number = topicNumbers.putIfAbsent(each.bodyId(), each.enqueuedNumber());
        assertThat(number == null || number == each.enqueuedNumber())
            .as("all copies have one number of the topic")
            .isTrue();
        all.add(
            String.join(
                " ",
                String.valueOf(each.number()),
                serial(each),
                String.valueOf(each.enqueuedAt()),
                String.valueOf(each.expiresAt()),
                String.valueOf(each.cause()),
                each.overlayId() == 0 ? "" : changes.getOrDefault(each.overlayId(), "?")));
      }
      return all;
    }

    List<String> serials(QueueFixture queue) {
      return queue.peek().stream().map(this::serial).toList();
    }

    private String serial(Received each) {
      MessageView found = shard.store.source(each.bodyId(), 0, each.cause());
      return found instanceof Message message ? "" + message.properties().get("serial") : "?";
    }
  }

  static List<Long> seeds() {
    return LongStream.rangeClosed(1, 4).boxed().toList();
  }

  static List<Long> moreSeeds() {
    return LongStream.rangeClosed(5, 12).boxed().toList();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  @io.peeklock.proof.Rule({"S-053", "S-054", "S-055", "S-146", "S-156", "S-266", "S-318", "S-406"})
  void everySubscriptionHasTheSame(long seed) {
    chance = new Chance(seed);
    create();
    for (int round = 0; round < ROUNDS; round++) {
      inParts.holdForwards(true);
      for (int step = chance.below(8); step >= 0; step--) {
        step();
        copySome();
      }
      inParts.holdForwards(false);
      compare();
      change();
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @LongProof
  @MethodSource("moreSeeds")
  @io.peeklock.proof.Rule({"S-053", "S-054", "S-055", "S-146", "S-156", "S-266", "S-318", "S-406"})
  void everySubscriptionHasTheSameWithMoreSeeds(long seed) {
    everySubscriptionHasTheSame(seed);
  }

  private void create() {
    boolean refuses = chance.oneIn(4);
    QueueDefinition definition =
        QueueDefinition.named("events")
            .with()
            .duplicateWindowMillis(chance.oneIn(2) ? 0 : 600_000)
            .defaultTimeToLiveMillis(chance.oneIn(2) ? QueueDefinition.FOREVER : 100_000)
            .build();
    sides.add(new Side(atOnce, definition, refuses));
    sides.add(new Side(inParts, definition, refuses));
    inParts.copiesAtOnce(1 + chance.below(4));
    boolean plain = chance.oneIn(3);
    for (int i = 0; i < SUBSCRIPTIONS; i++) {
      subscribe(plain);
    }
  }

  private String subscribe(boolean plain) {
    String name = "s" + made++;
    QueueDefinition like =
        QueueDefinition.named(name)
            .withSession(!plain && chance.oneIn(6))
            .with()
            .defaultTimeToLiveMillis(chance.oneIn(3) ? 50_000 : QueueDefinition.FOREVER)
            .build();
    boolean deadLetters = chance.oneIn(2);
    Rule[] rules = plain ? new Rule[0] : rules();
    for (Side side : sides) {
      side.subscriptions.put(name, side.topic.subscription(like, deadLetters, rules));
    }
    names.add(name);
    return name;
  }

  private Rule[] rules() {
    Rule[] rules = new Rule[1 + chance.below(3)];
    for (int i = 0; i < rules.length; i++) {
      rules[i] = rule("r" + i);
    }
    return rules;
  }

  private Rule rule(String name) {
    return switch (chance.below(7)) {
      case 0 -> TopicFixture.rule(name, "n > " + chance.below(10), "SET seen = '" + name + "'");
      case 1 -> TopicFixture.rule(name, "n / 0 > 1");
      case 2 -> TopicFixture.rule(name, "1=0");
      case 3 -> TopicFixture.rule(name, "n < " + chance.below(10));
      case 4 -> TopicFixture.rule(name, "1=1", "SET sys.SessionId = 'mine'");
      default -> TopicFixture.rule(name, "1=1");
    };
  }

  // ---- while the copies are made

  private void step() {
    switch (chance.below(8)) {
      case 0 -> forward();
      case 1 -> schedule();
      case 2 -> lateOneComesOrGoes();
      case 3 -> restart();
      default -> send();
    }
  }

  private void copySome() {
    for (int i = chance.below(4); i > 0 && inParts.machine.wantsForward(); i--) {
      inParts.forwardOnce();
    }
  }

  private Message[] messages() {
    Message[] messages = new Message[1 + chance.below(3)];
    for (int i = 0; i < messages.length; i++) {
      var properties = new TreeMap<String, Object>();
      properties.put("serial", serial++);
      properties.put("n", (long) chance.below(12));
      if (chance.oneIn(2)) {
        properties.put("id", 1L + chance.below(20));
      }
      Message made = new Message(properties, null);
      messages[i] = chance.oneIn(2) ? made : made.in("cart" + chance.below(3));
    }
    return messages;
  }

  private void send() {
    Message[] messages = messages();
    boolean atomic = chance.oneIn(3);
    long life = chance.oneIn(3) ? 30_000 : QueueDefinition.FOREVER;
    List<Object> answers = new ArrayList<>();
    for (Side side : sides) {
      answers.add(answer(side.topic.send(atomic, null, life, messages).effects().getFirst()));
    }
    assertThat(answers.get(1)).isEqualTo(answers.get(0));
  }

  private static Object answer(Object effect) {
    if (effect instanceof Effect.SendAnswered sent) {
      @Nullable Refusal @Nullable [] refusals = sent.refusals();
      return refusals == null ? List.of() : Arrays.asList(refusals);
    }
    return ((Effect.Refused) effect).refusal();
  }

  private void schedule() {
    Message[] messages = messages();
    long[] due = new long[messages.length];
    for (int i = 0; i < due.length; i++) {
      due[i] = atOnce.nowMillis + 1 + chance.below(10_000);
    }
    // While copies wait, one that may have the id of one of them is to be sent again; nobody does.
    Decision answered = sides.get(1).topic.send(false, due, QueueDefinition.FOREVER, messages);
    @Nullable Refusal @Nullable [] refusals =
        ShardFixture.only(answered, Effect.SendAnswered.class).refusals();
    int[] taken =
        IntStream.range(0, messages.length)
            .filter(i -> refusals == null || refusals[i] == null)
            .toArray();
    if (taken.length > 0) {
      Message[] others = Arrays.stream(taken).mapToObj(i -> messages[i]).toArray(Message[]::new);
      long[] theirs = Arrays.stream(taken).mapToLong(i -> due[i]).toArray();
      sides.get(0).topic.send(false, theirs, QueueDefinition.FOREVER, others);
    }
  }

  /** They are in line in front of what is sent next. */
  private void forward() {
    Message[] messages = messages();
    for (Side side : sides) {
      side.note(messages);
      side.start.send(messages.length);
    }
    while (sides.get(1).start.counts().active() > 0) {
      inParts.forwardOnce();
    }
  }

  private void lateOneComesOrGoes() {
    if (late.isEmpty() || chance.oneIn(2)) {
      String name = subscribe(true);
      names.remove(name);
      late.put(name, sides.get(1).subscription(name));
    } else {
      delete(late.keySet().iterator().next());
    }
  }

  private void delete(String name) {
    names.remove(name);
    late.remove(name);
    for (Side side : sides) {
      side.subscriptions.remove(name);
      var path = "events/Subscriptions/" + name;
      side.shard.ask(new EntityRequest.DeleteQueue(new Asker(), new Note(), path));
    }
  }

  private void restart() {
    for (Side side : sides) {
      if (chance.oneIn(2)) {
        side.shard.restart();
      } else {
        side.shard.restartFromSnapshot();
      }
    }
    atOnce.forwardWhileWanted();
  }

  // ---- in between

  private void compare() {
    for (String name : late.keySet()) {
      List<String> has = sides.get(1).serials(sides.get(1).subscription(name));
      List<String> least = sides.get(0).serials(sides.get(0).subscription(name));
      assertThat(has)
          .as("%s has nothing twice", name)
          .doesNotHaveDuplicates()
          .endsWith(least.toArray(String[]::new));
    }
    List.copyOf(late.keySet()).forEach(this::delete);
    Map<String, List<String>> expected = sides.get(0).all();
    sides
        .get(1)
        .all()
        .forEach((name, has) -> assertThat(has).as(name).isEqualTo(expected.get(name)));
    assertThat(inParts.machine.wantsForward()).isFalse();
  }

  /** What changes while nothing waits. */
  private void change() {
    if (chance.oneIn(3)) {
      String name = names.get(chance.below(names.size()));
      Rule rule = rule("more" + made++);
      sides.forEach(side -> side.topic.add(side.subscription(name), rule));
    }
    if (chance.oneIn(4)) {
      delete(names.get(chance.below(names.size())));
      subscribe(chance.oneIn(2));
    }
    if (chance.oneIn(3)) {
      String name = names.get(chance.below(names.size()));
      for (Side side : sides) {
        QueueFixture from = side.subscription(name).deadLetters();
        from.receiveAndDelete(2);
      }
    }
    if (chance.oneIn(2)) {
      passTime();
    }
  }

  /** What becomes due meanwhile may be copied in parts too. */
  private void passTime() {
    Duration time = Duration.ofMillis(1 + chance.below(chance.oneIn(4) ? 60_000 : 4_000));
    inParts.holdForwards(true);
    for (Side side : sides) {
      side.shard.advance(time);
    }
  }
}
