package io.peeklock.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The checks, asked about this very repository. */
class TidyTest {

  private static final Repository REPOSITORY = Repository.here();
  private static final List<SourceFile> FILES = REPOSITORY.files();

  static Stream<Arguments> checks() {
    return Stream.of(
        Arguments.of("methods are short", new SizeCheck()),
        Arguments.of("methods have few ways through them", new ComplexityCheck()),
        Arguments.of("packages say what lives in them", new PackageDocCheck()),
        Arguments.of("no loose ends", new LooseEndCheck()),
        Arguments.of("clients do not set the pace of the log", new LogCheck()),
        Arguments.of("imports stay below", new ImportCheck(PackageLayers.ALL)),
        Arguments.of("pages name classes that exist", new ClassNameCheck()),
        Arguments.of("the tests that stand for the clients' own are there", new NamedTestCheck()),
        Arguments.of("no dead links", new LinkCheck(REPOSITORY::has)),
        Arguments.of("all sources are analysed", new AnalysisCheck(REPOSITORY.modules())),
        Arguments.of(
            "modules are on the map and have tests", new ModuleCheck(REPOSITORY.modules())));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("checks")
  void theRepositoryKeepsItsOwnRules(String rule, Check check) {
    assertThat(FILES).isNotEmpty();

    assertThat(check.check(FILES)).as(rule).isEmpty();
  }
}
