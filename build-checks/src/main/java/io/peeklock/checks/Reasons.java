package io.peeklock.checks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Why a statement has no test, as {@code docs/internals/rules-not-proven.md} says it in table rows
 * like {@code | S-453 to S-463, S-470 | JMS 2.0 is not in this round |}.
 *
 * @param byStatement the reason of each explained statement
 * @param findings rows that cannot be read, or that name what no page knows
 */
record Reasons(Map<Statement, String> byStatement, List<Finding> findings) {

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
        findings.add(new Finding(PAGE, line, "cannot read " + part.strip()));
        continue;
      }
      var first = Statement.of(range.group(1));
      var last = range.group(2) == null ? first : Statement.of(range.group(2));
      for (int n = first.number(); n <= last.number(); n++) {
        explain(line, new Statement(first.kind(), n), reason, catalogue);
      }
    }
  }

  private void explain(long line, Statement statement, String reason, RuleCatalogue catalogue) {
    if (!catalogue.has(statement)) {
      findings.add(new Finding(PAGE, line, "no page knows " + statement));
    }
    if (byStatement.put(statement, reason) != null) {
      findings.add(new Finding(PAGE, line, statement + " is explained twice"));
    }
  }
}
