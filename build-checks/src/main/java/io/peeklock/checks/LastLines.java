package io.peeklock.checks;

import java.util.ArrayList;

/**
 * The last words of {@code mvn verify}: which rules are proven, which tests did not run and why,
 * and whether the long proofs ran. Ends with 1 when a test was skipped in another way or names a
 * rule that does not exist.
 */
final class LastLines {

  private LastLines() {}

  public static void main(String[] args) {
    var repository = Repository.here();
    var catalogue = RuleCatalogue.of(repository);
    var rules = RuleScan.of(repository, catalogue);
    var reasons = Reasons.of(repository.file(Reasons.PAGE), catalogue);
    var skipped = SkippedTests.of(repository);

    var out = new ArrayList<>(ProofReport.lines(catalogue, rules.proven(), reasons));
    out.addAll(ProofReport.traps(catalogue, rules.provers(), reasons));
    out.add(LongProofs.line(repository.files(), repository::has));
    out.add("Tests that this machine could not run: " + skipped.notRun().size());
    skipped.notRun().forEach(test -> out.add("  " + test));

    var violations = new ArrayList<Violation>();
    violations.addAll(rules.violations());
    violations.addAll(reasons.violations());
    violations.addAll(skipped.violations());
    violations.forEach(violation -> out.add("BROKEN " + violation));
    System.out.println(String.join("\n", out));
    if (!violations.isEmpty()) {
      System.exit(1);
    }
  }
}
