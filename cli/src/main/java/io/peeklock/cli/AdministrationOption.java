package io.peeklock.cli;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Which broker to administer, and how to say what came of it. */
final class AdministrationOption {
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = "--connection",
      paramLabel = "STRING",
      description = {
        "Connection string of the broker (default: $PEEKLOCK_CONNECTION, else a broker",
        "on this machine at port 5672 with the well-known key)."
      })
  private @Nullable String connection;

  @Option(names = "--json", description = "Print one JSON object a line, with all that is known.")
  private boolean json;

  /** Opens the API of that broker. */
  AdministrationClient open() {
    return new AdministrationClient(ConnectionString.parse(BrokerOption.text(connection)));
  }

  /** What was done: a sentence, or all that is known now. */
  void say(String sentence, Description now) {
    print(json ? Json.of(now.fields()) : sentence);
  }

  boolean json() {
    return json;
  }

  void print(String line) {
    var out = out();
    out.println(line);
    out.flush();
  }

  private PrintWriter out() {
    var known = spec;
    if (known == null) {
      throw new IllegalStateException("picocli sets the spec before it runs a command");
    }
    return known.commandLine().getOut();
  }
}
