package io.peeklock.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Shows all that is known of one thing. */
@Command(
    name = "show",
    description = "Show all properties and counts; keys are not shown.",
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class ShowCommand implements Callable<Integer> {
  @ParentCommand private @Nullable NounCommand parent;

  @Mixin private AdministrationOption administration = new AdministrationOption();

  @Parameters(index = "0", paramLabel = "NAME", description = "Which.")
  private String name = "";

  @Override
  public Integer call() {
    var noun = ListCommand.noun(parent);
    try (var api = administration.open()) {
      var found = present(noun, name, api);
      var printer = administration.printer();
      if (printer.isTable()) {
        printer.headed("PROPERTY", "VALUE");
        rows("", found.fields(), printer);
        printer.end();
      } else {
        printer.only(found.fields());
        printer.flush();
      }
    }
    return 0;
  }

  /** What is called so, or a refusal that says that nothing is. */
  static Description present(Noun noun, String name, AdministrationClient api) {
    var found = api.read(noun.path(name));
    if (found == null) {
      throw CliFailure.refused("there is no " + noun.word() + " " + name);
    }
    return found;
  }

  private static void rows(String before, Map<?, ?> fields, Printer printer) {
    fields.forEach(
        (name, value) -> {
          if (value instanceof Map<?, ?> inner) {
            rows(before + name + ".", inner, printer);
          } else {
            printer.row(Map.of(), List.of(before + name, text(value)));
          }
        });
  }

  private static String text(@Nullable Object value) {
    if (!(value instanceof List<?> list)) {
      return String.valueOf(value);
    }
    var texts = new ArrayList<String>();
    list.forEach(each -> texts.add(String.valueOf(each)));
    return String.join("; ", texts);
  }
}
