package io.peeklock.checks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Why a rule has no test, as {@code docs/internals/rules-not-proven.md} says it in table rows like
 * {@code | S-453 to S-463, S-470 | JMS 2.0 is not in this round |}.
 *
 * @param byRule the reason of each explained rule
 * @param violations rows that cannot be read, or that name what no page knows
 */
record Reasons(Map<RuleId, String> byRule, List<Violation> violations) {

  static final String PAGE = "docs/internals/rules-not-proven.md";

  private static final Pattern ROW = Pattern.compile("\\| ([SIT]-\\d[^|]*) \\| ([^|]+) \\|");
  private static final Pattern RANGE = Pattern.compile("([SIT]-\\d+)(?: to ([SIT]-\\d+))?");

  static Reasons of(SourceFile page, RuleCatalogue catalogue) {
    var reasons = new Reasons(new TreeMap<>(), new ArrayList<>());
    long number = 0;
    for (var line : page.text().lines().toList()) {
      number++;
      var row = ROW.matcher(line);
      if (row.matches()) {
        reasons.read(number, row.group(1), row.group(2).strip(), catalogue);
      }
    }
    return reasons;
  }

  private void read(long line, String ids, String reason, RuleCatalogue catalogue) {
    for (var part : ids.split(",", -1)) {
      var range = RANGE.matcher(part.strip());
      if (!range.matches()) {
        violations.add(new Violation(PAGE, line, "cannot read " + part.strip()));
        continue;
      }
      var first = RuleId.of(range.group(1));
      var last = range.group(2) == null ? first : RuleId.of(range.group(2));
      for (int n = first.number(); n <= last.number(); n++) {
        explain(line, new RuleId(first.kind(), n), reason, catalogue);
      }
    }
  }

  private void explain(long line, RuleId rule, String reason, RuleCatalogue catalogue) {
    if (!catalogue.has(rule)) {
      violations.add(new Violation(PAGE, line, "no page knows " + rule));
    }
    if (byRule.put(rule, reason) != null) {
      violations.add(new Violation(PAGE, line, rule + " is explained twice"));
    }
  }
}
