package io.peeklock.store;

import com.fasterxml.jackson.core.JsonGenerator;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.Fact;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Facts as JSON: every component of a fact under its own name, also for future facts. Queues have
 * the names that earlier facts gave them.
 */
final class FactJson {
  static final String DEAD_LETTERS = "/$deadletterqueue";

  private final Map<Integer, String> names = new HashMap<>();

  /** Learns the name of a queue from a fact that has one. */
  void learn(Fact fact) {
    var defined = Subjects.definedBy(fact);
    if (defined != null) {
      var path = defined.definition().path();
      names.put(defined.queue().number(), path);
      names.put(defined.deadLetterQueue().number(), path + DEAD_LETTERS);
    }
  }

  /** Whether a fact is about a queue of this name, or about its dead-letter queue. */
  boolean isAbout(Fact fact, String queue) {
    for (var id : Subjects.of(fact)) {
      var name = names.get(id.number());
      if (name != null
          && (name.equalsIgnoreCase(queue) || name.equalsIgnoreCase(queue + DEAD_LETTERS))) {
        return true;
      }
    }
    return false;
  }

  void write(Fact fact, JsonGenerator out) throws IOException {
    out.writeStartObject();
    out.writeStringField("fact", fact.getClass().getSimpleName());
    components(fact, out);
    out.writeEndObject();
  }

  private void components(Object of, JsonGenerator out) throws IOException {
    for (var component : of.getClass().getRecordComponents()) {
      out.writeFieldName(component.getName());
      write(value(of, component), out);
    }
  }

  private static @Nullable Object value(Object of, RecordComponent component) {
    try {
      return component.getAccessor().invoke(of);
    } catch (ReflectiveOperationException closed) {
      throw new IllegalStateException("a fact's component cannot be read", closed);
    }
  }

  private void write(@Nullable Object value, JsonGenerator out) throws IOException {
    if (value == null) {
      out.writeNull();
      return;
    }
    switch (value) {
      case QueueId id -> queue(id, out);
      case Long number -> number(number, out);
      case Integer number -> out.writeNumber(number);
      case Boolean truth -> out.writeBoolean(truth);
      case Enum<?> constant -> out.writeString(constant.name());
      case Iterable<?> many -> {
        out.writeStartArray();
        for (var one : many) {
          write(one, out);
        }
        out.writeEndArray();
      }
      case Record nested -> {
        out.writeStartObject();
        components(nested, out);
        out.writeEndObject();
      }
      default -> {
        if (value.getClass().isArray()) {
          array(value, out);
        } else {
          out.writeString(value.toString());
        }
      }
    }
  }

  private static void number(long number, JsonGenerator out) throws IOException {
    if (number == QueueDefinition.FOREVER) {
      out.writeString("forever");
    } else {
      out.writeNumber(number);
    }
  }

  private void queue(QueueId id, JsonGenerator out) throws IOException {
    out.writeStartObject();
    out.writeNumberField("number", id.number());
    var name = names.get(id.number());
    if (name != null) {
      out.writeStringField("name", name);
    }
    out.writeEndObject();
  }

  private void array(Object values, JsonGenerator out) throws IOException {
    out.writeStartArray();
    for (var i = 0; i < Array.getLength(values); i++) {
      write(Array.get(values, i), out);
    }
    out.writeEndArray();
  }
}
