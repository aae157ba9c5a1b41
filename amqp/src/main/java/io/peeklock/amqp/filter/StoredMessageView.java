package io.peeklock.amqp.filter;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.codec.AmqpReader;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.FormatCode;
import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.PropertyChanges;
import io.peeklock.kernel.filter.PropertyName;
import io.peeklock.kernel.filter.SystemProperty;
import io.peeklock.kernel.filter.ValueType;
import io.peeklock.kernel.request.MessageView;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A stored message as filters see it, read from its bytes when asked. Sections are in canonical
 * order and each begins with its small descriptor, as they are stored.
 */
public final class StoredMessageView implements MessageView {
  static final int PROPERTY_FIELDS = 13;
  private static final PropertyName PARTITION_KEY = new PropertyName("x-opt-partition-key");
  private static final PropertyName VIA_PARTITION_KEY = new PropertyName("x-opt-via-partition-key");
  private static final PropertyName SCHEDULED = new PropertyName("x-opt-scheduled-enqueue-time");
  private static final int ABSENT = -1;
  private static final long TICKS_PER_MILLI = 10_000;
  private static final int TTL_FIELD = 2;

  private final AmqpReader reader = new AmqpReader();
  private byte[] bytes = {};
  private ByteBuf buffer = Unpooled.EMPTY_BUFFER;
  private int begin;
  private int end;
  private int headerAt;
  private int deliveryAnnotationsAt;
  private int annotationsAt;
  private int propertiesAt;
  private int applicationPropertiesAt;
  private int bodyAt;
  private final int[] fieldAt = new int[PROPERTY_FIELDS + 1];
  private int fields;
  private boolean changed;
  private @Nullable MessageIdHash idHash;
  private @Nullable PropertyPlaces places; // made for the first changed copy, kept for its arrays
  private boolean hasPlaces;

  /** Nothing yet. */
  public StoredMessageView() {}

  /** A message whose beginning these bytes are. */
  public static StoredMessageView of(byte[] beginning) {
    return new StoredMessageView()
        .on(beginning, Unpooled.wrappedBuffer(beginning), 0, beginning.length);
  }

  /** A message that differs from its stored bytes, with everything that is before its body. */
  public static StoredMessageView changed(byte[] head) {
    var subject = of(head);
    subject.changed = true;
    return subject;
  }

  /**
   * Turns to a message.
   *
   * @param array holds its bytes up to its body or beyond
   * @param wrapped the same bytes, from index 0
   */
  StoredMessageView on(byte[] array, ByteBuf wrapped, int offset, int length) {
    bytes = array;
    buffer = wrapped;
    begin = offset;
    end = offset + length;
    headerAt = ABSENT;
    deliveryAnnotationsAt = ABSENT;
    annotationsAt = ABSENT;
    propertiesAt = ABSENT;
    applicationPropertiesAt = ABSENT;
    fields = 0;
    hasPlaces = false;
    var at = offset;
    for (var code = sectionAt(at); code >= 0; code = sectionAt(at)) {
      switch (code) {
        case (int) Descriptor.HEADER -> headerAt = at;
        case (int) Descriptor.DELIVERY_ANNOTATIONS -> deliveryAnnotationsAt = at;
        case (int) Descriptor.MESSAGE_ANNOTATIONS -> annotationsAt = at;
        case (int) Descriptor.PROPERTIES -> {
          propertiesAt = at;
          findFields(at + 3);
        }
        case (int) Descriptor.APPLICATION_PROPERTIES -> applicationPropertiesAt = at;
        default -> {}
      }
      reader.reset(buffer, at + 3, end - at - 3);
      reader.skip();
      at = reader.position();
    }
    bodyAt = at;
    return this;
  }

  /** The code of the section before the body that begins here; -1 when none does. */
  private int sectionAt(int at) {
    if (at + 3 >= end || bytes[at] != 0 || (bytes[at + 1] & 0xff) != FormatCode.SMALL_ULONG) {
      return ABSENT;
    }
    var code = bytes[at + 2] & 0xff;
    return code <= Descriptor.APPLICATION_PROPERTIES ? code : ABSENT;
  }

  private void findFields(int at) {
    reader.reset(buffer, at, end - at);
    fields = Math.min(PROPERTY_FIELDS, reader.enterList());
    for (var field = 0; field < fields; field++) {
      fieldAt[field] = reader.position();
      reader.skip();
    }
    fieldAt[fields] = reader.position();
  }

  @Override
  public void system(SystemProperty property, FilterValue into) {
    switch (property) {
      case TIME_TO_LIVE -> timeToLive(into);
      case PARTITION_KEY -> find(annotationsAt, PARTITION_KEY, into);
      case VIA_PARTITION_KEY -> find(annotationsAt, VIA_PARTITION_KEY, into);
      case SCHEDULED_ENQUEUE_TIME -> find(annotationsAt, SCHEDULED, into);
      default -> {
        var field = fieldOf(property);
        if (field >= 0) {
          field(field, into);
        }
      }
    }
  }

