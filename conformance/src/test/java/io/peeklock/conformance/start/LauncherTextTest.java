package io.peeklock.conformance.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What can be read of the launchers where neither macOS nor Windows is there to run them. */
class LauncherTextTest {
  private static final Pattern OURS = Pattern.compile("(?m)^    ([a-z |-]+)\\) ;;$");
  private static final Pattern THEIRS = Pattern.compile("for %%C in \\(([a-z -]+)\\)");

  private static String launcher() throws IOException {
    return Files.readString(Folders.module().resolve("../peeklock"));
  }

  /** Of bash 4 and GNU, where macOS has bash 3.2 and BSD. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "readlink -f",
        "-quit",
        "sed -n '0,",
        "sed -i",
        "declare -A",
        "mapfile",
        "readarray",
        ",,}",
        "^^}",
        "|&",
        "&>>",
        "${EPOCHSECONDS",
        " stat -c",
        "date +%s%N",
        "grep -P",
        "xargs -r",
        " \"${shared[@]}\"",
        " \"${terminal[@]}\""
      })
  void olderShellsAndOtherToolsTakeAllThatItSays(String newer) throws IOException {
    assertThat(launcher()).doesNotContain(newer);
  }

  @Test
  void theLauncherForWindowsHasTheSameCommands() throws IOException {
    var windows = Files.readString(Folders.module().resolve("../dist/src/archive/peeklock.cmd"));
    var ours = new TreeSet<String>();
    OURS.matcher(launcher()).results().forEach(line -> add(line.group(1), ours));
    ours.removeAll(Set.of("demo", "simulate", "prepare", "java"));
    var theirs = new TreeSet<>(Set.of("store"));
    THEIRS.matcher(windows).results().forEach(line -> add(line.group(1), theirs));

    assertThat(ours).contains("serve", "peek", "store", "health");
    assertThat(theirs).isEqualTo(ours);
  }

  private static void add(String words, Set<String> into) {
    for (var word : words.split("[ |]+", -1)) {
      if (!word.isBlank()) {
        into.add(word);
      }
    }
  }
}
