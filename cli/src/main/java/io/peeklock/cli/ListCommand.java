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
      var printer = administration.printer().headed(headings(noun));
      api.list(all, each -> printer.row(each.fields(), row(noun, each)));
      printer.end();
    }
    return 0;
  }

  private static String[] headings(String... names) {
    return names;
  }

  private static String[] headings(Noun noun) {
    return switch (noun) {
      case QUEUE, SUBSCRIPTION -> headings("NAME", "STATUS", "ACTIVE", "DEAD-LETTERS", "SCHEDULED");
      case TOPIC -> headings("NAME", "STATUS", "SUBSCRIPTIONS", "SCHEDULED", "BYTES");
      case RULE -> headings("NAME", "FILTER", "ACTION");
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
