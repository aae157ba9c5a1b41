package io.peeklock.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.Rule;
import io.peeklock.transport.ConnectionLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How many connections the listener accepts. */
class OpenFilesTest {
  private static final int NO_QUOTA = Integer.MAX_VALUE;

  @TempDir Path folder;

  private OpenFiles told(String text) throws IOException {
    return OpenFiles.in(Files.writeString(folder.resolve("limits"), text));
  }

  @Test
  void theOperatingSystemSaysHowManyFilesThereMayBe() throws IOException {
    var text =
        """
        Limit                     Soft Limit           Hard Limit           Units
        Max processes             31202                31202                processes
        Max open files            20000                1048576              files
        """;

    assertThat(told(text).most()).isEqualTo(20_000);
    assertThat(told("Max open files            unlimited  unlimited  files\n").most())
        .isEqualTo(Long.MAX_VALUE);
    assertThat(told("nothing about it\n").most()).isEqualTo(Long.MAX_VALUE);
    assertThat(OpenFiles.in(folder.resolve("missing")).most()).isEqualTo(Long.MAX_VALUE);
  }

  private static ConnectionLimits limits(long files, int quota) {
    return new OpenFiles(files).limits(quota, NO_QUOTA, 500);
  }

  @Test
  @Rule("S-438")
  void whoIsJustAboveTheQuotaIsLetInToBeToldSo() {
    var limits = limits(1 << 20, 5_000);

    assertThat(limits.total()).isEqualTo(5_500);
    assertThat(limits.unauthenticated()).isEqualTo(500);
    assertThat(limits(1 << 20, 10).total()).isEqualTo(5_500);
    assertThat(limits(1 << 20, 50_000).total()).isEqualTo(50_500);
  }

  @Test
  void withoutAQuotaOnlyTheOperatingSystemLimitsAndOneAddressHasHalf() {
    var limits = limits(1 << 20, NO_QUOTA);

    assertThat(limits.total()).isEqualTo((1 << 20) - 512 - 500);
    assertThat(limits.perAddress()).isEqualTo(limits.total() / 2);
    assertThat(limits.unauthenticated()).isEqualTo(500);
    assertThat(limits(Long.MAX_VALUE, NO_QUOTA).total()).isEqualTo(Integer.MAX_VALUE - 500);
  }

  @Test
  void theProfileOrTheOperatorMaySayHowManyComeFromOneAddress() {
    assertThat(new OpenFiles(1 << 20).limits(NO_QUOTA, 7, 500).perAddress()).isEqualTo(7);
    assertThat(new OpenFiles(1 << 20).limits(5_000, 7, 500).perAddress()).isEqualTo(7);
  }

  @Test
  @Rule("I-46")
  void inALittleMemoryFewMayBeUnauthenticated() {
    assertThat(new OpenFiles(1 << 20).limits(NO_QUOTA, NO_QUOTA, 96).unauthenticated())
        .isEqualTo(96);
  }

  @Test
  void theLogAlwaysFindsAFile() {
    for (var files : List.of(0, 1, 64, 1_024, 4_096, 20_000)) {
      for (var quota : List.of(10, 5_000, NO_QUOTA)) {
        var limits = limits(files, quota);
        assertThat(limits.total() + limits.unauthenticated())
            .isLessThanOrEqualTo(Math.max(2, files - Math.min(512, files / 4)));
      }
    }
    assertThat(limits(1_024, NO_QUOTA).total()).isEqualTo(576);
    assertThat(limits(1_024, NO_QUOTA).unauthenticated()).isEqualTo(192);
  }
}
