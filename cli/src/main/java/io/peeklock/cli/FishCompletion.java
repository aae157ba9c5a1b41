package io.peeklock.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** What makes fish complete commands and options, for which picocli has nothing. */
final class FishCompletion {
  /** Whether the words that are no options are just these, or begin with these. */
  private static final String CONDITIONS =
      """
      function __peeklock_words
        set -l words (commandline -opc)
        string match -v -- '-*' $words[2..-1]
      end

      function __peeklock_at
        set -l words (__peeklock_words)
        test (count $words) -eq (count $argv); and test "$words" = "$argv"
      end

      function __peeklock_in
        set -l words (__peeklock_words)
        test (count $words) -ge (count $argv); and test "$words[1..$(count $argv)]" = "$argv"
      end

      """;

  private final StringBuilder script = new StringBuilder(CONDITIONS);

  private FishCompletion() {}

  /** The script for a command with all below it. */
  static String of(CommandLine command) {
    var completion = new FishCompletion();
    completion.add(command, List.of());
    return completion.script.toString();
  }

  private void add(CommandLine command, List<String> path) {
    command
        .getSubcommands()
        .forEach(
            (name, sub) -> {
              line("__peeklock_at " + String.join(" ", path), "-f -a " + name, description(sub));
              var below = new ArrayList<>(path);
              below.add(name);
              add(sub, below);
            });
    if (!path.isEmpty()) {
      for (var option : command.getCommandSpec().options()) {
        line("__peeklock_in " + String.join(" ", path), words(option), first(option.description()));
      }
    }
  }

  private static String words(OptionSpec option) {
    var words = new StringBuilder();
    for (var name : option.names()) {
      words.append(name.startsWith("--") ? "-l " : "-s ");
      words.append(name.replaceFirst("^-+", "")).append(' ');
    }
    if (option.arity().max() > 0) {
      words.append("-r ");
    }
    var values = option.completionCandidates();
    if (values != null) {
      words.append("-f -a '").append(String.join(" ", values)).append("' ");
    }
    return words.toString().stripTrailing();
  }

  private static String description(CommandLine command) {
    return first(command.getCommandSpec().usageMessage().description());
  }

  private static String first(String[] lines) {
    return lines.length == 0 ? "" : lines[0];
  }

  private void line(String condition, String words, String description) {
    script.append("complete -c peeklock -n '").append(condition.stripTrailing()).append("' ");
    script.append(words);
    if (!description.isEmpty()) {
      script
          .append(" -d '")
          .append(description.replace("\\", "\\\\").replace("'", "\\'"))
          .append('\'');
    }
    script.append('\n');
  }
}
