package io.peeklock.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Each check is fed a violation and something blameless that looks like one. */
class ChecksBiteTest {

  private static final String BODY = "    int a;\n";

  @Test
  void aMethodOf71LinesIsTooLongAndOneOf70IsNot() {
    assertThat(complaints(new SizeCheck(), method(69)))
        .containsExactly("a/src/main/java/A.java:2: m() has 71 lines, at most 70");
    assertThat(complaints(new SizeCheck(), method(68))).isEmpty();
  }

  @Test
  void aLongInitialiserOrConstructorIsTooLong() {
    var block =
        java("a/src/main/java/A.java", "class A {\n  static {\n" + BODY.repeat(69) + "  }\n}\n");
    var constructor =
        java("a/src/main/java/A.java", "class A {\n  A() {\n" + BODY.repeat(69) + "  }\n}\n");

    assertThat(complaints(new SizeCheck(), block)).hasSize(1);
    assertThat(complaints(new SizeCheck(), constructor)).hasSize(1);
  }

  @Test
  void aMethodWith13WaysThroughItHasTooManyAndOneWith12HasNot() {
    assertThat(complaints(new ComplexityCheck(), method("if (a || b && c) {}\n", 4)))
        .containsExactly("a/src/main/java/A.java:2: m() has 13 ways through it, at most 12");
    assertThat(complaints(new ComplexityCheck(), method("if (a) {}\n", 11))).isEmpty();
    assertThat(complaints(new ComplexityCheck(), method("x = a ? b : c;\n", 12))).hasSize(1);
    assertThat(complaints(new ComplexityCheck(), method("for (;;) { while (a) {} }\n", 6)))
        .hasSize(1);
    assertThat(complaints(new ComplexityCheck(), method("for (T t : a) {}\n", 12))).hasSize(1);
    assertThat(complaints(new ComplexityCheck(), method("do {} while (a);\n", 12))).hasSize(1);
    assertThat(complaints(new ComplexityCheck(), method("try {} catch (E e) {}\n", 12))).hasSize(1);
  }

  @Test
  void aSwitchOfArrowsCountsOnceAndOneThatFallsThroughEachOfItsCases() {
    var arrows = "switch (a) {\n" + "case 1 -> b();\n".repeat(20) + "}\n";
    var falling = "switch (a) {\n" + "case 1: b();\n".repeat(20) + "}\n";
    var yielding = "x = switch (a) {\n" + "case 1 -> 1;\n".repeat(20) + "};\n";

    assertThat(complaints(new ComplexityCheck(), method(arrows, 11))).isEmpty();
    assertThat(complaints(new ComplexityCheck(), method(arrows, 12))).hasSize(1);
    assertThat(complaints(new ComplexityCheck(), method(yielding, 12))).hasSize(1);
    assertThat(complaints(new ComplexityCheck(), method(falling, 1))).hasSize(1);
  }

  @Test
  void waysThroughAClassWithinAMethodAreItsOwnAndTestsMayHaveMany() {
    var inner = "class B { void n() {" + "if (a) {}".repeat(11) + "} }\n";

    assertThat(complaints(new ComplexityCheck(), method(inner + "if (a) {}\n", 1))).isEmpty();
    assertThat(
            complaints(
                new ComplexityCheck(),
                java(
                    "a/src/test/java/A.java",
                    "class A { void m() {" + "if (a) {}".repeat(20) + "} }")))
        .isEmpty();
  }

  @Test
  void longProofsAreCountedByTheirReports() {
    var ran = java("a/src/test/java/p/ATest.java", "@LongProof\nclass ATest {}");
    var left = java("a/src/test/java/p/BTest.java", "@LongProof\n@Timeout(9)\nclass BTest {}");
    var part = java("a/src/test/java/p/CTest.java", "class CTest {\n  @Test\n  @LongProof\n}");
    var report = "a/target/surefire-reports/TEST-p.ATest.xml";

    assertThat(LongProofs.line(List.of(ran, left, part), report::equals))
        .isEqualTo(
            "Classes of long proofs that have run in this checkout: 1 of 2; mvn -B verify -Pproof"
                + " runs them all");
    assertThat(LongProofs.line(List.of(ran, part), report::equals))
        .isEqualTo("Classes of long proofs that have run in this checkout: 1 of 1");
  }

