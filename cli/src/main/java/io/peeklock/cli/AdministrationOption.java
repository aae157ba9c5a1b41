package io.peeklock.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which broker to administer, and how to say what came of it. */
final class AdministrationOption extends OutputOption {
  @Option(
      names = "--connection",
      paramLabel = "STRING",
      description = {
        "Connection string of the broker (default: $PEEKLOCK_CONNECTION, else a broker",
        "on this machine at port 5672 with the well-known key)."
      })
  private @Nullable String connection;

  /** Opens the API of that broker. */
  AdministrationClient open() {
    return new AdministrationClient(ConnectionString.parse(BrokerOption.text(connection)));
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
