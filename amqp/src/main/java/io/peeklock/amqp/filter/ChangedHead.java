package io.peeklock.amqp.filter;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.codec.AmqpReader;
import io.peeklock.amqp.engine.codec.AmqpWriter;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.FormatCode;
import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.PropertyChanges;
import io.peeklock.kernel.filter.SystemProperty;
import org.jspecify.annotations.Nullable;

/**
 * Everything of a message that is before its body, with the changes of an action: what a copy has
 * of its own. What is not changed keeps its bytes.
 */
final class ChangedHead {
  private static final String PARTITION_KEY = "x-opt-partition-key";
  private static final String VIA_PARTITION_KEY = "x-opt-via-partition-key";

  /** What sections and lists take beside their contents, as a rule. */
  private static final int FRAME_BYTES = 256;

  private final StoredMessageView message;
  private final PropertyChanges changes;
  private final ByteBuf out;

  ChangedHead(StoredMessageView message, PropertyChanges changes) {
    this.message = message;
    this.changes = changes;
    // all at once, as growing costs more than all the rest
    this.out = Unpooled.buffer((int) (message.headBytes() + changes.bytes() + FRAME_BYTES));
  }

  byte[] bytes() {
    copySection(message.headerAt());
    copySection(message.deliveryAnnotationsAt());
    writeAnnotations();
    writeProperties();
    writeApplicationProperties();
    var bytes = new byte[out.readableBytes()];
    out.readBytes(bytes);
    return bytes;
  }

  private void copySection(int at) {
    if (at >= 0) {
      var reader = message.in(at);
      reader.skip();
      copy(at, reader.position());
    }
  }

  private void descriptor(long code) {
    out.writeMedium((int) (FormatCode.SMALL_ULONG << 8 | code));
  }

  private void writeAnnotations() {
    var key = changes.of(SystemProperty.PARTITION_KEY);
    var viaKey = changes.of(SystemProperty.VIA_PARTITION_KEY);
    if (key == null && viaKey == null) {
      copySection(message.annotationsAt());
      return;
    }
    descriptor(Descriptor.MESSAGE_ANNOTATIONS);
    var map = AmqpWriter.beginMap(out);
    var count = 0;
    if (message.annotationsAt() >= 0) {
      count += copyOtherAnnotations(key != null, viaKey != null);
    }
    count += writeAnnotation(PARTITION_KEY, key);
    count += writeAnnotation(VIA_PARTITION_KEY, viaKey);
    AmqpWriter.endMap(out, map, count);
  }

  private int copyOtherAnnotations(boolean withoutKey, boolean withoutViaKey) {
    var reader = message.in(message.annotationsAt());
    var entries = reader.enterMap();
    var copied = 0;
    for (var i = 0; i < entries; i += 2) {
      var start = reader.position();
      var key = FormatCode.isText(reader.peekCode()) ? reader.readText() : skipped(reader);
      reader.skip();
      var dropped =
          (withoutKey && PARTITION_KEY.equals(key))
              || (withoutViaKey && VIA_PARTITION_KEY.equals(key));
      if (!dropped) {
        copy(start, reader.position());
        copied += 2;
      }
    }
    return copied;
  }

  private static String skipped(AmqpReader reader) {
    reader.skip();
    return "";
  }

  private int writeAnnotation(String key, @Nullable FilterValue value) {
    if (value == null || StoredMessageView.isMissing(value)) {
      return 0;
    }
    AmqpWriter.writeSymbol(out, key);
    WireValues.write(out, value);
    return 2;
  }

  private void writeProperties() {
    var values = new @Nullable FilterValue[StoredMessageView.PROPERTY_FIELDS];
    var last = message.fields();
    for (var property : SystemProperty.values()) {
      var field = StoredMessageView.fieldOf(property);
      var value = field < 0 ? null : changes.of(property);
      if (value != null) {
        values[field] = value;
        last = Math.max(last, field + 1);
      }
    }
    if (last == 0) {
      copySection(message.propertiesAt());
      return;
    }
    descriptor(Descriptor.PROPERTIES);
    var list = AmqpWriter.beginList(out);
    for (var field = 0; field < last; field++) {
      var value = values[field];
      if (value != null) {
        WireValues.write(out, value);
      } else if (field < message.fields()) {
        copy(message.fieldAt(field), message.fieldAt(field + 1));
      } else {
        AmqpWriter.writeNull(out);
      }
    }
    AmqpWriter.endList(out, list, last);
  }

  private void writeApplicationProperties() {
    descriptor(Descriptor.APPLICATION_PROPERTIES);
    var map = AmqpWriter.beginMap(out);
    var written = new boolean[changes.count()];
    var count = copyApplicationProperties(written);
    for (var i = 0; i < written.length; i++) {
      if (!written[i] && !StoredMessageView.isMissing(changes.value(i))) {
        WireValues.writeText(out, changes.name(i).text());
        WireValues.write(out, changes.value(i));
        count += 2;
      }
    }
    AmqpWriter.endMap(out, map, count);
  }

  /** Neighbours that stay as they are are copied at once. */
  private int copyApplicationProperties(boolean[] written) {
    var places = message.applicationProperties();
    if (places == null) {
      return 0;
    }
    var changed = places.changed(changes, message.array());
    var copied = 2 * places.count();
    var from = places.begin();
    var last = -1;
    for (var pair : changed) {
      var property = PropertyPlaces.property(pair);
      if (property == last) {
        continue;
      }
      last = property;
      copy(from, places.startOf(property));
      from = places.endOf(property);
      if (!replace(places, property, PropertyPlaces.change(pair), written)) {
        copied -= 2;
      }
    }
    copy(from, places.end());
    return copied;
  }

  /** Whether anything is in the place of a property that was changed. */
  private boolean replace(PropertyPlaces places, int property, int change, boolean[] written) {
    if (written[change]) {
      return false;
    }
    written[change] = true;
    if (StoredMessageView.isMissing(changes.value(change))) {
      return false;
    }
    copy(places.startOf(property), places.valueOf(property));
    WireValues.write(out, changes.value(change));
    return true;
  }

  private void copy(int from, int to) {
    out.writeBytes(message.buffer(), from, to - from);
  }
}
