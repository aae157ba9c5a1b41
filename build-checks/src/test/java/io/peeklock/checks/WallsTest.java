package io.peeklock.checks;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class WallsTest {

  private static final JavaClasses MODULES = importModules();

  static Stream<Arguments> walls() {
    return Walls.all().entrySet().stream()
        .map(wall -> Arguments.of(wall.getKey(), wall.getValue()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("walls")
  void noModuleBreaksThroughAWall(String name, ArchRule wall) {
    assertThat(MODULES).isNotEmpty();

    assertThat(wall.evaluate(MODULES).getFailureReport().getDetails()).as(name).isEmpty();
  }

  /** A class in the first package that uses a class of the second: which wall does it break? */
  @ParameterizedTest(name = "{0} uses {1}")
  @CsvSource({
    "kernel, codec, kernel knows nobody",
    "kernel.state, runtime, kernel knows nobody",
    "kernel.columns, kernel.state, kernel.columns knows those below",
    "kernel.apply, kernel.send, kernel.apply knows those below",
    "kernel.settle, kernel.send, kernel.settle knows those below",
    "kernel.deliver, kernel.machine, kernel.deliver knows those below",
    "kernel.filter, kernel.state, kernel.filter knows those below",
    "journal.disk, journal.log, journal.disk knows those below",
    "journal.log, journal.bodies, journal.log knows those below",
    "journal.compaction, journal.recovery, journal.compaction knows those below",
    "journal.memory, journal.file, journal.memory knows those below",
    "codec, runtime, codec knows the kernel",
    "runtime, journal, runtime knows codec and kernel",
    "journal, amqp, journal knows runtime and below",
    "journal, transport, journal knows runtime and below",
    "amqp.engine, kernel, the engine knows a buffer and nobody here",
    "amqp, journal, 'amqp knows the engine, runtime and kernel'",
    "amqp, transport, 'amqp knows the engine, runtime and kernel'",
    "amqp, http, 'amqp knows the engine, runtime and kernel'",
    "transport, amqp, transport knows runtime and kernel",
    "transport, cluster, transport knows runtime and kernel",
    "transport, http, transport knows runtime and kernel",
    "http, transport, http knows runtime and kernel",
    "http, amqp, http knows runtime and kernel",
    "http, journal, http knows runtime and kernel",
    "cli, server, cli uses no module",
    "store, server, store knows the journal and below",
    "store, amqp, store knows the journal and below",
    "server, store, nobody knows the store's tools",
    "junit, amqp, 'what tests start knows the program, runtime and kernel'",
    "server, junit, nobody here needs what tests start",
    "server, testkit, the program does not use the test kit",
    "simulator.model, kernel, the model of the broker has not read it",
    "simulator.world, simulator.client, simulator.world knows those below",
    "simulator.frames, http, 'the simulator knows the journal and below, and the edge of AMQP'",
    "simulator.client, simulator.frames, simulator.client knows those below",
  })
  void aUseThatIsNotAllowedIsFound(String from, String to, String wall, @TempDir Path folder) {
    var classes = compileAlone(folder, uses(from, "io.peeklock." + to + ".There"), there(to));

    assertThat(broken(classes)).contains(wall);
  }

  @ParameterizedTest(name = "{0} may use {1}")
  @CsvSource({
    "codec, kernel",
    "runtime, codec",
    "journal, runtime",
    "amqp, amqp.engine",
    "amqp, runtime",
    "transport, runtime",
    "http, runtime",
    "server, http",
    "server, amqp",
    "server, journal",
    "store, journal",
    "kernel.session, kernel",
    "kernel.session, kernel.settle",
    "kernel.state, kernel.filter",
    "kernel.turn, kernel.columns",
    "journal.log, journal",
    "journal.log, journal.disk",
    "journal.recovery, journal.segment",
    "journal.memory, journal.blocks",
    "simulator.model, simulator.history",
    "simulator.client, simulator.world",
    "simulator.frames, amqp"
  })
  void aUseThatIsAllowedPasses(String from, String to, @TempDir Path folder) {
    var classes = compileAlone(folder, uses(from, "io.peeklock." + to + ".There"), there(to));

    assertThat(broken(classes)).isEmpty();
  }

  @ParameterizedTest(name = "{0} uses {1}")
  @CsvSource({
    "kernel, java.io.File, the core and the engine touch no file and no stream",
    "codec, java.io.InputStream, the core and the engine touch no file and no stream",
    "amqp.engine, java.nio.file.Path, the core and the engine touch no file and no stream",
    "kernel, java.util.concurrent.Executor, kernel starts no thread and waits for nobody",
    "kernel, org.slf4j.Logger, kernel knows nobody",
    "amqp.engine, io.netty.channel.Channel, the engine knows a buffer and nobody here",
    "http, org.bouncycastle.cert.X509CertificateHolder, http knows runtime and kernel",
    "journal, io.netty.buffer.ByteBuf, journal knows runtime and below",
    "simulator.world, java.time.Instant, the simulated world is the only one",
    "simulator.client, java.lang.Thread, the simulated world is the only one",
  })
  void aForeignClassInAModuleIsFound(String from, String type, String wall, @TempDir Path folder) {
    var classes = compile(folder, uses(from, type));

    assertThat(broken(classes)).contains(wall);
  }

  @ParameterizedTest
  @CsvSource("journal.index, journal.segment")
  void twoPackagesThatUseEachOtherAreFound(String one, String other, @TempDir Path folder) {
    var classes =
        compileAlone(
            folder,
            uses(one, "io.peeklock." + other + ".Here"),
            uses(other, "io.peeklock." + one + ".Here"));

    assertThat(broken(classes)).containsExactly("packages have no cycles");
  }

  static Stream<Arguments> layers() {
    return PackageLayers.ALL.stream().map(layers -> Arguments.of(layers.base(), layers.names()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("layers")
  void everyPackageOfAModuleWithLayersHasItsOwn(String base, Set<String> named) {
    var packages =
        MODULES.stream()
            .map(JavaClass::getPackageName)
            .filter(name -> name.startsWith(base + ".") && !isOfOneWithin(name, base))
            .map(name -> name.substring(base.length() + 1))
            .collect(Collectors.toSet());

    assertThat(named).containsExactlyInAnyOrderElementsOf(packages);
  }

  /** The engine's packages begin like those of the edge, and have a table of their own. */
  private static boolean isOfOneWithin(String name, String base) {
    return PackageLayers.ALL.stream()
        .map(PackageLayers::base)
        .anyMatch(other -> other.startsWith(base + ".") && (name + ".").startsWith(other + "."));
  }

  @ParameterizedTest(name = "{0} that calls {1} by {2}")
  @CsvSource({
    "ShardThread, EventLoopThread, there.told(), true",
    "EventLoopThread, LogThread, there.told(), true",
    "AnyThread, ShardThread, there.told(), true",
    "ShardThread, ShardThread, there.told(), false",
    "ShardThread, AnyThread, there.told(), false",
    "ShardThread, EventLoopThread, later(() -> there.told()), false",
    "ShardThread, EventLoopThread, later(there::told), false",
    "ShardThread, EventLoopThread, there.anybody(), false",
    "ShardThread, EventLoopThread, there.nobody(), false",
    "ShardThread, EventLoopThread, there.above(), true",
    "EventLoopThread, EventLoopThread, there.above(), false",
    "ShardThread, EventLoopThread, there.over(), true",
    "EventLoopThread, EventLoopThread, there.said(), true",
    "ShardThread, EventLoopThread, there.said(), false",
  })
  void aCallIntoAnotherThreadIsFound(
      String caller, String callee, String call, boolean found, @TempDir Path folder) {
    var threads = "import io.peeklock.runtime.thread.*; ";
    var here =
        new SourceFile(
            "io/peeklock/kernel/Here.java",
            "package io.peeklock.kernel; "
                + threads
                + ("@" + caller + " class Here { void m(There there) { " + call + "; }")
                + " void later(Runnable task) {} }");
    var there =
        new SourceFile(
            "io/peeklock/kernel/There.java",
            "package io.peeklock.kernel; "
                + threads
                + "class There extends Above implements Says { @"
                + callee
                + " void told() {} @AnyThread void anybody() {} void over() {}"
                + " public void said() {} void nobody() {} }"
                + (" abstract class Above { @" + callee + " abstract void over(); @")
                + (callee + " void above() {} }")
                + " interface Says { @ShardThread void said(); }");

    var broken = broken(compile(folder, here, there));

    assertThat(broken.contains("calls stay on their thread")).isEqualTo(found);
  }

  private static List<String> broken(JavaClasses classes) {
    return Walls.all().entrySet().stream()
        .filter(wall -> wall.getValue().evaluate(classes).hasViolation())
        .map(wall -> wall.getKey())
        .toList();
  }

  private static SourceFile uses(String module, String type) {
    var name = "io/peeklock/" + module.replace('.', '/') + "/Here.java";
    var text = "package io.peeklock." + module + "; public class Here { " + type + " there; }";
    return new SourceFile(name, text);
  }

  private static SourceFile there(String module) {
    var name = "io/peeklock/" + module.replace('.', '/') + "/There.java";
    return new SourceFile(name, "package io.peeklock." + module + "; public class There {}");
  }

  /** Sources that use what others bring. */
  private static JavaClasses compile(Path folder, SourceFile... sources) {
    return compile(folder, System.getProperty("java.class.path"), sources);
  }

  /** Sources that use each other and the JDK alone: to open all jars for each would take longer. */
  static JavaClasses compileAlone(Path folder, SourceFile... sources) {
    return compile(folder, folder.toString(), sources);
  }

  private static JavaClasses compile(Path folder, String classpath, SourceFile... sources) {
    var compiler = ToolProvider.getSystemJavaCompiler();
    var options = List.of("-d", folder.toString(), "-proc:none", "-classpath", classpath);
    var units = Stream.of(sources).map(Syntax::inMemory).toList();
    assertThat(compiler.getTask(null, null, null, options, null, units).call()).isTrue();
    return new ClassFileImporter().importPath(folder);
  }

  private static JavaClasses importModules() {
    var repository = Repository.here();
    var here = Path.of(Walls.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    var classes = "target/" + here.getFileName(); // classes, or what -Dquick compiled
    var folders =
        repository.modules().stream()
            .map(module -> repository.root().resolve(module).resolve(classes))
            .filter(Files::isDirectory)
            .toList();
    return new ClassFileImporter().importPaths(folders);
  }
}
