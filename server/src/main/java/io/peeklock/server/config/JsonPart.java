package io.peeklock.server.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A part of a JSON text that knows its line, for sentences about it. Read with comments and
 * trailing commas, as people write them.
 */
sealed interface JsonPart {

  /** How it is read. */
  JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
          .enable(JsonReadFeature.ALLOW_YAML_COMMENTS)
          .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
          .build();

  /** How the parser names a place in a text. */
  Pattern SOURCE = Pattern.compile("\\[Source: .*?; line: (\\d+), column: \\d+]");

  /** Where it begins, from 1. */
  int line();

  /** Keys with what they hold, in order; the same key may come twice. */
  record Fields(int line, List<Field> fields) implements JsonPart {}

  /** A key with what it holds. */
  record Field(int line, String key, JsonPart part) {}

  /** A list. */
  record Items(int line, List<JsonPart> items) implements JsonPart {}

  /** A text, number, truth or null. */
  record Scalar(int line, JsonToken kind, String text) implements JsonPart {
    boolean isNull() {
      return kind == JsonToken.VALUE_NULL;
    }
  }

  /**
   * Reads a text.
   *
   * @throws IOException when it is not JSON; says where
   */
  static JsonPart read(String text) throws IOException {
    try (var parser = FACTORY.createParser(text)) {
      parser.nextToken();
      return part(parser);
    }
  }

  /** Whether a text begins with a brace, comments aside. */
  static boolean isObject(String text) {
    try (var parser = FACTORY.createParser(text)) {
      return parser.nextToken() == JsonToken.START_OBJECT;
    } catch (IOException none) {
      return false;
    }
  }

  /** What is wrong with a text, in one line and without what the parser says about itself. */
  static String problem(JsonProcessingException broken) {
    var first = String.valueOf(broken.getOriginalMessage()).lines().findFirst().orElse("");
    return SOURCE.matcher(first).replaceAll("line $1");
  }

  private static JsonPart part(JsonParser parser) throws IOException {
    var line = parser.currentTokenLocation().getLineNr();
    var token = parser.currentToken();
    if (token == JsonToken.START_OBJECT) {
      var fields = new ArrayList<Field>();
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        var at = parser.currentTokenLocation().getLineNr();
        var key = parser.currentName();
        parser.nextToken();
        fields.add(new Field(at, key, part(parser)));
      }
      return new Fields(line, fields);
    }
    if (token == JsonToken.START_ARRAY) {
      var items = new ArrayList<JsonPart>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        items.add(part(parser));
      }
      return new Items(line, items);
    }
    return new Scalar(line, token, parser.getText());
  }
}
