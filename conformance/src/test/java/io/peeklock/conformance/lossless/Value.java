package io.peeklock.conformance.lossless;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A value and its type: one of AMQP, or of what a client shows.
 *
 * @param text of a simple one: a decimal number, milliseconds, or the bits in hexadecimal digits
 * @param parts of a list or array, keys and values of a map, descriptor and value of a described
 *     one
 */
record Value(String type, String text, List<Value> parts) {
  private static final List<String> COMPOUND = List.of("list", "map", "array", "described");

  static Value of(String type, String text) {
    return new Value(type, text, List.of());
  }

  static Value of(String type, List<Value> parts) {
    return new Value(type, "", List.copyOf(parts));
  }

  boolean isCompound() {
    return COMPOUND.contains(type);
  }

  /** Type and content, as the programs of other languages have it. */
  ArrayNode json() {
    var json = JsonNodeFactory.instance.arrayNode().add(type);
    if (!isCompound()) {
      return json.add(text);
    }
    var inside = json.addArray();
    parts.forEach(part -> inside.add(part.json()));
    return json;
  }

  static Value parse(JsonNode json) {
    var type = json.get(0).asText();
    var content = json.get(1);
    if (!content.isArray()) {
      return of(type, content.asText());
    }
    var parts = new ArrayList<Value>();
    content.forEach(part -> parts.add(parse(part)));
    return of(type, parts);
  }

  /** The same with the entries of maps in one order. */
  Value sorted() {
    if (!isCompound()) {
      return this;
    }
    var inside = parts.stream().map(Value::sorted).toList();
    if (!"map".equals(type)) {
      return of(type, inside);
    }
    var entries = new ArrayList<List<Value>>();
    for (var i = 0; i + 1 < inside.size(); i += 2) {
      entries.add(inside.subList(i, i + 2));
    }
    entries.sort(Comparator.comparing(entry -> entry.getFirst().toString()));
    return of(type, entries.stream().flatMap(List::stream).toList());
  }

  /** Itself and all that is inside it. */
  Stream<Value> all() {
    return Stream.concat(Stream.of(this), parts.stream().flatMap(Value::all));
  }

  @Override
  public String toString() {
    return json().toString();
  }
}
