package io.peeklock.cli;

import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what makes a shell complete commands and options. */
@Command(
    name = "completion",
    description = "Print what makes a shell complete commands and options.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "For example:",
      "  source <(peeklock completion bash)                                 in ~/.bashrc",
      "  source <(peeklock completion zsh)                                  in ~/.zshrc",
      "  peeklock completion fish > ~/.config/fish/completions/peeklock.fish"
    })
final class CompletionCommand implements Callable<Integer> {
  /** Commands of the launcher that are programs of their own. */
  static final List<String> OTHERS =
      List.of("serve", "certificate", "health", "store", "demo", "simulate", "prepare");

  /** A shell. */
  enum Shell {
    BASH,
    ZSH,
    FISH;

    @Override
    public String toString() {
      return CliMain.wordOf(this);
    }
  }

  @Spec private @Nullable CommandSpec spec;

  @Parameters(index = "0", paramLabel = "SHELL", description = "bash, zsh or fish.")
  private Shell shell = Shell.BASH;

  @Override
  public Integer call() {
    var known = spec;
    if (known == null) {
      throw new IllegalStateException("picocli sets the spec before it runs a command");
    }
    var all = CliMain.commandLine();
    OTHERS.forEach(other -> all.addSubcommand(other, CommandSpec.create()));
    ConsoleOutput.print(known, script(all).stripTrailing());
    return 0;
  }

  private String script(CommandLine all) {
    return switch (shell) {
      case BASH, ZSH -> AutoComplete.bash("peeklock", all); // which asks zsh for what bash has
      case FISH -> FishCompletion.of(all);
    };
  }
}
