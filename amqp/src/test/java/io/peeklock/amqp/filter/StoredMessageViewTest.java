package io.peeklock.amqp.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.codec.AmqpReader;
import io.peeklock.amqp.engine.codec.AmqpValues;
import io.peeklock.amqp.engine.codec.Described;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.Timestamp;
import io.peeklock.amqp.engine.codec.Unsigned;
import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.PropertyChanges;
import io.peeklock.kernel.filter.PropertyName;
import io.peeklock.kernel.filter.SystemProperty;
import io.peeklock.kernel.filter.ValueType;
import io.peeklock.proof.Rule;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StoredMessageViewTest {
  private final ByteBuf out = Unpooled.buffer();

  private StoredMessageViewTest section(int code, @Nullable Object value) {
    AmqpValues.encode(out, new Described(new Unsigned.Ulong(code), value));
    return this;
  }

  private byte[] bytes() {
    var bytes = new byte[out.readableBytes()];
    out.getBytes(0, bytes);
    return bytes;
  }

  private StoredMessageView subject() {
    return StoredMessageView.of(bytes());
  }

  private static FilterValue system(StoredMessageView subject, SystemProperty property) {
    var into = new FilterValue();
    subject.system(property, into);
    return into;
  }

  private static FilterValue user(StoredMessageView subject, String name) {
    var into = new FilterValue();
    subject.user(new PropertyName(name), into);
    return into;
  }

  private StoredMessageViewTest full() {
    var annotations = new LinkedHashMap<Object, Object>();
    annotations.put(5, "no text for a key");
    annotations.put(new Symbol("x-opt-partition-key"), "pk");
    annotations.put(new Symbol("x-opt-scheduled-enqueue-time"), new Timestamp(77));
    var properties = new LinkedHashMap<String, Object>();
    properties.put("Colour", "red");
    properties.put("price", 3);
    return section(0x70, Arrays.asList(true, null, new Unsigned.Uint(9_000)))
        .section(0x72, annotations)
        .section(
            0x73,
            Arrays.asList(
                new UUID(1, 2),
                null,
                "to",
                "label",
                null,
                new Unsigned.Ulong(12),
                new Symbol("text/plain"),
                null,
                null,
                null,
                "session",
                null,
                "answers"))
        .section(0x74, properties)
        .section(0x75, new byte[] {1});
  }

  @Test
  @Rule({"S-322", "S-345", "S-330"})
  void everyPropertyIsFoundInItsSection() {
    var subject = full().subject();

    assertThat(system(subject, SystemProperty.MESSAGE_ID).text())
        .isEqualTo(new UUID(1, 2).toString());
    assertThat(system(subject, SystemProperty.TO).text()).isEqualTo("to");
    assertThat(system(subject, SystemProperty.LABEL).text()).isEqualTo("label");
    assertThat(system(subject, SystemProperty.REPLY_TO).type()).isEqualTo(ValueType.MISSING);
    assertThat(system(subject, SystemProperty.CORRELATION_ID).text()).isEqualTo("12");
    assertThat(system(subject, SystemProperty.CONTENT_TYPE).text()).isEqualTo("text/plain");
    assertThat(system(subject, SystemProperty.SESSION_ID).text()).isEqualTo("session");
    assertThat(system(subject, SystemProperty.REPLY_TO_SESSION_ID).text()).isEqualTo("answers");
    assertThat(system(subject, SystemProperty.PARTITION_KEY).text()).isEqualTo("pk");
    assertThat(system(subject, SystemProperty.VIA_PARTITION_KEY).type())
        .isEqualTo(ValueType.MISSING);
    assertThat(system(subject, SystemProperty.SCHEDULED_ENQUEUE_TIME).ticks()).isEqualTo(770_000);
    assertThat(system(subject, SystemProperty.TIME_TO_LIVE).ticks()).isEqualTo(90_000_000);
    assertThat(system(subject, SystemProperty.SEQUENCE_NUMBER).type()).isEqualTo(ValueType.MISSING);
    assertThat(user(subject, "colour").text()).isEqualTo("red");
    assertThat(user(subject, "price").whole()).isEqualTo(3);
    assertThat(user(subject, "other").type()).isEqualTo(ValueType.MISSING);
  }

  @Test
  @Rule("I-46")
  void readingAPropertyCostsWhatThereIsToLookThrough() {
    assertThat(subject().readCost()).isEqualTo(1);
    assertThat(full().subject().readCost()).isEqualTo(3);
    out.clear();
    assertThat(section(0x74, null).subject().readCost()).isEqualTo(1);
  }

  @Test
  void whatIsNotThereIsMissing() {
    var bare = section(0x75, new byte[] {1}).subject();
    for (var property : SystemProperty.values()) {
      assertThat(system(bare, property).type()).isEqualTo(ValueType.MISSING);
    }
    assertThat(user(bare, "a").type()).isEqualTo(ValueType.MISSING);
    var withoutTimeToLive =
        StoredMessageView.of(new StoredMessageViewTest().section(0x70, List.of()).bytes());
    assertThat(system(withoutTimeToLive, SystemProperty.TIME_TO_LIVE).type())
        .isEqualTo(ValueType.MISSING);
    var nulls =
        StoredMessageView.of(
            new StoredMessageViewTest()
                .section(0x70, Arrays.asList(true, null, null))
                .section(0x72, null)
                .section(0x73, Arrays.asList((Object) null))
                .section(0x74, null)
                .bytes());
    assertThat(system(nulls, SystemProperty.TIME_TO_LIVE).type()).isEqualTo(ValueType.MISSING);
    assertThat(system(nulls, SystemProperty.MESSAGE_ID).type()).isEqualTo(ValueType.MISSING);
    assertThat(system(nulls, SystemProperty.PARTITION_KEY).type()).isEqualTo(ValueType.MISSING);
  }

  @Test
  @Rule({"S-361", "S-363"})
  void aChangedCopyKeepsWhatIsNotChanged() {
    var changes = new PropertyChanges();
    changes.set(new PropertyName("COLOUR"), FilterValue.of("blue"));
    changes.set(new PropertyName("price"), new FilterValue());
    changes.set(new PropertyName("new"), FilterValue.of(5));
    changes.set(new PropertyName("gone"), new FilterValue());

    var copy = StoredMessageView.of(full().subject().overlay(changes));

    assertThat(user(copy, "colour").text()).isEqualTo("blue");
    assertThat(user(copy, "price").type()).isEqualTo(ValueType.MISSING);
    assertThat(user(copy, "new").whole()).isEqualTo(5);
    assertThat(system(copy, SystemProperty.MESSAGE_ID).text()).isEqualTo(new UUID(1, 2).toString());
    assertThat(system(copy, SystemProperty.PARTITION_KEY).text()).isEqualTo("pk");
    assertThat(system(copy, SystemProperty.TIME_TO_LIVE).ticks()).isEqualTo(90_000_000);
  }

  @Test
  @Rule("S-361")
  void neighboursOfWhatIsChangedStayAsTheyAre() {
    var message = section(0x74, new TreeMap<>(Map.of("a", 1, "b", 2, "c", 3, "d", 4, "e", 5)));
    var changes = new PropertyChanges();
    changes.set(new PropertyName("B"), FilterValue.of("é".repeat(30_000)));
    changes.set(new PropertyName("d"), new FilterValue());

    var copy = StoredMessageView.of(message.subject().overlay(changes));

    assertThat(user(copy, "b").text()).isEqualTo("é".repeat(30_000));
    assertThat(user(copy, "d").type()).isEqualTo(ValueType.MISSING);
    assertThat(user(copy, "a").whole() * 100 + user(copy, "c").whole() * 10).isEqualTo(130);
    assertThat(user(copy, "e").whole()).isEqualTo(5);
  }

  /** A message may have a name twice, as case does not count, and keys that are no names. */
  @Test
  @Rule({"S-361", "S-363"})
  void aNameThatIsThereTwiceIsChangedOnce() {
    var properties = new LinkedHashMap<Object, Object>();
    properties.put("a", 1);
    properties.put(7L, 2);
    properties.put("ü", 3);
    properties.put("A", 4);
    properties.put("bb", 5);
    properties.put(new Symbol("a"), 6);
    var message = section(0x74, properties).subject();
    var changes = new PropertyChanges();
    changes.set(new PropertyName("Ü"), FilterValue.of(30));
    changes.set(new PropertyName("a"), FilterValue.of(10));

    var copy = message.overlay(changes);
    var again = message.overlay(changes);

    assertThat(copy).isEqualTo(again);
    var expected = new LinkedHashMap<Object, Object>();
    expected.put("a", 10L);
    expected.put(7L, 2);
    expected.put("ü", 30L);
    expected.put("bb", 5);
    assertThat(StoredMessageView.of(copy).readCost()).isEqualTo(5);
    assertThat(applicationProperties(copy)).isEqualTo(expected);
  }

  private static @Nullable Object applicationProperties(byte[] head) {
    var reader = new AmqpReader().reset(Unpooled.wrappedBuffer(head), 3, head.length - 3);
    return AmqpValues.decode(reader);
  }

  /** Rules read one message after another by one view. */
  @Test
  @Rule("S-361")
  void propertiesOfTheMessageBeforeAreForgotten() {
    var one = new StoredMessageViewTest().section(0x74, Map.of("a", 1, "b", 2)).bytes();
    var later = new StoredMessageViewTest().section(0x74, Map.of("long name", "x", "a", 3)).bytes();
    var changes = new PropertyChanges();
    changes.set(new PropertyName("a"), FilterValue.of(10));
    var view = new StoredMessageView();
    view.on(one, Unpooled.wrappedBuffer(one), 0, one.length).overlay(changes);

    var copy = view.on(later, Unpooled.wrappedBuffer(later), 0, later.length).overlay(changes);

    assertThat(applicationProperties(copy)).isEqualTo(Map.of("long name", "x", "a", 10L));
  }

  @Test
  @Rule("S-361")
  void aCopyOfABareMessageGetsItsSections() {
    var changes = new PropertyChanges();
    changes.set(new PropertyName("a"), FilterValue.of(true));

    var copy = StoredMessageView.of(section(0x75, new byte[] {1}).subject().overlay(changes));

    assertThat(user(copy, "a").truth()).isTrue();
    assertThat(system(copy, SystemProperty.MESSAGE_ID).type()).isEqualTo(ValueType.MISSING);
  }

  @Test
  void headsOfABurstAreToldApart() {
    var one = new StoredMessageViewTest().section(0x74, Map.of("a", 1)).bytes();
    var many = new StoredMessageViewTest().section(0x74, Map.of("a", "x".repeat(2_000))).bytes();
    var block = ByteBuffer.allocate(7 + one.length + many.length);
    block.position(7).put(one).put(many).clear();
    var heads =
        new Heads(
            new ByteBuffer[] {block, block, ByteBuffer.wrap(one)},
            new int[] {7, 7 + one.length, 0},
            new int[] {one.length, many.length, one.length});

    var into = new FilterValue();
    heads.at(0).user(new PropertyName("a"), into);
    assertThat(into.whole()).isEqualTo(1);
    heads.at(1).user(new PropertyName("a"), into.setMissing());
    assertThat(into.length()).isEqualTo(2_000);
    heads.at(2).user(new PropertyName("a"), into.setMissing());
    assertThat(into.whole()).isEqualTo(1);
  }
}
