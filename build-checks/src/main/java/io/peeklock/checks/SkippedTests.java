package io.peeklock.checks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * What the test reports of all modules say was skipped.
 *
 * @param notRun one line for each test that this machine cannot run, with the reason
 * @param violations tests skipped in any other way; these fail the build
 */
record SkippedTests(List<String> notRun, List<Violation> violations) {

  private static final String MARK =
      "org.opentest4j.TestAbortedException: NotRun: "; // io.peeklock.proof.NotRun throws this

  static SkippedTests of(Repository repository) {
    var skipped = new SkippedTests(new ArrayList<>(), new ArrayList<>());
    for (var module : repository.modules()) {
      var reports = repository.root().resolve(module).resolve("target/surefire-reports");
      for (var report : reportsIn(reports)) {
        try (var bytes = Files.newInputStream(report)) {
          skipped.read(module, repository, bytes);
        } catch (IOException | XMLStreamException e) {
          throw new IllegalStateException("cannot read the test report " + report, e);
        }
      }
    }
    return skipped;
  }

  void read(String module, Repository repository, InputStream report) throws XMLStreamException {
    var factory = XMLInputFactory.newFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    var xml = factory.createXMLStreamReader(report);
    String test = "";
    String type = "";
    while (xml.hasNext()) {
      if (xml.next() == XMLStreamReader.START_ELEMENT) {
        if (xml.getLocalName().equals("testcase")) {
          type = attribute(xml, "classname");
          test = type.substring(type.lastIndexOf('.') + 1) + "." + attribute(xml, "name");
        } else if (xml.getLocalName().equals("skipped") && isStillThere(module, repository, type)) {
          add(module, test, xml.getElementText());
        }
      }
    }
  }

  /** Surefire writes the stack trace of the exception that ended the test. */
  private void add(String module, String test, String trace) {
    var firstLine = trace.strip().lines().findFirst().orElse("");
    if (firstLine.startsWith(MARK)) {
      notRun.add(module + " " + test + ": " + firstLine.substring(MARK.length()));
    } else {
      violations.add(new Violation(module, 0, test + " was skipped without NotRun.because(...)"));
    }
  }

  /** A report stays behind when its test is renamed; only tests that have a source count. */
  private static boolean isStillThere(String module, Repository repository, String type) {
    var top = type.contains("$") ? type.substring(0, type.indexOf('$')) : type;
    return repository.has(module + "/src/test/java/" + top.replace('.', '/') + ".java");
  }

  private static String attribute(XMLStreamReader xml, String name) {
    return Objects.requireNonNullElse(xml.getAttributeValue(null, name), "");
  }

  private static List<Path> reportsIn(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".xml")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
