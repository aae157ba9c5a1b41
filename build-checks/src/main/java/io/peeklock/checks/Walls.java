package io.peeklock.checks;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.io.File;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/**
 * Which module may use which. A wall is a POM without the dependency first, and a rule here second,
 * because a dependency of a dependency is on the class path too.
 */
final class Walls {

  private static final String KERNEL = "io.peeklock.kernel..";
  private static final String CODEC = "io.peeklock.codec..";
  private static final String RUNTIME = "io.peeklock.runtime..";
  private static final String JOURNAL = "io.peeklock.journal..";
  private static final String ENGINE = "io.peeklock.amqp.engine..";
  private static final String AMQP = "io.peeklock.amqp..";
  private static final String TRANSPORT = "io.peeklock.transport..";
  private static final String HTTP = "io.peeklock.http..";
  private static final String CLI = "io.peeklock.cli..";
  private static final String STORE = "io.peeklock.store..";
  private static final String SERVER = "io.peeklock.server..";
  private static final String JUNIT = "io.peeklock.junit..";
  private static final String TESTKIT = "io.peeklock.testkit..";
  private static final String SIMULATOR = "io.peeklock.simulator..";
  private static final String MODEL = "io.peeklock.simulator.model..";
  private static final String HISTORY = "io.peeklock.simulator.history..";
  private static final String SLF4J = "org.slf4j..";
  private static final String NETTY = "io.netty..";
  private static final String[] JDK = {"java..", "javax..", "jdk..", "org.jspecify.."};

  private Walls() {}

  /** All of them, by a name that says what is forbidden. */
  static Map<String, ArchRule> all() {
    var walls = new LinkedHashMap<String, ArchRule>();
    walls.put("kernel knows nobody", only(in(KERNEL), KERNEL));
    PackageLayers.ALL.forEach(layers -> walls.putAll(layers.walls()));
    walls.put("kernel starts no thread and waits for nobody", kernelIsPassive());
    walls.put("codec knows the kernel", only(in(CODEC), CODEC, KERNEL));
    walls.put(
        "runtime knows codec and kernel",
        only(in(RUNTIME), RUNTIME, CODEC, KERNEL, SLF4J, "org.jctools.."));
    walls.put(
        "journal knows runtime and below",
        only(in(JOURNAL), JOURNAL, RUNTIME, CODEC, KERNEL, SLF4J));
    walls.put(
        "store knows the journal and below",
        only(
            in(STORE),
            STORE,
            JOURNAL,
            RUNTIME,
            CODEC,
            KERNEL,
            "picocli..",
            "com.fasterxml.jackson.core.."));
    walls.put("nobody knows the store's tools", isOnTop(STORE));
    walls.put(
        "what tests start knows the program, runtime and kernel",
        only(in(JUNIT), JUNIT, SERVER, RUNTIME, KERNEL, "org.junit.."));
    walls.put("nobody here needs what tests start", isOnTop(JUNIT));
    walls.put(
        "the engine knows a buffer and nobody here",
        only(in(ENGINE), ENGINE, "io.netty.buffer..", "io.netty.util.."));
    walls.put(
        "amqp knows the engine, runtime and kernel",
        only(amqpWithoutEngine(), AMQP, RUNTIME, KERNEL, NETTY, SLF4J));
    walls.put(
        "transport knows runtime and kernel",
        only(in(TRANSPORT), TRANSPORT, RUNTIME, KERNEL, NETTY, SLF4J, "org.bouncycastle.."));
    walls.put(
        "http knows runtime and kernel",
        only(in(HTTP), HTTP, RUNTIME, KERNEL, NETTY, SLF4J, "com.fasterxml.jackson.core.."));
    walls.put("the core and the engine touch no file and no stream", noFiles());
    walls.put("cli uses no module", cliUsesNoModule());
    walls.put("the program does not use the test kit", programWithoutTestkit());
    walls.put(
        "the simulator knows the journal and below, and the edge of AMQP",
        only(in(SIMULATOR), SIMULATOR, JOURNAL, AMQP, RUNTIME, CODEC, KERNEL, NETTY));
    walls.put("the model of the broker has not read it", only(in(MODEL, HISTORY), MODEL, HISTORY));
    walls.put("the simulated world is the only one", noHostInTheSimulator());
    walls.put("packages have no cycles", noCycles());
    walls.put("circles of classes are small", CircleCheck.noLargeCircles());
    walls.put("calls stay on their thread", ThreadRules.callsStayOnTheirThread());
    return walls;
  }

  private static ArchRule only(DescribedPredicate<JavaClass> module, String... known) {
    var allowed = Stream.concat(Stream.of(JDK), Stream.of(known)).toArray(String[]::new);
    return classes()
        .that(module)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowed)
        .allowEmptyShould(true);
  }

  private static ArchRule kernelIsPassive() {
    return noClasses()
        .that()
        .resideInAPackage(KERNEL)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.util.concurrent..", "java.net..", "java.util.logging..")
        .allowEmptyShould(true);
  }

  private static ArchRule noFiles() {
    return noClasses()
        .that()
        .resideInAnyPackage(KERNEL, CODEC, ENGINE)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.io..", "java.nio.file..", "java.nio.channels..")
        .allowEmptyShould(true);
  }

  private static ArchRule cliUsesNoModule() {
    return noClasses()
        .that()
        .resideInAPackage(CLI)
        .should()
        .dependOnClassesThat(in("io.peeklock..").and(DescribedPredicate.not(in(CLI))))
        .allowEmptyShould(true);
  }

  private static ArchRule isOnTop(String module) {
    return noClasses()
        .that()
        .resideOutsideOfPackage(module)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(module)
        .allowEmptyShould(true);
  }

  private static ArchRule programWithoutTestkit() {
    return noClasses()
        .that()
        .resideOutsideOfPackages(
            TESTKIT, "io.peeklock.benchmarks..", "io.peeklock.examples..", SIMULATOR)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(TESTKIT, "io.peeklock.proof..")
        .allowEmptyShould(true);
  }

  private static ArchRule noHostInTheSimulator() {
    return noClasses()
        .that()
        .resideInAPackage(SIMULATOR)
        .and()
        .doNotHaveFullyQualifiedName("io.peeklock.simulator.Main") // plays in threads
        .and()
        .doNotHaveFullyQualifiedName("io.peeklock.simulator.Progress") // tells how fast
        .and() // what an event loop of Netty must answer names threads
        .doNotHaveFullyQualifiedName("io.peeklock.simulator.frames.SimulatedLoop")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.nio.file..", "java.nio.channels..", "java.net..", "java.time..")
        .orShould()
        .dependOnClassesThat()
        .belongToAnyOf(Thread.class, ThreadLocalRandom.class, SecureRandom.class, File.class)
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .allowEmptyShould(true);
  }

  private static ArchRule noCycles() {
    return slices().matching("io.peeklock.(**)").should().beFreeOfCycles().allowEmptyShould(true);
  }

  private static DescribedPredicate<JavaClass> in(String... packages) {
    return JavaClass.Predicates.resideInAnyPackage(packages).as("in %s", List.of(packages));
  }

  private static DescribedPredicate<JavaClass> amqpWithoutEngine() {
    return in(AMQP).and(DescribedPredicate.not(in(ENGINE)));
  }
}
