package io.peeklock.http.messages;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;

/** JSON, bounded in depth and in the length of numbers, and written in ASCII. */
final class Json {
  private static final int DEEPEST = 32;
  private static final int LONGEST_NUMBER = 100;

  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEEPEST)
                  .maxNumberLength(LONGEST_NUMBER)
                  .build())
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .build();

  private Json() {}

  /** Steps in front of the first value, which must begin so, and reads behind it. */
  static void expect(JsonParser json, JsonToken wanted, String sentence)
      throws IOException, BadRequest {
    if (json.nextToken() != wanted) {
      throw new BadRequest(sentence);
    }
  }

  /** The member whose value the parser is at, as a text. */
  static String text(JsonParser json, String name) throws IOException, BadRequest {
    if (json.currentToken() != JsonToken.VALUE_STRING) {
      throw new BadRequest("'" + name + "' must be a string");
    }
    return json.getText();
  }

  /** What a client is told of text that is no JSON; nothing of that text. */
  static BadRequest unreadable(String what, IOException cause) {
    var at =
        cause instanceof com.fasterxml.jackson.core.JsonProcessingException wrong
                && wrong.getLocation() != null
            ? " at character " + wrong.getLocation().getColumnNr()
            : "";
    return new BadRequest(what + " cannot be read as JSON" + at);
  }
}