  @Test
  void aPackageWithoutItsDocIsFound() {
    var code = java("a/src/main/java/p/A.java", "package p;");
    var doc = java("a/src/main/java/p/package-info.java", "/** P. */\n@NullMarked\npackage p;");
    var test = java("a/src/test/java/p/ATest.java", "package p;");
    var bare = java("a/src/main/java/p/package-info.java", "/** P. */\npackage p;");

    assertThat(complaints(new PackageDocCheck(), code))
        .containsExactly("a/src/main/java/p: no package-info.java");
    assertThat(complaints(new PackageDocCheck(), code, doc, test)).isEmpty();
    assertThat(complaints(new PackageDocCheck(), code, bare)).hasSize(1);
  }

  @Test
  void aMarkerOfUnfinishedWorkNeedsAnIssue() {
    var loose = java("a/A.java", "class A {} // TO" + "DO: later");
    var tied = java("a/A.java", "class A {} // TO" + "DO(#12): later");

    assertThat(complaints(new LooseEndCheck(), loose)).hasSize(1);
    assertThat(complaints(new LooseEndCheck(), tied)).isEmpty();
  }

  @Test
  void aTestThatIsSwitchedOffIsFoundHoweverItIsSpelled() {
    assertThat(complaints(new LooseEndCheck(), java("A.java", "@Disabled class A {}"))).hasSize(1);
    assertThat(
            complaints(
                new LooseEndCheck(), java("A.java", "class A { @x.DisabledOnOs(1) void m() {} }")))
        .hasSize(1);
    assertThat(
            complaints(
                new LooseEndCheck(), java("A.java", "class A { String s = \"@Disabled\"; }")))
        .isEmpty();
  }

  @Test
  void aLineOfTheLogWithoutAPaceIsFoundWhereClientsAreHeard() {
    var line = "class A { void m() { LOG.warn(\"a\"); } }";

    assertThat(complaints(new LogCheck(), java("http/src/main/java/A.java", line))).hasSize(1);
    assertThat(complaints(new LogCheck(), java("amqp/src/main/java/A.java", line))).hasSize(1);
    assertThat(complaints(new LogCheck(), java("http/src/test/java/A.java", line))).isEmpty();
    assertThat(complaints(new LogCheck(), java("server/src/main/java/A.java", line))).isEmpty();
    assertThat(complaints(new LogCheck(), java("amqp/src/main/java/WireLog.java", line))).isEmpty();
  }

  @Test
  void aRelativeLinkThatLeadsNowhereIsFound() {
    var page =
        new SourceFile(
            "docs/page.md",
            """
            [gone](../gone.md) [here](../README.md#top) [web](https://example.org/x) [top](#top)
            `[code](nowhere.md)`
            ```
            [code](nowhere.md)
            ```
            """);

    assertThat(complaints(new LinkCheck("README.md"::equals), page))
        .containsExactly("docs/page.md:1: dead link: ../gone.md");
  }

  @Test
  void aNamedTestThatIsNotThereIsFound() {
    var test =
        new SourceFile("amqp/src/test/java/a/SendTest.java", "class SendTest { void one() {} }");
    var page =
        new SourceFile(
            NamedTestCheck.PAGE,
            """
            | `AnyTest.theirs` | sends | `amqp` `SendTest.one`, `two`; `amqp` `NoTest`, `go` `TestX` |
            Proved by `amqp` `SendTest.three`, and by `SendTest`.
            """);

    assertThat(new NamedTestCheck().check(List.of(test, page)))
        .map(Violation::toString)
        .containsExactly(
            NamedTestCheck.PAGE + ":1: no test named two",
            NamedTestCheck.PAGE + ":1: no test amqp NoTest",
            NamedTestCheck.PAGE + ":2: no test named three");
  }

