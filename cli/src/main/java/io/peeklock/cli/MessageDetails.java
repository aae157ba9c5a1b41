package io.peeklock.cli;

import java.util.List;
import java.util.Map;
import org.apache.qpid.protonj2.client.AdvancedMessage;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.jspecify.annotations.Nullable;

/** All of a message for people: a line for each field, and the body below. */
final class MessageDetails {
  private static final int WIDTH = 38;

  private MessageDetails() {}

  /** Prints it, or for programs its JSON. */
  static void print(AdvancedMessage<?> message, Printer printer) throws ClientException {
    var fields = MessageJson.fields(message);
    if (!printer.isTable()) {
      printer.element(fields);
      return;
    }
    for (var field : fields.entrySet()) {
      if (!List.of(MessageJson.BODY, MessageJson.BODY_AMQP).contains(field.getKey())) {
        line("", field.getKey(), field.getValue(), printer);
      }
    }
    printer.text("");
    printer.text(Printed.body(MessageText.body(message)));
    printer.text("");
  }

  private static void line(String before, String name, @Nullable Object value, Printer printer) {
    if (value instanceof Map<?, ?> inner) {
      inner.forEach((key, each) -> line(before + name + ".", String.valueOf(key), each, printer));
      return;
    }
    var label = Printed.cell(before + name);
    printer.text(
        label
            + " ".repeat(Math.max(1, WIDTH - label.length()))
            + Printed.cell(value == null ? "null" : Json.text(value)));
  }
}
