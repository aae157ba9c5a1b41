package io.peeklock.codec;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.fact.Copies;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.ForwardFact;
import io.peeklock.kernel.filter.CorrelationFilter;
import io.peeklock.kernel.filter.Filter;
import io.peeklock.kernel.filter.FilterLimits;
import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.Parsed;
import io.peeklock.kernel.filter.SqlAction;
import io.peeklock.kernel.filter.SqlFilter;
import io.peeklock.kernel.filter.SystemProperty;
import io.peeklock.kernel.filter.ValueType;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Facts about topics, subscriptions and rules. */
final class TopicSamples {
  private static final QueueId EVENTS = new QueueId(5);
  private static final QueueId AUDIT = new QueueId(7);
  private static final QueueId MAIL = new QueueId(9);
  private static final long NOW = 1_790_000_000_000L;

  private TopicSamples() {}

  static void addTo(Map<String, Fact> samples) {
    samples.put(
        "topic-created",
        new Fact.QueueCreated(
            EVENTS,
            new QueueId(6),
            QueueDefinition.named("events").as(new QueueRole.Topic(true)),
            0));
    samples.put(
        "transfers-created",
        new Fact.QueueCreated(
            new QueueId(11),
            new QueueId(12),
            QueueRole.Transfers.of(QueueDefinition.named("größe"), "ziel/a"),
            0));
    samples.put(
        "subscription-created",
        new Fact.QueueCreated(
            AUDIT,
            new QueueId(8),
            QueueDefinition.named("events/Subscriptions/audit")
                .as(new QueueRole.Subscription("events", true)),
            0));
    samples.put(
        "published",
        new Fact.Published(
            EVENTS,
            4,
            90,
            NOW,
            new int[] {100, 200},
            new int[] {128, 0},
            null,
            new Copies[] {new Copies(AUDIT, 11, null, null, null, null)}));
    samples.put(
        "published-full",
        new Fact.Published(
            EVENTS,
            4,
            90,
            NOW,
            new int[] {100, 200},
            new int[] {128, 0},
            new long[] {1, 2, 3, 4},
            copies()));
    samples.put(
        "scheduled-published",
        new Fact.ScheduledPublished(EVENTS, new long[] {2, 1}, 6, NOW, copies()));
    samples.put(
        "properties-changed",
        new Fact.PropertiesChanged(AUDIT, 11, new Fact.StoredOverlay(92, 300)));
    addForwards(samples);
    samples.put("copy-cursor-restored", new Fact.CopyCursorRestored(AUDIT, 3, 4_000));
    samples.put("message-ids-seen", new Fact.MessageIdsSeen(EVENTS, new long[] {-5, 6}, NOW));
    samples.put("rule-added", new Fact.RuleAdded(AUDIT, Rule.selectingAll(NOW)));
    samples.put(
        "rule-added-attributes",
        new Fact.RuleAdded(
            AUDIT,
            new Rule(
                "kept",
                new Filter.True(),
                null,
                NOW,
                Map.of("Filter/@at", "2026-01-01T00:00:00"))));
    samples.put("rule-removed", new Fact.RuleRemoved(AUDIT, "$Default"));
    samples.put("rules-described", new Fact.RulesDescribed(MAIL, rules()));
  }

