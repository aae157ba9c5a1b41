package io.peeklock.http.messages;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.peeklock.runtime.message.OutgoingMessage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The JSON array that is the body of a batch (runtime-http.md 5). */
final class BatchBody {
  private static final String TYPE = "application/vnd.microsoft.servicebus.json";

  /** They are read in one go, by the thread of other connections too. */
  private static final int MOST = 10_000;

  private BatchBody() {}

  /** Whether a request of this content type has a batch for a body. */
  static boolean isMeant(@Nullable String contentType) {
    if (contentType == null) {
      return false;
    }
    var end = contentType.indexOf(';');
    var bare = end < 0 ? contentType : contentType.substring(0, end);
    return bare.strip().toLowerCase(Locale.ROOT).equals(TYPE);
  }

  /** Reads the messages, in their order; perhaps none. */
  static List<OutgoingMessage> read(ByteBuf body) throws BadRequest {
    var messages = new ArrayList<OutgoingMessage>();
    try (InputStream in = new ByteBufInputStream(body.duplicate());
        var json = Json.FACTORY.createParser(in)) {
      Json.expect(json, JsonToken.START_ARRAY, "A batch must be a JSON array");
      while (json.nextToken() != JsonToken.END_ARRAY) {
        if (messages.size() == MOST) {
          throw new BadRequest("A batch has at most " + MOST + " messages");
        }
        messages.add(item(json));
      }
      if (json.nextToken() != null) {
        throw new BadRequest("A batch must be one JSON array");
      }
    } catch (IOException unreadable) {
      throw Json.unreadable("The batch", unreadable);
    }
    return messages;
  }

  private static OutgoingMessage item(JsonParser json) throws IOException, BadRequest {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      throw new BadRequest("A batch must be an array of objects");
    }
    var draft = new MessageDraft();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      var name = json.currentName();
      var token = json.nextToken();
      if (token == JsonToken.VALUE_NULL) {
        continue;
      }
      switch (name) {
        case "Body" ->
            draft.body = ByteBuffer.wrap(Json.text(json, name).getBytes(StandardCharsets.UTF_8));
        case "BrokerProperties" -> {
          expectObject(token, name);
          BrokerProperties.read(json, draft, true);
        }
        case "UserProperties" -> {
          expectObject(token, name);
          readProperties(json, draft);
        }
        default -> json.skipChildren();
      }
    }
    return draft.message();
  }

  private static void expectObject(JsonToken token, String name) throws BadRequest {
    if (token != JsonToken.START_OBJECT) {
      throw new BadRequest("'" + name + "' must be an object");
    }
  }

  private static void readProperties(JsonParser json, MessageDraft draft)
      throws IOException, BadRequest {
    while (json.nextToken() != JsonToken.END_OBJECT) {
      var name = json.currentName();
      switch (json.nextToken()) {
        case VALUE_STRING -> draft.properties.put(name, json.getText());
        case VALUE_TRUE -> draft.properties.put(name, true);
        case VALUE_FALSE -> draft.properties.put(name, false);
        case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> draft.properties.put(name, number(json, name));
        case VALUE_NULL -> draft.properties.remove(name);
        default ->
            throw new BadRequest(
                "The user property '" + name + "' must be a string, a number or a boolean");
      }
    }
  }

  private static Object number(JsonParser json, String name) throws IOException, BadRequest {
    return switch (json.getNumberType()) {
      case INT, LONG -> (Object) json.getLongValue();
      default -> finite(json.getDoubleValue(), name);
    };
  }

  private static double finite(double value, String name) throws BadRequest {
    if (Double.isInfinite(value)) {
      throw new BadRequest("The user property '" + name + "' is too large a number");
    }
    return value;
  }
}
