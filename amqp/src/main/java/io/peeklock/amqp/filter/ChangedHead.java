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
      out.writeBytes(message.buffer(), at, reader.position() - at);
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
        out.writeBytes(message.buffer(), start, reader.position() - start);
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
        var at = message.fieldAt(field);
        out.writeBytes(message.buffer(), at, message.fieldAt(field + 1) - at);
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
    var count = 0;
    if (message.applicationPropertiesAt() >= 0) {
      count += copyApplicationProperties(written);
    }
    for (var i = 0; i < written.length; i++) {
      if (!written[i] && !StoredMessageView.isMissing(changes.value(i))) {
        WireValues.writeText(out, changes.name(i).text());
        WireValues.write(out, changes.value(i));
        count += 2;
      }
    }
    AmqpWriter.endMap(out, map, count);
  }

  private int copyApplicationProperties(boolean[] written) {
    var reader = message.in(message.applicationPropertiesAt());
    if (reader.readNull()) {
      return 0;
    }
    var entries = reader.enterMap();
    var copied = 0;
    var from = reader.position(); // of neighbours that stay as they are, which are copied at once
    for (var i = 0; i < entries; i += 2) {
      var start = reader.position();
      var change = -1;
      if (FormatCode.isText(reader.peekCode())) {
        var length = reader.readContent();
        change = changes.find(message.array(), reader.contentOffset(), length);
      } else {
        reader.skip();
      }
      var valueAt = reader.position();
      reader.skip();
      if (change < 0) {
        copied += 2;
        continue;
      }
      out.writeBytes(message.buffer(), from, start - from);
      from = reader.position();
      if (!written[change]) {
        written[change] = true;
        if (!StoredMessageView.isMissing(changes.value(change))) {
          out.writeBytes(message.buffer(), start, valueAt - start);
          WireValues.write(out, changes.value(change));
          copied += 2;
        }
      }
    }
    out.writeBytes(message.buffer(), from, reader.position() - from);
    return copied;
  }
}
