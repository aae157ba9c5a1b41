package io.peeklock.kernel.filter;

import static io.peeklock.kernel.filter.SystemProperty.ENQUEUED_TIME;
import static io.peeklock.kernel.filter.SystemProperty.LABEL;
import static io.peeklock.kernel.filter.SystemProperty.MESSAGE_ID;
import static io.peeklock.kernel.filter.SystemProperty.SEQUENCE_NUMBER;
import static io.peeklock.kernel.filter.SystemProperty.TIME_TO_LIVE;
import static io.peeklock.kernel.filter.SystemProperty.TO;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** A message made by hand; it counts how often it is read. */
final class SampleMessage implements FilterSubject {
  static final long SECOND = 10_000_000;

  private final Map<String, FilterValue> user = new LinkedHashMap<>();
  private final Map<SystemProperty, FilterValue> system = new EnumMap<>(SystemProperty.class);
  int reads;
  int readCost = 1;

  /** The property that cannot be read. */
  String unreadable = "";

  static SampleMessage empty() {
    return new SampleMessage();
  }

  /** One property of every kind. */
  static SampleMessage full() {
    return empty()
        .with("color", FilterValue.of("red"))
        .with("quantity", new FilterValue().setWhole(ValueType.INT, 12))
        .with("count", new FilterValue().setWhole(ValueType.UBYTE, 7))
        .with("price", FilterValue.of(2.5))
        .with("rate", new FilterValue().setFloat(0.5f))
        .with("amount", new FilterValue().setDecimal(new BigDecimal("1.10")))
        .with("huge", new FilterValue().setUnsigned(-1))
        .with("big", FilterValue.of(9_007_199_254_740_993L))
        .with("most", FilterValue.of(Long.MAX_VALUE))
        .with("least", FilterValue.of(Long.MIN_VALUE))
        .with("nan", FilterValue.of(Double.NaN))
        .with("flag", FilterValue.of(true))
        .with("nothing", FilterValue.ofNull())
        .with("size", FilterValue.of("10"))
        .with("moment", new FilterValue().setTimestampMillis(1_000))
        .with("later", new FilterValue().setTimestampMillis(4_000))
        .with("end", new FilterValue().setTimestampMillis(Long.MAX_VALUE))
        .with("span", new FilterValue().setDurationTicks(3 * SECOND))
        .with("id", new FilterValue().setGuid(1, 2))
        .with("bytes", new FilterValue().setBinary(new byte[] {0, 1, 2, 3}, 1, 2))
        .with("list", new FilterValue().setOther())
        .with("HR-Id", FilterValue.of(5))
        .with("größe", FilterValue.of(3))
        .with("say \"it\"", FilterValue.of(1))
        .with("a]b", FilterValue.of(1))
        .with("word", FilterValue.of("ä😀z"))
        .with("path", FilterValue.of("100%_a'b"))
        .with("name of it", FilterValue.of("color"))
        .with(LABEL, FilterValue.of("bus stop"))
        .with(MESSAGE_ID, FilterValue.of("m-1"))
        .with(TO, FilterValue.of("Store5"))
        .with(ENQUEUED_TIME, new FilterValue().setTimestampMillis(5_000))
        .with(SEQUENCE_NUMBER, FilterValue.of(42))
        .with(TIME_TO_LIVE, new FilterValue().setDurationTicks(10 * SECOND));
  }

  /** Parameters of every kind that a client can give (S-343). */
  static Map<String, FilterValue> parameters() {
    var parameters = new TreeMap<String, FilterValue>();
    parameters.put("@text", FilterValue.of("red"));
    parameters.put("limit", FilterValue.of(10));
    parameters.put("half", FilterValue.of(0.5));
    parameters.put("yes", FilterValue.of(true));
    parameters.put("@moment", new FilterValue().setTimestampMillis(1_000));
    parameters.put("span", new FilterValue().setDurationTicks(3 * SECOND));
    parameters.put("id", new FilterValue().setGuid(1, 2));
    parameters.put("pattern", FilterValue.of("r%"));
    parameters.put("none", FilterValue.ofNull());
    parameters.put("bytes", new FilterValue().setBinary(new byte[] {1, 2}, 0, 2));
    return parameters;
  }

  SampleMessage with(String name, FilterValue value) {
    user.put(name, value);
    return this;
  }

  SampleMessage with(SystemProperty property, FilterValue value) {
    system.put(property, value);
    return this;
  }

  @Override
  public int readCost() {
    return readCost;
  }

  @Override
  public void system(SystemProperty property, FilterValue into) {
    reads++;
    FilterValue value = system.get(property);
    if (value != null) {
      into.set(value);
    }
  }

  @Override
  public void user(PropertyName name, FilterValue into) {
    reads++;
    if (name.text().equals(unreadable)) {
      throw new IllegalStateException("it cannot be read");
    }
    for (var entry : user.entrySet()) {
      byte[] key = ("<" + entry.getKey()).getBytes(StandardCharsets.UTF_8);
      if (name.matches(key, 1, key.length - 1)) {
        into.set(entry.getValue());
        return;
      }
    }
  }
}
