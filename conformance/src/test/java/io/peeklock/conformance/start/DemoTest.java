package io.peeklock.conformance.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.Program;
import io.peeklock.proof.Rule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The article, alive: {@code ./peeklock demo} judges itself. */
@Isolated
class DemoTest {
  @Test
  @Rule({
    "S-004", "S-006", "S-007", "S-008", "S-009", "S-012", "S-014", "S-015", "S-016", "S-018",
    "S-021", "S-023", "S-024", "S-026", "S-027", "S-028", "S-029", "S-030", "S-031", "S-032",
    "S-033", "S-034", "S-036", "S-037", "S-038", "S-040", "S-041", "S-044"
  })
  void everySentenceIsAsWritten() {
    var demo = Program.run("demo");

    assertThat(demo.said()).contains("All as the article says").doesNotContain("DIFFERS");
    assertThat(demo.exitCode()).isZero();
  }

  @Test
  void withoutARoundTripTheAwaitedSendsAreTooFastAndItSaysSo() {
    var demo = Program.run("demo", "--round-trip", "0");

    assertThat(demo.said()).contains("Not as the article says: S-004, S-014");
    assertThat(demo.exitCode()).isEqualTo(1);
  }
}
