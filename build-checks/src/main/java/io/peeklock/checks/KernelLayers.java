package io.peeklock.checks;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The packages of the kernel's machine, and which of each other they may import: the table of
 * {@code docs/adr/2026-11-26-packages-of-the-kernel.md}.
 */
final class KernelLayers {

  /** Each behind all that it may import. */
  private static final Map<String, List<String>> IMPORTS = new LinkedHashMap<>();

  static {
    IMPORTS.put("columns", List.of());
    layer("state", "columns");
    layer("snapshot", "state");
    layer("apply", "state");
    layer("decide", "state");
    layer("settle", "decide");
    layer("send", "decide");
    layer("session", "settle");
    layer("schedule", "send");
    layer("deliver", "session");
    layer("forward", "send");
    layer("transaction", "session", "schedule");
    layer("administration", "deliver");
    layer("turn", "schedule", "administration");
    layer("machine", "snapshot", "apply", "forward", "transaction", "turn");
  }

  private KernelLayers() {}

  /** A package imports these, and what they may import. */
  private static void layer(String name, String... below) {
    var imports = new ArrayList<String>();
    for (var each : below) {
      imports.add(each);
      imports.addAll(IMPORTS.getOrDefault(each, List.of()));
    }
    IMPORTS.put(name, imports.stream().distinct().toList());
  }

  /** A rule for each package, by its name. */
  static Map<String, ArchRule> all() {
    var rules = new LinkedHashMap<String, ArchRule>();
    IMPORTS.forEach((name, imports) -> rules.put(name, onlyBelow(name, imports)));
    rules.put("filter", forbidden("filter", List.copyOf(IMPORTS.keySet())));
    return rules;
  }

  private static ArchRule onlyBelow(String name, List<String> imports) {
    var others = new ArrayList<>(IMPORTS.keySet());
    others.remove(name);
    others.removeAll(imports);
    return forbidden(name, others);
  }

  private static ArchRule forbidden(String name, List<String> others) {
    var packages = others.stream().map(KernelLayers::within).toArray(String[]::new);
    return noClasses()
        .that()
        .resideInAPackage(within(name))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(packages)
        .allowEmptyShould(true);
  }

  private static String within(String name) {
    return "io.peeklock.kernel." + name + "..";
  }
}
