package io.peeklock.conformance.deploy;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.peeklock.conformance.Command;
import io.peeklock.conformance.Folders;
import io.peeklock.proof.NotRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The files of the folder {@code deploy}. */
final class Shipped {
  private static final ObjectMapper YAML =
      new ObjectMapper(new YAMLFactory())
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private Shipped() {}

  static Path file(String name) {
    return Folders.module().resolveSibling("deploy").resolve(name);
  }

  static String text(String name) throws IOException {
    return Files.readString(file(name));
  }

  /** One document of YAML, or JSON, without a key that comes twice. */
  static JsonNode yaml(String text) throws IOException {
    return YAML.readTree(text);
  }

  /** Ends the test as "not run" where the machine has no such program. */
  static void need(String program) {
    if (!Command.exists(program)) {
      throw NotRun.because("no " + program + " on this machine");
    }
  }
}