  /** Its place in the properties section, -1 when it lies elsewhere or nowhere. */
  static int fieldOf(SystemProperty property) {
    return switch (property) {
      case MESSAGE_ID -> 0;
      case TO -> 2;
      case LABEL -> 3;
      case REPLY_TO -> 4;
      case CORRELATION_ID -> 5;
      case CONTENT_TYPE -> 6;
      case SESSION_ID -> 10;
      case REPLY_TO_SESSION_ID -> 12;
      default -> ABSENT;
    };
  }

  private void field(int field, FilterValue into) {
    if (field >= fields) {
      return;
    }
    reader.reset(buffer, fieldAt[field], fieldAt[field + 1] - fieldAt[field]);
    WireValues.read(reader, bytes, into);
    switch (into.type()) {
      case NULL -> into.setMissing();
      case GUID ->
          into.setText(
              new UUID(into.mostSignificantBits(), into.leastSignificantBits()).toString());
      case ULONG -> into.setText(Long.toString(into.whole()));
      case DECIMAL -> into.setText(into.asDecimal().toPlainString());
      case BINARY -> into.setText(into.toString());
      default -> {}
    }
  }

  private void timeToLive(FilterValue into) {
    if (headerAt == ABSENT) {
      return;
    }
    reader.reset(buffer, headerAt + 3, end - headerAt - 3);
    var count = reader.enterList();
    for (var field = 0; field < Math.min(count, TTL_FIELD); field++) {
      reader.skip();
    }
    if (count > TTL_FIELD && !reader.readNull()) {
      into.setDurationTicks(reader.readUint() * TICKS_PER_MILLI);
    }
  }

  @Override
  public void user(PropertyName name, FilterValue into) {
    find(applicationPropertiesAt, name, into);
  }

  @Override
  public int readCost() {
    if (applicationPropertiesAt == ABSENT) {
      return 1;
    }
    reader.reset(buffer, applicationPropertiesAt + 3, end - applicationPropertiesAt - 3);
    return reader.readNull() ? 1 : 1 + reader.enterMap() / 2;
  }

  private void find(int mapAt, PropertyName name, FilterValue into) {
    if (mapAt == ABSENT) {
      return;
    }
    reader.reset(buffer, mapAt + 3, end - mapAt - 3);
    if (reader.readNull()) {
      return;
    }
    var count = reader.enterMap();
    for (var i = 0; i < count; i += 2) {
      if (FormatCode.isText(reader.peekCode())) {
        var length = reader.readContent();
        if (name.matches(bytes, reader.contentOffset(), length)) {
          WireValues.read(reader, bytes, into);
          return;
        }
      } else {
        reader.skip();
      }
      reader.skip();
    }
  }

  @Override
  public byte[] overlay(PropertyChanges changes) {
    return new ChangedHead(this, changes).bytes();
  }

  @Override
  public int headBytes() {
    return bodyAt - begin;
  }

  @Override
  public boolean isChanged() {
    return changed;
  }

  @Override
  public void messageIdHash(boolean withKey, long[] to, int at) {
    var start = fields == 0 ? 0 : fieldAt[0];
    if (fields > 0 && bytes[start] != FormatCode.NULL) {
      idHash = idHash == null ? new MessageIdHash() : idHash;
      idHash.of(buffer, start, fieldAt[1] - start, withKey ? partitionKey() : null, to, at);
    }
  }

  /** What chooses its partition (S-369): its session id, else its key; null without both. */
  public @Nullable String partitionKey() {
    var value = new FilterValue();
    system(SystemProperty.SESSION_ID, value);
    if (value.type() != ValueType.TEXT) {
      system(SystemProperty.PARTITION_KEY, value);
    }
    return value.type() == ValueType.TEXT ? value.text() : null;
  }

  // --- for the writer of changed copies ---

  ByteBuf buffer() {
    return buffer;
  }

  byte[] array() {
    return bytes;
  }

  int fields() {
    return fields;
  }

  /** Where a field of the properties begins; the one behind the last says where they end. */
  int fieldAt(int field) {
    return fieldAt[field];
  }

  /** Where the header section begins, -1 without one. */
  int headerAt() {
    return headerAt;
  }

  /** Where the delivery annotations begin, -1 without any. */
  int deliveryAnnotationsAt() {
    return deliveryAnnotationsAt;
  }

  /** Where the message annotations begin, -1 without any. */
  int annotationsAt() {
    return annotationsAt;
  }

  /** Where the properties section begins, -1 without one. */
  int propertiesAt() {
    return propertiesAt;
  }

  /** Where the application properties lie; null when there are none. */
  @Nullable PropertyPlaces applicationProperties() {
    if (applicationPropertiesAt == ABSENT || in(applicationPropertiesAt).readNull()) {
      return null;
    }
    if (!hasPlaces || places == null) {
      places = (places == null ? new PropertyPlaces() : places).on(in(applicationPropertiesAt));
      hasPlaces = true;
    }
    return places;
  }

  /** A reader on the value of a section that is there. */
  AmqpReader in(int sectionAt) {
    return reader.reset(buffer, sectionAt + 3, end - sectionAt - 3);
  }

  /** Where the body begins. */
  int bodyAt() {
    return bodyAt;
  }

  static boolean isMissing(FilterValue value) {
    return value.type() == ValueType.MISSING;
  }
}