  @Test
  void anImportFromAboveIsFoundThoughOnlyACommentNeedsIt() {
    var path = "kernel/src/main/java/A.java";
    var comment = "/** {@link B}. */\nclass A {}\n";
    var above =
        "package io.peeklock.kernel.columns;\nimport io.peeklock.kernel.state.B;\n" + comment;
    var below =
        "package io.peeklock.kernel.state;\nimport io.peeklock.kernel.columns.B;\n" + comment;
    var base =
        "package io.peeklock.kernel.state;\nimport io.peeklock.kernel.Invariant;\n" + comment;
    var engine =
        "package io.peeklock.amqp.link;\nimport io.peeklock.amqp.engine.link.B;\n" + comment;

    assertThat(complaints(new ImportCheck(PackageLayers.ALL), java(path, above)))
        .containsExactly(
            path + ":2: io.peeklock.kernel.columns may not import from io.peeklock.kernel.state");
    for (var allowed : List.of(below, base, engine)) {
      assertThat(complaints(new ImportCheck(PackageLayers.ALL), java(path, allowed))).isEmpty();
    }
    assertThat(
            complaints(
                new ImportCheck(PackageLayers.ALL), java("kernel/src/test/java/A.java", above)))
        .isEmpty();
  }

  @Test
  void aPageThatNamesAClassThatIsNotThereIsFound() {
    var code =
        java("a/src/main/java/StepBudget.java", "class StepBudget { void allowsSlice() {} }");
    var page =
        new SourceFile(
            "docs/adr/page.md",
            """
            `StepBudget.allowsSlice` and `StepPurse`, `Content-Type`, `/EntityPath` and Azure's ServiceBus
            ```
            LaterClass
            ```
            """);
    var guide = new SourceFile("docs/guide/page.md", "`StepPurse`");

    assertThat(complaints(new ClassNameCheck(), code, page, guide))
        .containsExactly("docs/adr/page.md:1: there is no class StepPurse");
  }

  @Test
  void aModuleThatIsNotOnTheMapOrHasNoTestIsFound() {
    var map = new SourceFile("ARCHITECTURE.md", "`kernel/` rules");
    var code = java("kernel/src/main/java/A.java", "class A {}");
    var test = java("kernel/src/test/java/ATest.java", "class ATest { @Test void a() {} }");

    assertThat(complaints(new ModuleCheck(List.of("kernel", "codec")), map, code))
        .containsExactly(
            "kernel: has code and not one test",
            "ARCHITECTURE.md: does not name the module `codec/`");
    assertThat(complaints(new ModuleCheck(List.of("kernel")), map, code, test)).isEmpty();
  }

  @Test
  void sourcesThatNobodyAnalysesAreFound() {
    var pom = new SourceFile("static-analysis/pom.xml", "<r>${x}/../kernel/src/main/java</r>");
    var code = java("kernel/src/main/java/A.java", "class A {}");
    var test = java("kernel/src/test/java/ATest.java", "class ATest {}");

    assertThat(complaints(new AnalysisCheck(List.of("kernel")), pom, code)).isEmpty();
    assertThat(complaints(new AnalysisCheck(List.of("kernel", "codec")), pom, code, test))
        .containsExactly("static-analysis/pom.xml: does not name kernel/src/test/java");
  }

  private static SourceFile method(int bodyLines) {
    return method(BODY, bodyLines);
  }

  private static SourceFile method(String line, int times) {
    return java(
        "a/src/main/java/A.java", "class A {\n  void m() {\n" + line.repeat(times) + "  }\n}\n");
  }

  private static SourceFile java(String path, String text) {
    return new SourceFile(path, text);
  }

  private static List<String> complaints(Check check, SourceFile... files) {
    return check.check(List.of(files)).stream().map(Violation::toString).toList();
  }
}
