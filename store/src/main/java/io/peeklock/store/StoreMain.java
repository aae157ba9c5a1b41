package io.peeklock.store;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** The command line for a broker's files. */
@Command(
    name = "peeklock store",
    description = "Look after the files of a broker.",
    subcommands = {
      VerifyCommand.class,
      DumpCommand.class,
      RepairCommand.class,
      BackupCommand.class,
      RestoreCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:done, and all was well",
      " 1:damage was found, or the command was refused; nothing was changed but what it says",
      " 2:a wrong option or argument"
    })
public final class StoreMain {
  static final int WELL = 0;
  static final int DAMAGED = 1;
  static final int USAGE = 2;

  private StoreMain() {}

  /** Runs a command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    var line =
        new CommandLine(new StoreMain())
            .setParameterExceptionHandler((wrong, arguments) -> misused(wrong))
            .setExecutionExceptionHandler(
                (failed, command, parsed) -> {
                  if (failed instanceof IOException cause) {
                    return say(command, sentence(cause), DAMAGED);
                  }
                  throw failed;
                });
    line.getSubcommands()
        .values()
        .forEach(
            command ->
                command
                    .getCommandSpec()
                    .usageMessage()
                    .exitCodeListHeading("%nExit codes:%n")
                    .exitCodeList(line.getCommandSpec().usageMessage().exitCodeList()));
    return line;
  }

  /** The sentence of an exception; some have only a path. */
  private static String sentence(IOException cause) {
    return switch (cause) {
      case NoSuchFileException missing -> missing.getFile() + " is not there";
      case NotDirectoryException file -> file.getFile() + " is no folder";
      case FileAlreadyExistsException there -> there.getFile() + " is there already";
      case AccessDeniedException denied -> denied.getFile() + " may not be read or written";
      default -> String.valueOf(cause.getMessage());
    };
  }

  private static int misused(ParameterException wrong) {
    var command = wrong.getCommandLine();
    say(command, String.valueOf(wrong.getMessage()), USAGE);
    command.getErr().println("Try: " + command.getCommandSpec().qualifiedName() + " --help");
    command.getErr().flush();
    return USAGE;
  }

  private static int say(CommandLine command, String sentence, int code) {
    PrintWriter err = command.getErr();
    err.println("peeklock: " + sentence);
    err.flush();
    return code;
  }
}
