package io.peeklock.cli;

import java.util.Comparator;
import java.util.Locale;
import java.util.logging.LogManager;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line of the clients. */
@Command(
    name = "peeklock",
    description = "Talk to a running broker.",
    subcommands = {
      SendCommand.class,
      ReceiveCommand.class,
      PeekCommand.class,
      WatchCommand.class,
      DeadLettersCommand.class,
      MoveCommand.class,
      PurgeCommand.class,
      ExportCommand.class,
      ImportCommand.class,
      NounCommand.Queues.class,
      NounCommand.Topics.class,
      NounCommand.Subscriptions.class,
      NounCommand.Rules.class,
      NamespaceCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true)
public final class CliMain {
  /** A connection string in the wrong place would be told back with its key. */
  private static final Pattern SECRETS =
      Pattern.compile(
          "(SharedAccessKey=|SharedAccessSignature=|sig=)[^;&'\"]*", Pattern.CASE_INSENSITIVE);

  private CliMain() {}

  /** Runs a command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    LogManager.getLogManager().reset(); // what libraries remark is no sentence for the user
    System.exit(commandLine().setOut(ConsoleOutput.standard()).execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new CliMain())
        .registerConverter(ReceiveCommand.Mode.class, text -> word(ReceiveCommand.Mode.class, text))
        .registerConverter(
            ReceiveCommand.Settle.class, text -> word(ReceiveCommand.Settle.class, text))
        .registerConverter(OutputOption.Form.class, text -> word(OutputOption.Form.class, text))
        .setExecutionStrategy(CliMain::run)
        .setParameterExceptionHandler((wrong, arguments) -> misused(wrong))
        .setExecutionExceptionHandler(
            (failed, command, parsed) -> {
              if (failed instanceof CliFailure failure) {
                return say(command, failure.getMessage(), failure.exitCode());
              }
              throw failed;
            });
  }

  /** Runs a command; what a broker sends must not end it without a sentence. */
  private static int run(ParseResult parsed) {
    try {
      var code = new CommandLine.RunLast().execute(parsed);
      ConsoleOutput.check(parsed.commandSpec());
      return code;
    } catch (CliFailure unprinted) {
      throw new ExecutionException(
          parsed.commandSpec().commandLine(), String.valueOf(unprinted.getMessage()), unprinted);
    } catch (OutOfMemoryError full) {
      throw ended(
          parsed, "what the broker sent takes more memory than there is; PEEKLOCK_HEAP gives more");
    } catch (StackOverflowError deep) {
      throw ended(parsed, "what the broker sent nests too deeply");
    }
  }

  private static ExecutionException ended(ParseResult parsed, String sentence) {
    return new ExecutionException(
        parsed.commandSpec().commandLine(), sentence, CliFailure.unreachable(sentence));
  }

  /** Reads {@code dead-letter} as DEAD_LETTER. */
  private static <E extends Enum<E>> E word(Class<E> type, String text) {
    for (var constant : type.getEnumConstants()) {
      if (constant.name().equalsIgnoreCase(text.replace('-', '_'))) {
        return constant;
      }
    }
    var values =
        Stream.of(type.getEnumConstants())
            .map(each -> each.name().toLowerCase(Locale.ROOT).replace('_', '-'))
            .collect(Collectors.joining(", "));
    throw new CommandLine.TypeConversionException("\"" + text + "\" is not one of " + values);
  }

  private static int misused(ParameterException wrong) {
    var sentence = new StringBuilder(String.valueOf(wrong.getMessage()));
    if (wrong instanceof UnmatchedArgumentException unknown
        && !unknown.getSuggestions().isEmpty()) {
      sentence.append(" (did you mean ").append(nearest(unknown)).append("?)");
    }
    return say(wrong.getCommandLine(), sentence.toString(), CliFailure.USAGE);
  }

  /** Of what picocli finds similar, that which begins most like what was typed. */
  private static String nearest(UnmatchedArgumentException unknown) {
    var typed = unknown.getUnmatched().getFirst();
    return unknown.getSuggestions().stream()
        .max(
            Comparator.comparingInt((String name) -> commonStart(name, typed))
                .thenComparing(String::length, Comparator.reverseOrder()))
        .orElse("--help");
  }

  private static int commonStart(String one, String other) {
    var end = Math.min(one.length(), other.length());
    var same = 0;
    while (same < end && one.charAt(same) == other.charAt(same)) {
      same++;
    }
    return same;
  }

  private static int say(CommandLine command, @Nullable String sentence, int code) {
    var told = Printed.sentence(SECRETS.matcher("" + sentence).replaceAll("$1…"));
    command.getErr().println("peeklock: " + told);
    command.getErr().flush();
    return code;
  }
}
