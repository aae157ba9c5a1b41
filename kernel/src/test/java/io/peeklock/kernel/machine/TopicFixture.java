package io.peeklock.kernel.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.entity.RulePage;
import io.peeklock.kernel.filter.Filter;
import io.peeklock.kernel.filter.FilterLimits;
import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.Parsed;
import io.peeklock.kernel.filter.PropertyChanges;
import io.peeklock.kernel.filter.PropertyName;
import io.peeklock.kernel.filter.SqlAction;
import io.peeklock.kernel.filter.SqlFilter;
import io.peeklock.kernel.filter.SystemProperty;
import io.peeklock.kernel.filter.ValueType;
import io.peeklock.kernel.machine.QueueFixture.Outcome;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.MessageView;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The language in which tests tell stories about one topic and its subscriptions. */
public final class TopicFixture {

  /** A message that has some application properties, and perhaps a session. */
  public record Message(Map<String, Object> properties, @Nullable String sessionId)
      implements MessageView {

    public static Message having(String name, Object value) {
      return new Message(Map.of(name, value), null);
    }

    public static Message plain() {
      return new Message(Map.of(), null);
    }

    public Message in(String session) {
      return new Message(properties, session);
    }

    @Override
    public void system(SystemProperty property, FilterValue into) {
      if (property == SystemProperty.SESSION_ID && sessionId != null) {
        into.setText(sessionId);
      }
    }

    @Override
    public void user(PropertyName name, FilterValue into) {
      properties.forEach(
          (key, value) -> {
            if (new PropertyName(key).equals(name)) {
              switch (value) {
                case String text -> into.setText(text);
                case Long number -> into.setWhole(ValueType.LONG, number);
                default -> into.setOther();
              }
            }
          });
    }

    /** As {@code name=value} pairs in order of the names. */
    @Override
    public byte[] overlay(PropertyChanges changes) {
      var all = new TreeMap<String, String>();
      properties.forEach((name, value) -> all.put(name, String.valueOf(value)));
      for (int i = 0; i < changes.count(); i++) {
        if (changes.value(i).type() == ValueType.MISSING) {
          all.remove(changes.name(i).text());
        } else {
          all.put(changes.name(i).text(), changes.value(i).toString());
        }
      }
      return all.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public int headBytes() {
      return properties.toString().length();
    }

    @Override
    public boolean isChanged() {
      return false;
    }

    @Override
    public void messageIdHash(boolean withKey, long[] to, int at) {
      if (properties.get("id") instanceof Long id) {
        to[at] = id;
        to[at + 1] = id;
      }
    }
  }

  final ShardFixture shard;
  public final QueueFixture topic;
  private final QueueDefinition definition;
  private final Map<Long, MessageView> stored = new LinkedHashMap<>();
  private final Map<Long, String> overlays = new LinkedHashMap<>();

  private TopicFixture(ShardFixture shard, QueueDefinition definition) {
    this.shard = shard;
    this.definition = definition;
    this.topic = QueueFixture.of(shard, definition);
    shard.store = (bodyId, overlayId, cause) -> stored.get(bodyId);
  }

  public static TopicFixture of(ShardFixture shard) {
    return of(shard, QueueDefinition.named("events"));
  }

  public static TopicFixture of(ShardFixture shard, QueueDefinition definition) {
    return new TopicFixture(shard, definition.as(new QueueRole.Topic(false)));
  }

  public static TopicFixture refusingUnmatched(ShardFixture shard) {
    return refusingUnmatched(shard, QueueDefinition.named("events"));
  }

  public static TopicFixture refusingUnmatched(ShardFixture shard, QueueDefinition definition) {
    return new TopicFixture(shard, definition.as(new QueueRole.Topic(true)));
  }

  // ---- subscriptions and rules

  /** One that the rules select for; without any, one that has the default rule. */
  public QueueFixture subscription(String name, Rule... rules) {
    return subscription(QueueDefinition.named(name), rules);
  }

  /** One with these settings; the path is only its name. */
  public QueueFixture subscription(QueueDefinition like, Rule... rules) {
    return subscription(like, true, rules);
  }

  public QueueFixture subscription(QueueDefinition like, boolean deadLetters, Rule... rules) {
    var ready =
        ShardFixture.only(
            shard.ask(creating(like, deadLetters, rules.length == 0 ? null : List.of(rules))),
            Effect.QueueReady.class);
    return new QueueFixture(shard, ready.queue(), ready.deadLetterQueue());
  }

  public Request.CreateQueue creating(
      QueueDefinition like, boolean deadLetters, @Nullable List<Rule> rules) {
    var path = definition.path() + "/Subscriptions/" + like.path();
    var whole =
        like.with()
            .path(path)
            .role(new QueueRole.Subscription(definition.path(), deadLetters))
            .build();
    return new Request.CreateQueue(new ShardFixture.Asker(), new ShardFixture.Note(), whole, rules);
  }

  public static Rule rule(String name, String filter) {
    return new Rule(name, filter(filter), null, 0);
  }

  public static Rule rule(String name, String filter, String action) {
    return new Rule(name, filter(filter), done(SqlAction.parse(action, FilterLimits.STANDARD)), 0);
  }

  private static Filter filter(String text) {
    return switch (text) {
      case "1=1" -> new Filter.True();
      case "1=0" -> new Filter.False();
      default -> done(SqlFilter.parse(text, FilterLimits.STANDARD));
    };
  }

  private static <T> T done(Parsed<T> parsed) {
    assertThat(parsed).isInstanceOf(Parsed.Done.class);
    return ((Parsed.Done<T>) parsed).value();
  }

  public Outcome add(QueueFixture subscription, Rule rule) {
    return outcome(
        shard.ask(
            new Request.AddRule(
                new ShardFixture.Asker(), new ShardFixture.Note(), subscription.id, rule)));
  }

  public Outcome remove(QueueFixture subscription, String name) {
    return outcome(
        shard.ask(
            new Request.RemoveRule(
                new ShardFixture.Asker(), new ShardFixture.Note(), subscription.id, name)));
  }

  public Outcome replace(QueueFixture subscription, Rule rule) {
    return outcome(
        shard.ask(
            new EntityRequest.ReplaceRule(
                new ShardFixture.Asker(), new ShardFixture.Note(), subscription.id, rule)));
  }

  public List<String> rules(QueueFixture subscription) {
    return rules(subscription.id, 0, Integer.MAX_VALUE).stream().map(Rule::name).toList();
  }

  public List<Rule> rules(QueueId subscription, int skip, int most) {
    var listed =
        shard.ask(
            new Request.ListRules(
                new ShardFixture.Asker(),
                new ShardFixture.Note(),
                subscription,
                RulePage.added(skip, most)));
    return ShardFixture.only(listed, Effect.RulesListed.class).rules();
  }

  private static Outcome outcome(Decision decision) {
    return switch (decision.effects().getFirst()) {
      case Effect.Refused refused -> new Outcome(refused.refusal());
      case Effect.RulesChanged ignored -> Outcome.DONE;
      default -> throw new AssertionError(decision.toString());
    };
  }

  // ---- sending

  /** Sends messages, each for itself. */
  public Decision send(Message... messages) {
    return send(false, null, QueueDefinition.FOREVER, messages);
  }

  public Decision sendLiving(Duration timeToLive, Message... messages) {
    return send(false, null, timeToLive.toMillis(), messages);
  }

  public Decision sendAtomically(Message... messages) {
    return send(true, null, QueueDefinition.FOREVER, messages);
  }

  /** Sends messages, some of them for later; 0 for now. */
  public Decision schedule(long[] dueAtMillis, Message... messages) {
    return send(false, dueAtMillis, QueueDefinition.FOREVER, messages);
  }

  /** Sends messages of these sizes, each for itself. */
  public Decision sendSized(int[] sizes, Message... messages) {
    return send(false, null, QueueDefinition.FOREVER, sizes, messages);
  }

  public Decision send(
      boolean atomic, long @Nullable [] due, long timeToLiveMillis, Message... messages) {
    int[] sizes = new int[messages.length];
    Arrays.fill(sizes, QueueFixture.SIZE);
    return send(atomic, due, timeToLiveMillis, sizes, messages);
  }

  private Decision send(
      boolean atomic,
      long @Nullable [] due,
      long timeToLiveMillis,
      int[] sizes,
      Message... messages) {
    int count = messages.length;
    int[] headers = new int[count];
    long[] lives = new long[count];
    long[] hashes = new long[2 * count];
    Arrays.fill(headers, QueueFixture.HEADER);
    Arrays.fill(lives, timeToLiveMillis);
    for (int i = 0; i < count; i++) {
      if (messages[i].properties().get("id") instanceof Long id) {
        hashes[2 * i] = id;
        hashes[2 * i + 1] = id;
      }
    }
    SendBurst burst =
        new SendBurst(count, sizes, headers, lives, due, hashes, null, i -> messages[i]);
    var request =
        new Request.Send(
            new ShardFixture.Asker(), new ShardFixture.Note(), topic.id, burst, atomic);
    long firstBody = shard.machine.nextBodyId();
    for (int i = 0; i < count; i++) {
      stored.put(firstBody + i, messages[i]); // may be looked at before all is decided
    }
    Decision decision = shard.ask(request);
    long body = firstBody;
    boolean[] kept = decision.keptBodies();
    for (int i = 0; i < count; i++) {
      if (kept == null || kept[i]) {
        stored.put(body++, messages[i]);
      }
    }
    noteOverlays(decision, body);
    return decision;
  }

  private void noteOverlays(Decision decision, long firstBodyId) {
    long body = firstBodyId;
    for (byte[] made : decision.made()) {
      overlays.put(body++, new String(made, StandardCharsets.UTF_8));
    }
  }

  public static List<@Nullable Refusal> refusals(Decision decision) {
    var answered = ShardFixture.only(decision, Effect.SendAnswered.class);
    return answered.refusals() == null ? List.of() : Arrays.asList(answered.refusals());
  }

  /** What the messages of a queue have of their own, an empty text for nothing. */
  public List<String> overlays(QueueFixture queue) {
    var texts = new ArrayList<String>();
    for (var each : queue.peek()) {
      texts.add(each.overlayId() == 0 ? "" : overlays.getOrDefault(each.overlayId(), "?"));
    }
    return texts;
  }
}
