package io.peeklock.conformance.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.Program;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.NotRun;
import io.peeklock.proof.Rule;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** The article, alive: {@code ./peeklock demo} judges itself. */
@Isolated
@Timeout(value = 15, unit = TimeUnit.MINUTES)
@LongProof
class DemoTest {
  private static final Pattern FIRST_TOOK = Pattern.compile("100 accepted in (\\d+) ms");
  private static final int AT_LEAST_MILLIS = 7_000;

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
    if (awaitedMillis(demo) >= AT_LEAST_MILLIS) {
      throw NotRun.because("100 awaited sends take this machine 7 s without a round trip");
    }

    assertThat(demo.said()).contains("Not as the article says: S-004, S-014");
    assertThat(demo.exitCode()).isEqualTo(1);
  }

  private static int awaitedMillis(Program demo) {
    var first = FIRST_TOOK.matcher(demo.said());
    assertThat(first.find()).as(demo.said()).isTrue();
    return Integer.parseInt(first.group(1));
  }
}
