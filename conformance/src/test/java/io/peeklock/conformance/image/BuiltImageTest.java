package io.peeklock.conformance.image;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.peeklock.conformance.BrokerOutput;
import io.peeklock.conformance.Command;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Patience;
import io.peeklock.proof.NotRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The image, built by buildah on a base of this machine's own, and started in namespaces as strict
 * clusters do: on a read-only root, by a user that nobody has heard of, with 256 MiB.
 */
class BuiltImageTest {
  private static final String BASE = "localhost/peeklock-base:test";
  private static final String IMAGE = "localhost/peeklock:test";
  private static final String ANY_USER = "123456:0";

  /** Makes root, memory's limit and the volume of a container, and runs what follows in it. */
  private static final String CONTAINER =
      """
      set -e
      root=$1 data=$2; shift 2
      mount --bind "$root" "$root"
      mount -t tmpfs -o mode=755 none "$root/sys"
      mkdir -p "$root/sys/fs/cgroup"
      echo 268435456 >"$root/sys/fs/cgroup/memory.max"
      mount -t proc none "$root/proc"
      mount -t tmpfs -o mode=1777 none "$root/tmp"
      mount --bind "$data" "$root/data"
      mount --rbind /dev "$root/dev"
      mount -o remount,bind,ro "$root"
      exec chroot --userspec=ANY_USER "$root" "$@"
      """
          .replace("ANY_USER", ANY_USER);

  private @TempDir Path folder;

  @Test
  void itServesOnAReadOnlyRootAsAnyUserWithinItsMemory() throws IOException {
    needTools();
    build();
    var config = inspect().path("config");
    var root = Path.of(buildah("mount", buildah("from", "--pull-never", IMAGE)));
    var data = Files.createDirectory(folder.resolve("data"));
    Command.must("chmod", "1777", data.toString());
    var port = freePort();

    var broker = start(root, data, config, "--port", port, "--queue", "orders");
    try {
      var output = new BrokerOutput();
      output.collect(broker.getInputStream(), "image");
      Patience.until(
          "it is up", () -> output.text().contains("Successfully Up") || !broker.isAlive());
      assertThat(broker.isAlive()).as(output.text()).isTrue();
      assertThat(output.text()).contains("orders").contains("SharedAccessKey=");
      assertThat(commandLine(broker)).contains("-Xmx115m");

      var check = words(config.at("/Healthcheck/Test"));
      assertThat(check.removeFirst()).isEqualTo("CMD");
      check.addAll(List.of("--port", port));
      var asked = container(root, data, config, check);
      Patience.until("healthy", () -> Command.run(asked).exitCode() == 0);

      var write = List.of("/bin/sh", "-c", "echo x >/opt/peeklock/x");
      assertThat(Command.run(container(root, data, config, write)).said()).contains("Read-only");

      broker.children().forEach(ProcessHandle::destroy);
      Patience.until("it is down", () -> !broker.isAlive());
      assertThat(broker.exitValue()).as(output.text()).isZero();
    } finally {
      broker.descendants().forEach(ProcessHandle::destroyForcibly);
      broker.destroyForcibly();
    }
  }

  @Test
  void theRecipeNamesTheVersionThatIsBuilt() throws IOException {
    var sources = Folders.module().resolveSibling("");
    var pom = Files.readString(sources.resolve("pom.xml"));
    var version = pom.replaceFirst("(?s).*?<version>([^<]+)</version>.*", "$1");

    assertThat(Files.readString(sources.resolve("Containerfile")))
        .contains("ARG VERSION=" + version);
    assertThat(Files.readString(sources.resolve("deploy/helm/peeklock/Chart.yaml")))
        .contains("appVersion: " + version);
  }

  private static void needTools() {
    for (var tool : List.of("buildah", "unshare", "chroot", "ldd")) {
      if (!Command.exists(tool)) {
        throw NotRun.because("no " + tool + " on this machine");
      }
    }
    if (Command.run(List.of("unshare", "--mount", "--pid", "--fork", "true")).exitCode() != 0) {
      throw NotRun.because("who runs the tests may not make namespaces");
    }
  }

  private void build() throws IOException {
    Files.writeString(
        folder.resolve("policy.json"), "{\"default\":[{\"type\":\"insecureAcceptAnything\"}]}");
    Files.writeString(folder.resolve("registries.conf"), "");
    var root = folder.resolve("base");
    BaseImage.make(root);
    var container = buildah("from", "scratch");
    buildah("add", "--quiet", container, root.toString(), "/");
    buildah("commit", "--quiet", "--signature-policy", policy(), container, BASE);
    var sources = Folders.module().resolveSibling("").toString();
    buildah(
        Stream.of(
                List.of("build", "--signature-policy", policy(), "--format", "docker"),
                List.of("--isolation", "chroot", "--network", "host", "--pull-never"),
                List.of("--build-arg", "BASE=" + BASE, "--tag", IMAGE),
                List.of("--file", sources + "/Containerfile", sources))
            .flatMap(List::stream)
            .toArray(String[]::new));
  }

  private String policy() {
    return folder.resolve("policy.json").toString();
  }

  private JsonNode inspect() throws IOException {
    var image = new ObjectMapper().readTree(buildah("inspect", "--type", "image", IMAGE));
    var made = image.path("Docker");
    var labels = made.at("/config/Labels");
    assertThat(labels.path("org.opencontainers.image.licenses").asText()).isEqualTo("Apache-2.0");
    assertThat(labels.path("org.opencontainers.image.version").asText()).isNotBlank();
    assertThat(made.at("/config/User").asText()).isEqualTo("10001");
    assertThat(made.at("/config/Volumes").has("/data")).isTrue();
    return made;
  }

  private static Process start(Path root, Path data, JsonNode config, String... options)
      throws IOException {
    var program = words(config.path("Entrypoint"));
    program.addAll(words(config.path("Cmd")));
    program.addAll(List.of(options));
    var words = container(root, data, config, program);
    var process = new ProcessBuilder(words).redirectErrorStream(true).start();
    process.getOutputStream().close();
    return process;
  }

  /** The words that run a program in the container, with the image's variables and no others. */
  private static List<String> container(
      Path root, Path data, JsonNode config, List<String> program) {
    var words =
        new ArrayList<>(
            List.of(
                "unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", CONTAINER));
    words.addAll(List.of("sh", root.toString(), data.toString(), "/usr/bin/env", "-i"));
    words.addAll(List.of("PATH=/usr/sbin:/usr/bin", "HOME=/"));
    words.addAll(words(config.path("Env")));
    words.addAll(program);
    return words;
  }

  private static List<String> words(JsonNode list) {
    return new ArrayList<>(
        StreamSupport.stream(list.spliterator(), false).map(JsonNode::asText).toList());
  }

  private static String commandLine(Process container) throws IOException {
    var broker = container.children().findFirst().orElseThrow();
    return Files.readString(Path.of("/proc", Long.toString(broker.pid()), "cmdline"));
  }

  private static String freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return Integer.toString(socket.getLocalPort());
    }
  }

  /** Of its own images and containers, which go with the test's folder. */
  private String buildah(String... words) {
    var all =
        Stream.of(
                List.of("buildah", "--storage-driver", "vfs"),
                List.of("--root", folder.resolve("images").toString()),
                List.of("--runroot", folder.resolve("run").toString()),
                List.of("--registries-conf", folder.resolve("registries.conf").toString()),
                List.of(words))
            .flatMap(List::stream)
            .toList();
    var command = Command.run(all);
    assertThat(command.exitCode()).as(String.join(" ", words) + ": " + command.said()).isZero();
    return command.said();
  }
}