  private static void addForwards(Map<String, Fact> samples) {
    samples.put(
        "forwarded",
        new ForwardFact.Forwarded(AUDIT, new long[] {3, 4}, MAIL, 9, NOW, null, null, null, null));
    samples.put(
        "forwarded-full",
        new ForwardFact.Forwarded(
            new QueueId(8),
            new long[] {3, 7},
            MAIL,
            9,
            NOW,
            new long[] {NOW + 5, QueueDefinition.FOREVER},
            new long[] {1, 2, -3, 4},
            new String[] {"cart-1", "caf\u00e9"},
            "events/Subscriptions/audit"));
    samples.put(
        "forward-published",
        new ForwardFact.ForwardPublished(
            AUDIT, new long[] {3, 4}, EVENTS, 9, NOW, null, copies(), null));
    samples.put(
        "forward-published-full",
        new ForwardFact.ForwardPublished(
            AUDIT,
            new long[] {3, 4},
            EVENTS,
            9,
            NOW,
            new long[] {1, 2, 3, 4},
            copies(),
            "gr\u00f6\u00dfe"));
    samples.put(
        "part-published",
        new ForwardFact.PartPublished(
            AUDIT, 3, EVENTS, 0, NOW, QueueDefinition.FOREVER, null, one(), 9, false));
    samples.put(
        "part-published-full",
        new ForwardFact.PartPublished(
            AUDIT, 3, EVENTS, 12, NOW, NOW + 60_000, new long[] {1, -2}, one(), 4_000, true));
    samples.put(
        "activated-in-backlog",
        new ForwardFact.ActivatedInBacklog(EVENTS, new long[] {2, 1}, 12, AUDIT, 6, NOW));
    samples.put("dropped", new ForwardFact.Dropped(AUDIT, new long[] {5}));
  }

  private static Copies[] one() {
    return new Copies[] {
      new Copies(AUDIT, 11, null, new long[] {NOW + 5}, null, null),
      new Copies(MAIL, 1, null, null, new String[] {"a"}, null),
    };
  }

  private static Copies[] copies() {
    return new Copies[] {
      new Copies(AUDIT, 11, null, new long[] {NOW + 5, QueueDefinition.FOREVER}, null, null),
      new Copies(
          MAIL,
          1,
          new int[] {1, 1},
          null,
          new String[] {"a", ""},
          new DeadLetterCause[] {DeadLetterCause.NONE, DeadLetterCause.SESSION_ID_MISSING}),
    };
  }

  private static List<Rule> rules() {
    var system = new LinkedHashMap<SystemProperty, String>();
    system.put(SystemProperty.LABEL, "urgent");
    system.put(SystemProperty.SESSION_ID, "");
    return List.of(
        new Rule("never", new Filter.False(), null, 0),
        new Rule(
            "sql",
            done(
                SqlFilter.parse(
                    "colour = @c AND gr\u00f6\u00dfe > 3",
                    Map.of("@c", FilterValue.of("rot")),
                    FilterLimits.STANDARD)),
            done(SqlAction.parse("SET sys.Label = 'seen'; REMOVE colour", FilterLimits.STANDARD)),
            NOW),
        new Rule("equal", done(CorrelationFilter.of(system, values())), null, NOW));
  }

  /** One of each type. */
  private static Map<String, FilterValue> values() {
    var values = new LinkedHashMap<String, FilterValue>();
    values.put("nothing", FilterValue.ofNull());
    values.put("truth", FilterValue.of(true));
    values.put("byte", new FilterValue().setWhole(ValueType.BYTE, -8));
    values.put("short", new FilterValue().setWhole(ValueType.SHORT, -16));
    values.put("int", new FilterValue().setWhole(ValueType.INT, -32));
    values.put("long", FilterValue.of(Long.MIN_VALUE));
    values.put("ubyte", new FilterValue().setWhole(ValueType.UBYTE, 255));
    values.put("ushort", new FilterValue().setWhole(ValueType.USHORT, 65_535));
    values.put("uint", new FilterValue().setWhole(ValueType.UINT, 4_294_967_295L));
    values.put("ulong", new FilterValue().setUnsigned(64));
    values.put("float", new FilterValue().setFloat(1.5f));
    values.put("double", FilterValue.of(-0.25));
    values.put("decimal", new FilterValue().setDecimal(new BigDecimal("12.340")));
    values.put("text", FilterValue.of("caf\u00e9"));
    values.put("timestamp", new FilterValue().setTimestampMillis(NOW));
    values.put("duration", new FilterValue().setDurationTicks(-1));
    values.put("guid", new FilterValue().setGuid(1, -2));
    values.put("binary", new FilterValue().setBinary(new byte[] {0, 1, 2}, 1, 2));
    return values;
  }

  private static <T> T done(Parsed<T> parsed) {
    return switch (parsed) {
      case Parsed.Done<T> done -> done.value();
      case Parsed.Wrong<T> wrong -> throw new AssertionError(wrong.problem());
    };
  }
}
