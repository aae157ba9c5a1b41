package io.peeklock.checks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The print-out of what is proven, what is excused and what is neither, one line per section. */
final class ProofReport {

  private ProofReport() {}

  static List<String> lines(RuleCatalogue catalogue, Set<RuleId> proven, Reasons reasons) {
    var lines = new ArrayList<String>();
    lines.add("Rules that tests prove (docs/internals), with the numbers nobody proves yet:");
    for (var group : catalogue.groups().entrySet()) {
      lines.add(line(group, proven, reasons.byRule()));
    }
    lines.add(total("S", catalogue, proven, reasons));
    lines.add(total("I", catalogue, proven, reasons));
    lines.add(total("T", catalogue, proven, reasons));
    var stale = reasons.byRule().keySet().stream().filter(proven::contains).toList();
    if (!stale.isEmpty()) {
      lines.add("  proven by now, strike from " + Reasons.PAGE + ": " + ranges(stale));
    }
    return lines;
  }

  /** Every trap with the tests that fall into it, or why there is none. */
  static List<String> traps(
      RuleCatalogue catalogue, Map<RuleId, Set<String>> provers, Reasons reasons) {
    var lines = new ArrayList<String>();
    lines.add("Traps (docs/internals/amqp.md 11.2) and the tests that fall into them:");
    for (var group : catalogue.groups().entrySet()) {
      for (var trap : group.getValue()) {
        if (trap.kind() == 'T') {
          var tests = provers.get(trap);
          var reason = reasons.byRule().getOrDefault(trap, "UNEXPLAINED");
          lines.add(
              "  " + trap + "  " + (tests == null ? "- " + reason : String.join(", ", tests)));
        }
      }
    }
    return lines;
  }

  private static String line(
      Map.Entry<String, List<RuleId>> group, Set<RuleId> proven, Map<RuleId, String> explained) {
    var open = group.getValue().stream().filter(one -> !proven.contains(one)).toList();
    var excused = open.stream().filter(explained::containsKey).toList();
    var bare = open.stream().filter(one -> !explained.containsKey(one)).toList();
    var text = new StringBuilder();
    int all = group.getValue().size();
    text.append(
        String.format(Locale.ROOT, "  %-4s %3d of %3d", group.getKey(), all - open.size(), all));
    if (!excused.isEmpty()) {
      text.append("  with a reason: ").append(ranges(excused));
    }
    if (!bare.isEmpty()) {
      text.append("  UNEXPLAINED: ").append(ranges(bare));
    }
    return text.toString();
  }

  private static String total(
      String kind, RuleCatalogue catalogue, Set<RuleId> proven, Reasons reasons) {
    var all =
        catalogue.groups().entrySet().stream()
            .filter(group -> group.getKey().startsWith(kind))
            .flatMap(group -> group.getValue().stream())
            .toList();
    long tested = all.stream().filter(proven::contains).count();
    long excused =
        all.stream()
            .filter(one -> !proven.contains(one) && reasons.byRule().containsKey(one))
            .count();
    return String.format(
        Locale.ROOT,
        "  %s: %d rules, %d proven, %d with a reason, %d UNEXPLAINED",
        kind,
        all.size(),
        tested,
        excused,
        all.size() - tested - excused);
  }

  /** {@code 001-003, 007}: numbers that stand next to each other in the list are one range. */
  static String ranges(List<RuleId> rules) {
    var parts = new ArrayList<String>();
    int from = 0;
    for (int i = 1; i <= rules.size(); i++) {
      boolean goesOn =
          i < rules.size()
              && rules.get(i).kind() == rules.get(i - 1).kind()
              && rules.get(i).number() == rules.get(i - 1).number() + 1;
      if (!goesOn) {
        parts.add(range(rules.get(from), rules.get(i - 1)));
        from = i;
      }
    }
    return String.join(", ", parts);
  }

  private static String range(RuleId first, RuleId last) {
    var begin = first.toString().substring(2);
    return first.equals(last) ? begin : begin + "-" + last.toString().substring(2);
  }
}
