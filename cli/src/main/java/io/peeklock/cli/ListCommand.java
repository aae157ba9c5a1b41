package io.peeklock.cli;

import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Lists all things of a kind. */
@Command(
    name = "list",
    description = "List all of them by name, with what they hold.",
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class ListCommand implements Callable<Integer> {
  @ParentCommand private @Nullable NounCommand parent;

  @Mixin private AdministrationOption administration = new AdministrationOption();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "OF",
      description = "TOPIC for subscriptions, TOPIC/SUBSCRIPTION for rules.")
  private String above = "";

  static Noun noun(@Nullable NounCommand parent) {
    if (parent == null) {
      throw new IllegalStateException("picocli sets the parent before it runs a command");
    }
    return parent.noun();
  }

  @Override
  public Integer call() {
    var noun = noun(parent);
    try (var api = administration.open()) {
      var all = noun.listPath(above);
      if (administration.json()) {
        api.list(all, each -> administration.print(Json.of(each.fields())));
      } else {
        var table = table(noun);
        api.list(all, each -> table.row(row(noun, each)));
        table.lines().forEach(administration::print);
      }
    }
    return 0;
  }

  private static Table table(Noun noun) {
    return switch (noun) {
      case QUEUE, SUBSCRIPTION ->
          new Table("NAME", "STATUS", "ACTIVE", "DEAD-LETTERS", "SCHEDULED");
      case TOPIC -> new Table("NAME", "STATUS", "SUBSCRIPTIONS", "SCHEDULED", "BYTES");
      case RULE -> new Table("NAME", "FILTER", "ACTION");
    };
  }

  private static List<String> row(Noun noun, Description of) {
    return switch (noun) {
      case QUEUE, SUBSCRIPTION ->
          List.of(
              of.title(),
              of.text("Status"),
              of.text("ActiveMessageCount"),
              of.text("DeadLetterMessageCount"),
              of.text("ScheduledMessageCount"));
      case TOPIC ->
          List.of(
              of.title(),
              of.text("Status"),
              of.text("SubscriptionCount"),
              of.text("ScheduledMessageCount"),
              of.text("SizeInBytes"));
      case RULE -> List.of(of.title(), RuleCommand.filter(of), RuleCommand.action(of));
    };
  }
}
