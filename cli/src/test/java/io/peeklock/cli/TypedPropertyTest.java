package io.peeklock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Date;
import org.junit.jupiter.api.Test;

/** Properties have the type that was written. */
class TypedPropertyTest {
  @Test
  void aTextUnlessSomethingElseIsSaid() {
    assertThat(TypedProperty.of("n", "5")).isEqualTo(new TypedProperty("n", "5"));
    assertThat(TypedProperty.of("urn:x.y", "5")).isEqualTo(new TypedProperty("urn:x.y", "5"));
    assertThat(TypedProperty.of("n", "")).isEqualTo(new TypedProperty("n", ""));
  }

  @Test
  void whatJsonHas() {
    assertThat(TypedProperty.of("n:", "100")).isEqualTo(new TypedProperty("n", 100L));
    assertThat(TypedProperty.of("n:", "-0.5")).isEqualTo(new TypedProperty("n", -0.5));
    assertThat(TypedProperty.of("n:", "true")).isEqualTo(new TypedProperty("n", true));
    assertThat(TypedProperty.of("n:", "null")).isEqualTo(new TypedProperty("n", null));
    assertThat(TypedProperty.of("a:b:", "1")).isEqualTo(new TypedProperty("a:b", 1L));
  }

  @Test
  void whatAmqpHas() {
    assertThat(TypedProperty.of("n:int", "100")).isEqualTo(new TypedProperty("n", 100));
    assertThat(TypedProperty.of("n:string", "100")).isEqualTo(new TypedProperty("n", "100"));
    assertThat(TypedProperty.of("n:timestamp", "1970-01-01T00:00:01Z"))
        .isEqualTo(new TypedProperty("n", Date.from(Instant.ofEpochMilli(1_000))));
  }
}
