package io.peeklock.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProofTest {

  private static final RuleCatalogue CATALOGUE =
      RuleCatalogue.of(
          """
          ## A. First
          - **S-001** Given.
          - **S-002** Given.
          - **S-003** Given.
          ## AB. Last
          - **S-004** Given.
          """,
          "| I-01 | An accepted send is delivered. | C1 |",
          """
          ### 11.1 Other
          1. Not a trap.
          ### 11.2 Trap cases
          1. A trap.
          2. Another.
          ### 12 End
          3. Not a trap.
          """);

  @Test
  void theRealPagesHold525Behaviours47InvariantsAnd74Traps() {
    var groups = RuleCatalogue.of(Repository.here()).groups();

    assertThat(groups.entrySet().stream().filter(group -> group.getKey().startsWith("S ")))
        .hasSize(29);
    assertThat(groups.values().stream().flatMap(List::stream).filter(one -> one.kind() == 'S'))
        .hasSize(525)
        .doesNotHaveDuplicates();
    assertThat(groups.get("I")).hasSize(47);
    assertThat(groups.get("T")).hasSize(74);
  }

  @Test
  void aTestProvesWhatItsRulesName() {
    var test =
        new SourceFile(
            "a/src/test/java/ATest.java",
            """
            @Rule("I-01")
            class ATest {
              @Test @Rule({"S-001", "T-02"}) void sentence() {}
              @Test @DisplayName("S-003") void other() {}
            }
            """);

    var scan = RuleScan.of(List.of(test), CATALOGUE);

    assertThat(scan.violations()).isEmpty();
    assertThat(scan.proven()).map(RuleId::toString).containsExactly("I-01", "S-001", "T-02");
  }

  @Test
  void aRuleThatNoPageKnowsIsFound() {
    var test =
        new SourceFile(
            "a/src/test/java/ATest.java", "class A {\n  @Rule({\"S-9\", \"S-099\"}) void a() {} }");

    assertThat(RuleScan.of(List.of(test), CATALOGUE).violations())
        .map(Violation::toString)
        .containsExactly(
            "a/src/test/java/ATest.java:2: no page in docs/internals knows rule S-9",
            "a/src/test/java/ATest.java:2: no page in docs/internals knows rule S-099");
  }

  @Test
  void reasonsHoldForRangesAndAnUnknownOrRepeatedNumberIsFound() {
    var page =
        new SourceFile(
            Reasons.PAGE,
            """
            | S-001 to S-003, I-01 | client only |
            | S-003 | twice |
            | S-077 | unknown |
            | S-001 and S-002 | unreadable |
            """);

    var reasons = Reasons.of(page, CATALOGUE);

    assertThat(reasons.byRule()).containsEntry(RuleId.of("S-002"), "client only");
    assertThat(reasons.violations())
        .map(Violation::complaint)
        .containsExactly(
            "S-003 is explained twice", "no page knows S-077", "cannot read S-001 and S-002");
  }

  @Test
  void thePrintOutGroupsByLetterAndCollapsesRanges() {
    var page = new SourceFile(Reasons.PAGE, "| S-001, S-004 | later |");
    var reasons = Reasons.of(page, CATALOGUE);

    var lines = ProofReport.lines(CATALOGUE, java.util.Set.of(RuleId.of("S-001")), reasons);

    assertThat(lines)
        .contains(
            "  S A    1 of   3  UNEXPLAINED: 002-003",
            "  S AB   0 of   1  with a reason: 004",
            "  T      0 of   2  UNEXPLAINED: 01-02",
            "  S: 4 rules, 1 proven, 1 with a reason, 2 UNEXPLAINED",
            "  proven by now, strike from docs/internals/rules-not-proven.md: 001");
  }

  @Test
  void everyTrapIsPrintedWithItsTestsOrTheReason() {
    var reasons = Reasons.of(new SourceFile(Reasons.PAGE, "| T-02 | later |"), CATALOGUE);
    var test =
        new SourceFile(
            "a/src/test/java/ATest.java", "class ATest { @Rule(\"T-01\") void sentence() {} }");
    var scan = RuleScan.of(List.of(test), CATALOGUE);

    assertThat(ProofReport.traps(CATALOGUE, scan.provers(), reasons))
        .contains("  T-01  ATest.sentence", "  T-02  - later");
  }

  @Test
  void aStoryOfASuiteProvesItsRulesOnlyWhenItWasToldWithoutAFault() {
    var told = new ArrayList<SuiteReports.Story>();

    SuiteReports.read(
        "r", "go", "{\"test\":\"a\",\"rules\":[\"S-001\",\"T-02\"],\"ok\":true}", told);
    SuiteReports.read("r", "go", "{\"test\":\"b\",\"rules\":[\"S-002\"],\"ok\":false}", told);
    SuiteReports.read("r", "go", "{\"refusal\":\"x\",\"class\":\"y\"}", told);

    assertThat(told)
        .containsExactly(new SuiteReports.Story("r", "go: a", List.of("S-001", "T-02")));
  }

  @Test
  void aSkippedTestIsListedWithItsReasonOrFailsTheBuild(@TempDir Path root) throws Exception {
    Files.createDirectories(root.resolve("a/src/test/java/p"));
    Files.writeString(root.resolve("a/src/test/java/p/ATest.java"), "");
    var report =
        """
        <testsuite>
          <testcase name="one" classname="p.ATest"><skipped type="x"><![CDATA[\
        org.opentest4j.TestAbortedException: NotRun: no Node
            at p.ATest.one(ATest.java:9)
          ]]></skipped></testcase>
          <testcase name="two" classname="p.ATest$Inner"><skipped message="NotRun: not"/></testcase>
          <testcase name="three" classname="p.GoneTest"><skipped message="off"/></testcase>
          <testcase name="four" classname="p.ATest"/>
        </testsuite>
        """;
    var skipped = new SkippedTests(new ArrayList<>(), new ArrayList<>());

    skipped.read(
        "a",
        Repository.at(root),
        new ByteArrayInputStream(report.getBytes(StandardCharsets.UTF_8)));

    assertThat(skipped.notRun()).containsExactly("a ATest.one: no Node");
    assertThat(skipped.violations())
        .map(Violation::toString)
        .containsExactly("a: ATest$Inner.two was skipped without NotRun.because(...)");
  }
}
