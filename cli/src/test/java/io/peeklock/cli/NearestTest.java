package io.peeklock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is near is said, and nothing else. */
class NearestTest {
  private static final List<String> WORDS =
      List.of("send", "receive", "peek", "queue", "dead-letters", "MaxDeliveryCount");

  @ParameterizedTest
  @CsvSource({
    "recieve, receive",
    "sned, send",
    "SEND, send",
    "quue, queue",
    "deadletters, dead-letters",
    "dead, dead-letters",
    "maxdeliverycont, MaxDeliveryCount",
  })
  void whatIsNearIsSaid(String typed, String meant) {
    assertThat(Nearest.hint(typed, WORDS)).isEqualTo(" (did you mean " + meant + "?)");
  }

  @ParameterizedTest
  @CsvSource({"fetch", "x", "zz", "explode", "''"})
  void whatIsFarIsNot(String typed) {
    assertThat(Nearest.hint(typed, WORDS)).isEmpty();
  }
}
