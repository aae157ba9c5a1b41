package io.peeklock.conformance.lossless;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** A client of another language: a program beside its suite, which obeys lines. */
final class ScriptMember implements Member {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Client client;
  private final Process process;
  private final BufferedReader said;
  private final BufferedWriter words;

  private ScriptMember(Client client, Process process) {
    this.client = client;
    this.process = process;
    this.said = process.inputReader(StandardCharsets.UTF_8);
    this.words = process.outputWriter(StandardCharsets.UTF_8);
  }

  /** Starts the program, which installs its client where it is not yet. */
  static ScriptMember start(Client client, BrokerProcess broker) throws IOException {
    var language = client.language();
    var log = Files.createDirectories(Folders.module().resolve("target/suites"));
    var builder =
        new ProcessBuilder(folder(client).resolve("lossless/run").toString())
            .redirectError(log.resolve("lossless-" + language + ".log").toFile());
    builder.environment().put("PEEKLOCK_CONNECTION", broker.connectionString());
    builder.environment().put("SUITE_CACHE", cache(client).toString());
    return new ScriptMember(client, builder.start());
  }

  private static Path folder(Client client) {
    return Folders.module().resolve(client.language());
  }

  private static Path cache(Client client) {
    return Folders.module().resolve("target/suites-cache").resolve(client.language());
  }

  @Override
  public Client client() {
    return client;
  }

  @Override
  public void connect() throws IOException {
    ask(command("connect"));
  }

  @Override
  public void send(String to, boolean singly, List<Description> messages) throws IOException {
    ask(with(command("send").put("to", to).put("singly", singly), messages));
  }

  @Override
  public void schedule(String to, Duration after, List<Description> messages) throws IOException {
    ask(with(command("schedule").put("to", to).put("after", after.toMillis()), messages));
  }

  @Override
  public Map<String, List<Description>> peek(String from, int count) throws IOException {
    return ask(command("peek").put("from", from).put("count", count));
  }

  @Override
  public Map<String, List<Description>> take(String from, int count) throws IOException {
    return ask(command("take").put("from", from).put("count", count));
  }

  @Override
  public Map<String, List<Description>> defer(String from, int count) throws IOException {
    return ask(command("defer").put("from", from).put("count", count));
  }

  @Override
  public Map<String, List<Description>> bury(String from) throws IOException {
    return ask(command("bury").put("from", from));
  }

  private static ObjectNode command(String name) {
    return JsonNodeFactory.instance.objectNode().put("do", name);
  }

  private static ObjectNode with(ObjectNode command, List<Description> messages) {
    var all = command.putArray("messages");
    messages.forEach(message -> all.add(message.json()));
    return command;
  }

  private Map<String, List<Description>> ask(ObjectNode command) throws IOException {
    words.write(JSON.writeValueAsString(command));
    words.write('\n');
    words.flush();
    var line = said.readLine();
    if (line == null) {
      throw new IOException(client.language() + " ended; see target/suites");
    }
    var answer = JSON.readTree(line);
    if (answer.has("error")) {
      throw new IOException(client.language() + ": " + answer.get("error").asText());
    }
    var ways = new TreeMap<String, List<Description>>();
    answer
        .properties()
        .forEach(
            way -> {
              var messages = new ArrayList<Description>();
              way.getValue().forEach(each -> messages.add(Description.parse(each)));
              ways.put(way.getKey(), messages);
            });
    return ways;
  }

  @Override
  public void close() throws IOException {
    words.close();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
