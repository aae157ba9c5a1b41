package io.peeklock.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.logging.LogManager;
import java.util.regex.Pattern;
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
      SessionsCommand.class,
      ConnectionsCommand.class,
      ScheduleCommand.class,
      DeferCommand.class,
      NounCommand.Queues.class,
      NounCommand.Topics.class,
      NounCommand.Subscriptions.class,
      NounCommand.Rules.class,
      NamespaceCommand.class,
      CompletionCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:done",
      "1:nothing was received, or there is nothing to show or to do",
      "2:a wrong option, or input that cannot be read",
      "3:the broker refused",
      "4:the broker could not be reached, or sent what cannot be read",
      "5:the output is full or closed"
    },
    mixinStandardHelpOptions = true)
public final class CliMain {
  /** A connection string in the wrong place would be told back with its key. */
  private static final Pattern SECRETS =
      Pattern.compile(
          "(SharedAccessKey=|SharedAccessSignature=|sig=)[^;&'\"]*", Pattern.CASE_INSENSITIVE);

  /** What options take a word of. */
  private static final List<Class<?>> WORDS =
      List.of(
          ReceiveCommand.Mode.class,
          ReceiveCommand.Settle.class,
          DeferCommand.Receive.Settle.class,
          OutputOption.Form.class,
          CompletionCommand.Shell.class);

  private CliMain() {}

  /** Runs a command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    LogManager.getLogManager().reset(); // what libraries remark is no sentence for the user
    System.exit(commandLine().setOut(ConsoleOutput.standard()).execute(arguments));
  }

  static CommandLine commandLine() {
    var line = new CommandLine(new CliMain());
    WORDS.forEach(type -> register(line, type));
    return line.setExecutionStrategy(CliMain::run)
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

  private static <E> void register(CommandLine line, Class<E> type) {
    line.registerConverter(type, text -> word(type, text));
  }

  /** Reads {@code dead-letter} as DEAD_LETTER. */
  private static <E> E word(Class<E> type, String text) {
    for (var constant : type.getEnumConstants()) {
      if (constant.toString().equalsIgnoreCase(text.replace('_', '-'))) {
        return constant;
      }
    }
    var values = Stream.of(type.getEnumConstants()).map(Object::toString).toList();
    throw new CommandLine.TypeConversionException(
        "\"" + text + "\" is not one of " + String.join(", ", values) + Nearest.hint(text, values));
  }

  /** How people write a constant: {@code dead-letter} for DEAD_LETTER. */
  static String wordOf(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static int misused(ParameterException wrong) {
    var sentence = String.valueOf(wrong.getMessage());
    if (wrong instanceof UnmatchedArgumentException unmatched) {
      sentence = unmatched(unmatched, sentence);
    }
    return say(wrong.getCommandLine(), sentence, CliFailure.USAGE);
  }

  private static String unmatched(UnmatchedArgumentException wrong, String sentence) {
    var command = wrong.getCommandLine();
    var typed = wrong.getUnmatched().getFirst();
    if (typed.startsWith("-")) {
      return sentence
          + Nearest.hint(typed.split("=", 2)[0], command.getCommandSpec().optionsMap().keySet());
    }
    var below = new ArrayList<>(command.getSubcommands().keySet());
    if (below.isEmpty()) {
      return sentence;
    }
    if (command.getParent() == null) {
      below.addAll(CompletionCommand.OTHERS);
    }
    var hint = Nearest.hint(typed, below);
    return "no such command: " + typed + (hint.isEmpty() ? "; --help lists them" : hint);
  }

  private static int say(CommandLine command, @Nullable String sentence, int code) {
    var told = Printed.sentence(SECRETS.matcher("" + sentence).replaceAll("$1…"));
    command.getErr().println("peeklock: " + told);
    command.getErr().flush();
    return code;
  }
}
