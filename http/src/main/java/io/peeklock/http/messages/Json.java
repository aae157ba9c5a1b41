package io.peeklock.http.messages;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** JSON, bounded in depth and in the length of numbers, and written in ASCII. */
final class Json {
  private static final int DEEPEST = 32;
  private static final int LONGEST_NUMBER = 100;

  static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEEPEST)
                  .maxNumberLength(LONGEST_NUMBER)
                  .build())
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .characterEscapes(new WithDelete())
          .build();

  private Json() {}

  /** U+007F is ASCII and needs no escape in JSON, but no header may have it. */
  private static final class WithDelete extends CharacterEscapes {
    private static final long serialVersionUID = 1;
    private static final int DELETE = 0x7f;

    @Override
    public int[] getEscapeCodesForAscii() {
      var codes = standardAsciiEscapesForJSON();
      codes[DELETE] = ESCAPE_STANDARD;
      return codes;
    }

    @Override
    public @Nullable SerializableString getEscapeSequence(int character) {
      return null;
    }
  }

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
