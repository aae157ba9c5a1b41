package io.peeklock.cli;

import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Changes some properties of a queue, topic or subscription, and leaves the others. */
@Command(
    name = "update",
    description = "Change some properties; the others stay as they are.",
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class UpdateCommand implements Callable<Integer> {
  @ParentCommand private @Nullable NounCommand parent;

  @Mixin private AdministrationOption administration = new AdministrationOption();

  @Parameters(index = "0", paramLabel = "NAME", description = "Which.")
  private String name = "";

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "Property=value",
      description = "As Service Bus spells them; nothing behind the sign takes a value away.")
  private List<String> properties = List.of();

  @Override
  public Integer call() {
    var noun = ListCommand.noun(parent);
    var changes = Assignments.of(noun, properties);
    try (var api = administration.open()) {
      var now = ShowCommand.present(noun, name, api);
      changes.forEach(now::set);
      administration.say(noun.word() + " " + name + " changed", api.update(noun.path(name), now));
    }
    return 0;
  }
}
