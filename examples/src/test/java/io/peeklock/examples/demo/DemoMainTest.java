package io.peeklock.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class DemoMainTest {
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final DemoMain demo =
      new DemoMain(new PrintStream(printed, true, StandardCharsets.UTF_8));

  @Test
  void aSceneIsPrintedBesideTheArticle() {
    assertThat(demo.play(new Scene("S-1", "so", () -> new Result("it was so", true)))).isTrue();

    assertThat(said()).contains("S-1", "so", "it was so", "as written");
  }

  @Test
  void aSceneThatWentOtherwiseDiffers() {
    assertThat(demo.play(new Scene("S-1", "so", () -> new Result("it was not", false)))).isFalse();

    assertThat(said()).contains("it was not", "DIFFERS");
  }

  @Test
  void aSceneThatCouldNotBePlayedDiffersAndSaysWhy() {
    var broken =
        new Scene(
            "S-1",
            "so",
            () -> {
              throw new IOException("the line is dead");
            });

    assertThat(demo.play(broken)).isFalse();

    assertThat(said()).contains("the line is dead", "DIFFERS");
  }

  private String said() {
    return printed.toString(StandardCharsets.UTF_8);
  }
}
