package io.peeklock.conformance.lossless;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A message in no client's words.
 *
 * @param parts sections with a map ({@code delivery}, {@code annotations}, {@code application},
 *     {@code footer}) and the body ({@code data} and {@code sequence}, lists of sections, or {@code
 *     value}) by name, single fields as {@code header.ttl} and {@code properties.subject}
 */
record Description(SortedMap<String, Value> parts) {
  static Description of(Map<String, Value> parts) {
    return new Description(new TreeMap<>(parts));
  }

  ObjectNode json() {
    var json = JsonNodeFactory.instance.objectNode();
    parts.forEach((name, value) -> json.set(name, value.json()));
    return json;
  }

  static Description parse(JsonNode json) {
    var parts = new TreeMap<String, Value>();
    json.properties().forEach(part -> parts.put(part.getKey(), Value.parse(part.getValue())));
    return new Description(parts);
  }

  boolean has(String part) {
    return parts.containsKey(part);
  }

  @Override
  public String toString() {
    return json().toString();
  }
}
