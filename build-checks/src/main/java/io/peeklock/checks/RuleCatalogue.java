package io.peeklock.checks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The rules that exist, grouped as the pages in {@code docs/internals} group them.
 *
 * @param groups the letter of the section, or a word, to its rules in order
 */
record RuleCatalogue(Map<String, List<RuleId>> groups) {

  private static final Pattern SECTION = Pattern.compile("## ([A-Z]{1,2})\\. .*");
  private static final Pattern BEHAVIOUR = Pattern.compile("- \\*\\*(S-\\d{3})\\*\\* .*");
  private static final Pattern INVARIANT = Pattern.compile("\\| (I-\\d+) \\|.*");
  private static final Pattern TRAP = Pattern.compile("(\\d+)\\. .*");

  static RuleCatalogue of(Repository repository) {
    return of(
        repository.file("docs/internals/semantics.md").text(),
        repository.file("docs/internals/invariants.md").text(),
        repository.file("docs/internals/amqp.md").text());
  }

  static RuleCatalogue of(String behaviours, String invariants, String wire) {
    var groups = new LinkedHashMap<String, List<RuleId>>();
    String section = "";
    for (var line : behaviours.lines().toList()) {
      var heading = SECTION.matcher(line);
      var behaviour = BEHAVIOUR.matcher(line);
      if (heading.matches()) {
        section = heading.group(1);
      } else if (behaviour.matches()) {
        add(groups, "S " + section, RuleId.of(behaviour.group(1)));
      }
    }
    invariants
        .lines()
        .map(INVARIANT::matcher)
        .filter(match -> match.matches())
        .forEach(match -> add(groups, "I", RuleId.of(match.group(1))));
    traps(wire).forEach(trap -> add(groups, "T", trap));
    return new RuleCatalogue(groups);
  }

  boolean has(RuleId rule) {
    return groups.values().stream().anyMatch(group -> group.contains(rule));
  }

  private static List<RuleId> traps(String wire) {
    var traps = new ArrayList<RuleId>();
    boolean inside = false;
    for (var line : wire.lines().toList()) {
      if (line.startsWith("#")) {
        inside = line.startsWith("### 11.2 ");
      }
      var trap = TRAP.matcher(line);
      if (inside && trap.matches()) {
        traps.add(new RuleId('T', Integer.parseInt(trap.group(1))));
      }
    }
    return traps;
  }

  private static void add(Map<String, List<RuleId>> groups, String group, RuleId rule) {
    groups.computeIfAbsent(group, name -> new ArrayList<>()).add(rule);
  }
}
