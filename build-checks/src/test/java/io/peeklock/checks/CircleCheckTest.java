package io.peeklock.checks;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The check is fed circles that are too large, and what looks like one. */
class CircleCheckTest {

  private @TempDir Path folder;
  private final ArchRule rule = CircleCheck.noLargeCircles();

  @Test
  void aCircleOfFourIsTooLargeAndOneOfThreeIsNot() {
    assertThat(complaints("class A { B b; }", "class B { C c; }", "class C { D d; }", "class D {}"))
        .isEmpty();
    assertThat(
            complaints(
                "class A { B b; }", "class B { C c; }", "class C { A a; }", "class D { A a; }"))
        .isEmpty();
    assertThat(
            complaints(
                "class A { B b; }",
                "class B { C c; }",
                "class C { void m() { new D(); } }",
                "class D { A[] as; }"))
        .containsExactly(
            "4 classes know each other, at most 3: kernel.A, kernel.B, kernel.C, kernel.D");
  }

  @Test
  void twoCirclesThatShareAClassAreOne() {
    assertThat(
            complaints(
                "class A { B b; C c; D d; }",
                "class B { A a; }",
                "class C { A a; }",
                "class D { A a; }"))
        .hasSize(1);
    assertThat(
            complaints(
                "class A { B b; C c; }",
                "class B { A a; }",
                "class C { D d; }",
                "class D { C c; }"))
        .isEmpty();
  }

  @Test
  void aNestedClassCountsAsTheOneAroundIt() {
    assertThat(
            complaints(
                "class A { B b; static class Part { B b; } }",
                "class B { C.Inner c; }",
                "class C { static class Inner { A.Part a; } }"))
        .isEmpty();
    assertThat(
            complaints(
                "class A { static class Part { B b; } }",
                "class B { C.Inner c; }",
                "class C { static class Inner { D d; } }",
                "class D { A a; }"))
        .hasSize(1);
  }

  @Test
  void aSealedTypeAndWhatItPermitsCountAsOne() {
    assertThat(
            complaints(
                "sealed abstract class A permits B, C { D d; }",
                "final class B extends A {}",
                "final class C extends A { E e; }",
                "class D { B b; }",
                "class E { C c; }"))
        .isEmpty();
    assertThat(
            complaints(
                "abstract class A { B b; C c; D d; }",
                "class B extends A {}",
                "class C extends A {}",
                "class D { A a; }"))
        .hasSize(1);
  }

  @Test
  void packagesOfEveryModuleAreCovered() {
    var four =
        List.of("class A { B b; }", "class B { C c; }", "class C { D d; }", "class D { A a; }");

    assertThat(complaintsIn("amqp.send", four)).hasSize(1);
    assertThat(complaintsIn("amqp.engine", four)).hasSize(1);
    assertThat(complaintsIn("amqp.engine.link", four)).hasSize(1);
    assertThat(complaintsIn("testkit", four)).isEmpty(); // no module of the product
  }

  private List<String> complaints(String... types) {
    return complaintsIn("kernel", List.of(types));
  }

  private List<String> complaintsIn(String module, List<String> types) {
    var source =
        new SourceFile(
            "io/peeklock/" + module.replace('.', '/') + "/All.java",
            "package io.peeklock." + module + "; " + String.join("\n", types));
    return rule.evaluate(WallsTest.compileAlone(fresh(), source)).getFailureReport().getDetails();
  }

  private Path fresh() {
    try {
      return Files.createTempDirectory(folder, "classes");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
