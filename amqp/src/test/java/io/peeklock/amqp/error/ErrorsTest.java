package io.peeklock.amqp.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.Rule;
import org.junit.jupiter.api.Test;

/** What a client is told of a refusal, whatever names and ids it brought. */
class ErrorsTest {
  private final Errors errors = new Errors("name{space}", "node", () -> 0);

  /** .NET's client takes the text for a format. */
  @Test
  @Rule("S-515")
  void aDescriptionHasNoBraces() {
    var error = errors.error(Conditions.NOT_FOUND, "There is no session '{id}' here", "q{0}");

    assertThat(error.description())
        .startsWith("There is no session '(id)' here. TrackingId:")
        .contains("SystemTracker:name(space):Queue:q(0), Timestamp:1970-01-01T00:00:00")
        .doesNotContain("{", "}");
    assertThat(errors.text(Conditions.NOT_FOUND, errors.notFound("{"), "}"))
        .doesNotContain("{", "}");
  }

  @Test
  @Rule("S-515")
  void norHasItLineBreaks() {
    assertThat(errors.text(Conditions.NOT_FOUND, "a\nb\u0085c", "q")).startsWith("a?b?c. ");
    assertThat(Errors.loggable("a\r{b}")).isEqualTo("a?(b)");
  }
}
