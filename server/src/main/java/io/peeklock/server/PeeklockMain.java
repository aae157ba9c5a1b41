package io.peeklock.server;

import io.peeklock.server.config.ConfigurationException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line of the broker. */
@Command(
    name = "peeklock",
    description = "A message broker for Azure Service Bus clients.",
    subcommands = ServeCommand.class,
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    versionProvider = PeeklockMain.VersionWord.class)
public final class PeeklockMain {
  private static final int USAGE = 2;

  private PeeklockMain() {}

  /** Runs a command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new PeeklockMain())
        .setParameterExceptionHandler((wrong, arguments) -> misused(wrong))
        .setExecutionExceptionHandler(
            (failed, command, parsed) -> {
              if (failed instanceof ConfigurationException wrong) {
                return say(command.getErr(), String.valueOf(wrong.getMessage()));
              }
              throw failed;
            });
  }

  private static int misused(ParameterException wrong) {
    var sentence = new StringBuilder(String.valueOf(wrong.getMessage()));
    if (wrong instanceof UnmatchedArgumentException unknown && !unknown.getSuggestions().isEmpty()) {
      sentence.append(" (did you mean ").append(unknown.getSuggestions().getFirst()).append("?)");
    }
    return say(wrong.getCommandLine().getErr(), sentence.toString());
  }

  private static int say(PrintWriter err, String sentence) {
    err.println("peeklock: " + sentence);
    err.flush();
    return USAGE;
  }

  /** What --version prints. */
  static final class VersionWord implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"peeklock " + Version.current()};
    }
  }
}
