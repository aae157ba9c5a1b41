package io.peeklock.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A subscription that comes back without its rules takes no message, and the plan says so. */
class LostRulesTest {
  private static final String RULES = "the rules that it had";
  private static final String LOSS = "LOSS      events/Subscriptions/9: 0 kept, and " + RULES;

  @TempDir Path root;

  private Path folder() {
    return root.resolve("data");
  }

  private CommandResult repair(String... more) {
    return CommandResult.repair(folder(), root.resolve("repaired"), more);
  }

  @Test
  @Rule({"I-11", "S-148"})
  void isToldOfOneThatIsMadeAgainAndWasMadeInWhatIsLost() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.carts().topic().topicAgain();
    }
    CommandResult.flip(CommandResult.onlySegment(folder()), CommandResult.offset(folder(), 5) + 30);

    assertThat(repair().code()).isEqualTo(StoreMain.DAMAGED);
    var result = repair("--accept-loss");

    assertThat(result.code()).as(result.out() + result.err()).isZero();
    assertThat(result.out()).contains(LOSS).doesNotContain("LOSS      events/Subscriptions/7");
  }

  @Test
  @Rule({"I-11", "S-148"})
  void theRestIsSavedWhereNobodyTellsWhichSubscriptionARuleIsOf() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.carts().topic().send(10);
    }
    CommandResult.flip(CommandResult.onlySegment(folder()), CommandResult.offset(folder(), 5) + 30);

    var result = repair("--accept-loss");

    assertThat(result.code()).as(result.out() + result.err()).isZero();
    assertThat(result.out())
        .contains("saved     orders: 1 kept", "LOSS      recovered-9: 0 kept, and " + RULES);
  }

  @Test
  @Rule({"I-11", "S-148"})
  void isNotToldOfOneThatHasItsRules() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.carts().topic().topicAgain().send(10).send(10);
    }
    CommandResult.flip(CommandResult.onlySegment(folder()), CommandResult.offset(folder(), 8) + 30);

    var result = repair("--accept-loss");

    assertThat(result.code()).as(result.out() + result.err()).isZero();
    assertThat(result.out()).contains("lost      1 batches").doesNotContain(RULES);
  }
}
