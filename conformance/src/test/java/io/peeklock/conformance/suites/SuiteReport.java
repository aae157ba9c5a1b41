package io.peeklock.conformance.suites;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a suite wrote down, in order.
 *
 * @param stories what it told
 * @param refusals what its client made of refusals
 */
record SuiteReport(List<Story> stories, List<Refusal> refusals) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * One told story.
   *
   * @param name in words
   * @param ok whether all was as it should be
   * @param why what was not
   * @param notRun why this client cannot tell it
   */
  record Story(String name, boolean ok, String why, @Nullable String notRun) {}

  /**
   * What a client raised.
   *
   * @param name of the case, for example {@code complete-lock-lost}
   * @param type the error's class
   * @param code what tells one error of that class from another; empty for none
   * @param isTransient what the client itself says; null where it has no such notion
   */
  record Refusal(String name, String type, String code, @Nullable Boolean isTransient) {}

  static SuiteReport read(Path file) throws IOException {
    var stories = new ArrayList<Story>();
    var refusals = new ArrayList<Refusal>();
    for (var line : Files.readAllLines(file)) {
      if (line.isBlank()) {
        continue;
      }
      var json = JSON.readTree(line);
      if (json.has("refusal")) {
        refusals.add(refusal(json));
      } else {
        stories.add(story(json));
      }
    }
    return new SuiteReport(List.copyOf(stories), List.copyOf(refusals));
  }

  private static Story story(JsonNode json) {
    var notRun = json.get("notRun");
    return new Story(
        json.required("test").asText(),
        json.path("ok").asBoolean(),
        json.path("why").asText("no reason was given"),
        notRun == null ? null : notRun.asText());
  }

  private static Refusal refusal(JsonNode json) {
    var lasting = json.get("transient");
    return new Refusal(
        json.required("refusal").asText(),
        json.required("class").asText(),
        json.path("code").asText(""),
        (lasting == null || lasting.isNull()) ? null : lasting.asBoolean());
  }
}
