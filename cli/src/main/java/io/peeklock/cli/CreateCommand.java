package io.peeklock.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Makes a queue, topic or subscription. */
@Command(
    name = "create",
    description = "Make one; what is not said has its default.",
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class CreateCommand implements Callable<Integer> {
  @ParentCommand private @Nullable NounCommand parent;

  @Mixin private AdministrationOption administration = new AdministrationOption();

  @Parameters(index = "0", paramLabel = "NAME", description = "What it is called.")
  private String name = "";

  @Parameters(
      index = "1..*",
      paramLabel = "Property=value",
      description = "As Service Bus spells them, such as LockDuration=PT30S.")
  private List<String> properties = new ArrayList<>();

  @Override
  public Integer call() {
    var noun = ListCommand.noun(parent);
    var wanted = Description.empty(noun);
    Assignments.of(noun, properties).forEach(wanted::set);
    try (var api = administration.open()) {
      administration.say(noun.word() + " " + name + " made", api.create(noun.path(name), wanted));
    }
    return 0;
  }
}
