package io.peeklock.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line of the clients. */
@Command(
    name = "peeklock",
    description = "Talk to a running broker.",
    subcommands = {SendCommand.class, ReceiveCommand.class, PeekCommand.class},
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true)
public final class CliMain {
  private CliMain() {}

  /** Runs a command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new CliMain())
        .registerConverter(ReceiveCommand.Mode.class, text -> word(ReceiveCommand.Mode.class, text))
        .registerConverter(
            ReceiveCommand.Settle.class, text -> word(ReceiveCommand.Settle.class, text))
        .setParameterExceptionHandler((wrong, arguments) -> misused(wrong))
        .setExecutionExceptionHandler(
            (failed, command, parsed) -> {
              if (failed instanceof CliFailure failure) {
                return say(command, failure.getMessage(), failure.exitCode());
              }
              throw failed;
            });
  }

  /** Reads {@code dead-letter} as DEAD_LETTER. */
  private static <E extends Enum<E>> E word(Class<E> type, String text) {
    for (var constant : type.getEnumConstants()) {
      if (constant.name().equalsIgnoreCase(text.replace('-', '_'))) {
        return constant;
      }
    }
    throw new CommandLine.TypeConversionException("\"" + text + "\" is not one of its values");
  }

  private static int misused(ParameterException wrong) {
    var sentence = new StringBuilder(String.valueOf(wrong.getMessage()));
    if (wrong instanceof UnmatchedArgumentException unknown
        && !unknown.getSuggestions().isEmpty()) {
      sentence.append(" (did you mean ").append(unknown.getSuggestions().getFirst()).append("?)");
    }
    return say(wrong.getCommandLine(), sentence.toString(), CliFailure.USAGE);
  }

  private static int say(CommandLine command, @Nullable String sentence, int code) {
    command.getErr().println("peeklock: " + sentence);
    command.getErr().flush();
    return code;
  }
}
