package io.peeklock.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How many connections the door lets in. */
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

  @Test
  @Rule("S-438")
  void whoIsJustAboveTheQuotaIsLetInToBeToldSo() {
    var limits = new OpenFiles(1 << 20).limits(5_000);

    assertThat(limits.total()).isEqualTo(5_500);
    assertThat(limits.perAddress()).isEqualTo(1_000);
    assertThat(limits.strangers()).isEqualTo(500);
    assertThat(new OpenFiles(1 << 20).limits(10).total()).isEqualTo(5_500);
    assertThat(new OpenFiles(1 << 20).limits(50_000).total()).isEqualTo(50_500);
  }

  @Test
  void withoutAQuotaOnlyTheOperatingSystemLimits() {
    var limits = new OpenFiles(1 << 20).limits(NO_QUOTA);

    assertThat(limits.total()).isEqualTo((1 << 20) - 512);
    assertThat(limits.perAddress()).isEqualTo(limits.total());
    assertThat(limits.strangers()).isEqualTo(500);
    assertThat(new OpenFiles(Long.MAX_VALUE).limits(NO_QUOTA).total()).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void theLogAlwaysFindsAFile() {
    assertThat(new OpenFiles(1_024).limits(NO_QUOTA).total()).isEqualTo(768);
    assertThat(new OpenFiles(1_024).limits(5_000).total()).isEqualTo(768);
    assertThat(new OpenFiles(4_096).limits(5_000).total()).isEqualTo(3_584);
    assertThat(new OpenFiles(0).limits(NO_QUOTA).total()).isEqualTo(1);
  }
}
