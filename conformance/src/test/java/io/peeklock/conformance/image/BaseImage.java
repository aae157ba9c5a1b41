package io.peeklock.conformance.image;

import io.peeklock.conformance.Command;
import io.peeklock.conformance.Folders;
import io.peeklock.proof.NotRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The root of a base image, made of what this machine has: a runtime of this JVM's JDK, and the few
 * programs that the recipe and the launcher call, with their libraries.
 */
final class BaseImage {
  private static final List<String> PROGRAMS =
      List.of(
          "bash",
          "sh",
          "env",
          "sed",
          "grep",
          "find",
          "dirname",
          "basename",
          "readlink",
          "cat",
          "head",
          "mktemp",
          "mkdir",
          "rm",
          "sleep",
          "install",
          "useradd");
  private static final List<String> FOLDERS = List.of("/usr/sbin", "/usr/bin", "/sbin", "/bin");
  private static final Pattern LIBRARY = Pattern.compile("(/\\S+) \\(0x");
  private static final Pattern MODULES = Pattern.compile("<dist.modules>([^<]+)<");

  private final Path root;

  private BaseImage(Path root) {
    this.root = root;
  }

  /** Makes it in a folder that is not there yet. */
  static void make(Path root) throws IOException {
    var base = new BaseImage(root);
    for (var folder :
        List.of("usr/bin", "usr/sbin", "usr/lib", "usr/lib64", "etc", "opt", "proc")) {
      Files.createDirectories(root.resolve(folder));
    }
    for (var folder : List.of("bin", "sbin", "lib", "lib64")) {
      Files.createSymbolicLink(root.resolve(folder), Path.of("usr", folder));
    }
    for (var folder : List.of("dev", "sys")) {
      Files.createDirectory(root.resolve(folder));
    }
    var everybody = Files.createDirectory(root.resolve("tmp"));
    Files.setPosixFilePermissions(everybody, PosixFilePermissions.fromString("rwxrwxrwx"));
    Files.writeString(root.resolve("etc/passwd"), "root:x:0:0:root:/:/bin/sh\n");
    Files.writeString(root.resolve("etc/group"), "root:x:0:\n");
    for (var program : PROGRAMS) {
      base.take(find(program));
    }
    base.takeRuntime();
  }

  private static Path find(String program) {
    return FOLDERS.stream()
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> NotRun.because("no " + program + " for a base image"));
  }

  private void take(Path program) throws IOException {
    copy(program);
    takeLibraries(program);
  }

  private void takeLibraries(Path file) throws IOException {
    var said = Command.run(List.of("ldd", file.toString())).said();
    for (var library : LIBRARY.matcher(said).results().map(it -> Path.of(it.group(1))).toList()) {
      copy(library);
    }
  }

  /** To the same place; what is a link here is a file there. */
  private void copy(Path file) throws IOException {
    var target = root.resolve(Path.of("/").relativize(file));
    if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectories(target.resolveSibling(".").normalize());
      Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
    }
  }

  private void takeRuntime() throws IOException {
    var java = Path.of(System.getProperty("java.home"));
    var jlink = java.resolve("bin/jlink");
    if (!Files.isExecutable(jlink)) {
      throw NotRun.because("no jlink in " + java);
    }
    var modules =
        Optional.of(
                MODULES.matcher(Files.readString(Folders.module().resolveSibling("dist/pom.xml"))))
            .filter(matcher -> matcher.find())
            .orElseThrow()
            .group(1);
    var words = Stream.of("--add-modules", modules, "--strip-debug", "--output");
    var target = root.resolve("opt/jdk").toString();
    var linked =
        Stream.of(Stream.of(jlink.toString()), words, Stream.of(target)).flatMap(it -> it).toList();
    Command.must(linked.toArray(String[]::new));
    takeLibraries(java.resolve("lib/server/libjvm.so"));
  }
}
