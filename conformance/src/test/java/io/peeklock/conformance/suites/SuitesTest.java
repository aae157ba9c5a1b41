package io.peeklock.conformance.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.Store;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.NotRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Every official client tells the story; {@code -Dsuites=javascript,go} for some of them only. */
@Isolated
@LongProof
class SuitesTest {
  private final ErrorGuide guide = new ErrorGuide();

  @TestFactory
  @Timeout(value = 60, unit = TimeUnit.MINUTES)
  List<DynamicContainer> everyOfficialClientTellsTheStoryToABrokerInMemory()
      throws InterruptedException {
    return told(Store.MEMORY);
  }

  @TestFactory
  @Timeout(value = 60, unit = TimeUnit.MINUTES)
  List<DynamicContainer> everyOfficialClientTellsTheStory() throws InterruptedException {
    guide.add("java", JavaRefusals.provoke());
    var all = told(Store.DISK);
    all.add(DynamicContainer.dynamicContainer("errors", Stream.of(errors())));
    return all;
  }

  private List<DynamicContainer> told(Store store) throws InterruptedException {
    var wanted = List.of(System.getProperty("suites", "javascript,python,go,rust").split(","));
    var all = new ArrayList<DynamicContainer>();
    for (var suite : Suite.all()) {
      if (wanted.contains(suite.language())) {
        all.add(DynamicContainer.dynamicContainer(suite.language(), told(suite, store)));
      }
    }
    return all;
  }

  private DynamicTest errors() {
    return DynamicTest.dynamicTest(
        "docs/guide/errors.md says what the clients raise",
        () -> assertThat(guide.differences()).isEmpty());
  }

  private Stream<DynamicNode> told(Suite suite, Store store) throws InterruptedException {
    var missing = suite.missingTool();
    if (missing.isPresent()) {
      return Stream.of(
          DynamicTest.dynamicTest(
              suite.language() + " suite",
              () -> {
                throw NotRun.because("no " + missing.get() + " on this machine");
              }));
    }
    try {
      var report = new SuiteRun(suite, store).run();
      guide.add(suite.language(), report.refusals());
      return report.stories().stream().map(story -> test(suite, story));
    } catch (IOException | AssertionError failed) {
      return Stream.of(
          DynamicTest.dynamicTest(
              suite.language() + " suite",
              () -> {
                throw new AssertionError("the suite could not be run", failed);
              }));
    }
  }

  private static DynamicNode test(Suite suite, SuiteReport.Story story) {
    return DynamicTest.dynamicTest(
        suite.language() + ": " + story.name(),
        () -> {
          if (story.notRun() != null) {
            throw NotRun.because(story.notRun());
          }
          if (!story.ok()) {
            throw new AssertionError(story.why());
          }
        });
  }
}
