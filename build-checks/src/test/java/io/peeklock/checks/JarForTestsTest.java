package io.peeklock.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.NotRun;
import java.io.IOException;
import java.nio.file.Files;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** The jar that tests of users have beside their own libraries, in whatever versions. */
class JarForTestsTest {
  @Test
  void allClassesAreUnderOurName() throws IOException {
    var target = Repository.here().root().resolve("junit").resolve("target");
    var jar = target.resolve("peeklock-junit-0.1.0-SNAPSHOT.jar");
    if (!Files.exists(target.resolve("dependency-reduced-pom.xml")) || !Files.exists(jar)) {
      throw NotRun.because("the jar is not made yet: mvn verify makes it");
    }
    try (var file = new JarFile(jar.toFile())) {
      var classes = file.stream().map(ZipEntry::getName).filter(name -> name.endsWith(".class"));
      assertThat(classes)
          .isNotEmpty()
          .anyMatch(name -> name.startsWith("io/peeklock/shaded/netty/channel/"))
          .allMatch(name -> name.startsWith("io/peeklock/"));
    }
    assertThat(Files.readString(target.resolve("dependency-reduced-pom.xml")))
        .contains("slf4j-api")
        .doesNotContain("<groupId>io.netty");
  }
}
