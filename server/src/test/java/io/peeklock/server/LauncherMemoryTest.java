package io.peeklock.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the launcher promises of so much memory is there, in a JVM with the launcher's flags. */
@Timeout(300)
class LauncherMemoryTest {
  private static final long MIB = 1L << 20;
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

  @ParameterizedTest
  @ValueSource(longs = {512, 1_024, 4_096})
  @Rule("I-46")
  void everyPartCanBeTakenWhileTheOthersAreTaken(long mebibytes) throws Exception {
    var command = new ArrayList<>(List.of(JAVA.toString()));
    command.addAll(flags(mebibytes));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(TakesAllMemory.class.getName());

    var said = run(new ProcessBuilder(command));

    var heap = Math.min(1_024, mebibytes * 45 / 100);
    var taken = new TreeMap<String, String>();
    said.lines()
        .forEach(line -> taken.put(line.replaceAll(" .*", ""), line.replaceAll("^\\S+ ", "")));
    assertThat(taken).as(said).containsKeys("heap", "network", "bodies", "resident", "kept");
    assertThat(taken)
        .containsEntry(
            "shares",
            MIB * Math.min(512, mebibytes * 15 / 100)
                + " "
                + MIB * Math.min(768, mebibytes * 20 / 100));
    assertThat(number(taken, "maximum")).isGreaterThan(MIB * heap * 19 / 20);
    assertThat(number(taken, "resident")).isLessThan(mebibytes * MIB);
  }

  @ParameterizedTest
  @CsvSource({
    "512, PEEKLOCK_HEAP is not a size such as 512m or 2g: 512",
    "abc, PEEKLOCK_HEAP is not a size such as 512m or 2g: abc",
    "10m, PEEKLOCK_HEAP is 10m; 48m is the least",
    "49151K, PEEKLOCK_HEAP is 49151K; 48m is the least",
    "48m, -Xmx48m",
    "2G, -Xmx2G",
    "49152k, -Xmx49152k",
  })
  @Rule("I-46")
  void aHeapThatIsNoneIsSaidToBeNone(String heap, String said) throws Exception {
    var asked = asking();
    asked.environment().put("PEEKLOCK_HEAP", heap);
    var process = asked.redirectErrorStream(true).start();
    process.getOutputStream().close();

    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .contains(said);
    assertThat(process.waitFor() == 0).isEqualTo(said.startsWith("-Xmx"));
  }

  private static long number(Map<String, String> taken, String name) {
    return Long.parseLong(taken.getOrDefault(name, ""));
  }

  /** As the launcher would start the broker with this JDK where there is so much memory. */
  private static List<String> flags(long mebibytes) throws Exception {
    var asked = asking();
    asked.environment().put("PEEKLOCK_MEMORY", "" + mebibytes);
    asked.environment().keySet().removeAll(List.of("PEEKLOCK_HEAP", "PEEKLOCK_BODY_MEMORY"));
    var flags = run(asked).lines().toList();
    assertThat(flags).anyMatch(flag -> flag.startsWith("-XX:MaxDirectMemorySize="));
    return flags;
  }

  /** Has the launcher print its flags for this JDK, one a line. */
  private static ProcessBuilder asking() {
    var asked =
        new ProcessBuilder(
            "bash",
            "-c",
            ". \"$1\" && find_java && jvm_flags && printf '%s\\n' \"${flags[@]}\"",
            "flags",
            ROOT.resolve("peeklock").toString());
    asked.environment().put("PEEKLOCK_JAVA", JAVA.toString());
    return asked;
  }

  private static String run(ProcessBuilder builder) throws IOException, InterruptedException {
    var process = builder.redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(said).isZero();
      return said;
    } finally {
      process.destroyForcibly();
    }
  }
}
