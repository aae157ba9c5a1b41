package io.peeklock.cli;

import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Deletes one thing with all that is in it. */
@Command(
    name = "delete",
    description = "Delete one, with its messages and all that is below it.",
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class DeleteCommand implements Callable<Integer> {
  @ParentCommand private @Nullable NounCommand parent;

  @Mixin private AdministrationOption administration = new AdministrationOption();

  @Parameters(index = "0", paramLabel = "NAME", description = "Which.")
  private String name = "";

  @Override
  public Integer call() {
    var noun = ListCommand.noun(parent);
    try (var api = administration.open()) {
      api.delete(noun.path(name));
      administration.say(
          noun.word() + " " + name + " deleted", Map.of("deleted", true, "name", name));
    }
    return 0;
  }
}
