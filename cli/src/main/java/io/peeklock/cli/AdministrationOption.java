package io.peeklock.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/** Which broker to administer, and how to say what came of it. */
final class AdministrationOption extends OutputOption {
  @Mixin private ConnectionOption connection = new ConnectionOption();

  /** Opens the API of that broker. */
  AdministrationClient open() {
    return new AdministrationClient(connection.where(), connection.trust());
  }

  /** What was done: a sentence, or all that is known now. */
  void say(String sentence, Description now) {
    say(sentence, now.fields());
  }

  /** What was done: a sentence, or what a program wants to know of it. */
  void say(String sentence, Map<String, ? extends @Nullable Object> fields) {
    var printer = printer();
    if (printer.isTable()) {
      printer.say(sentence);
    } else {
      printer.only(fields);
    }
    printer.flush();
  }
}
