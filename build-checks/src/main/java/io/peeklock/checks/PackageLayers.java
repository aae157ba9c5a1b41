package io.peeklock.checks;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The packages of one module, and which of each other they may import. */
final class PackageLayers {

  /** Those of the kernel's machine: {@code docs/adr/2026-11-26-packages-of-the-kernel.md}. */
  static final PackageLayers KERNEL =
      new PackageLayers("io.peeklock.kernel")
          .layer("filter")
          .layer("entity", "filter")
          .layer("refusal")
          .layer("fact", "entity")
          .layer("request", "fact", "refusal")
          .layer("grant", "request")
          .layer("effect", "request")
          .layer("columns", "fact")
          .layer("state", "columns", "grant")
          .layer("snapshot", "state")
          .layer("apply", "state")
          .layer("decide", "state", "effect")
          .layer("settle", "decide")
          .layer("send", "decide")
          .layer("session", "settle")
          .layer("schedule", "send")
          .layer("deliver", "session")
          .layer("forward", "send")
          .layer("transaction", "session", "schedule")
          .layer("administration", "deliver")
          .layer("turn", "schedule", "administration")
          .layer("machine", "snapshot", "apply", "forward", "transaction", "turn");

  /** Those of the journal: {@code docs/adr/2026-11-27-three-ports-of-the-journal.md}. */
  static final PackageLayers JOURNAL =
      new PackageLayers("io.peeklock.journal")
          .layer("disk")
          .layer("blocks")
          .layer("large", "disk", "blocks")
          .layer("segment", "blocks")
          .layer("log", "large", "segment")
          .layer("bodies", "log")
          .layer("checkpoint", "bodies")
          .layer("scan", "checkpoint")
          .layer("compaction", "checkpoint")
          .layer("recovery", "scan")
          .layer("file", "compaction", "recovery")
          .layer("inspection", "file")
          .layer("memory", "bodies");

  /** Those of the engine, by chapter of the standard; a connection in front of them. */
  static final PackageLayers ENGINE =
      new PackageLayers("io.peeklock.amqp.engine")
          .layer("codec")
          .layer("limits")
          .layer("framing", "codec", "limits")
          .layer("sasl", "framing")
          .layer("messaging", "framing")
          .layer("session", "messaging")
          .layer("link", "session");

  /** Those of the edge: {@code docs/adr/2026-11-27-packages-of-the-edge.md}. */
  static final PackageLayers AMQP =
      new PackageLayers("io.peeklock.amqp")
          .layer("error")
          .layer("filter")
          .layer("message", "error", "filter")
          .layer("limit", "error")
          .layer("link", "message", "limit")
          .layer("request", "link")
          .layer("claims", "request")
          .layer("transaction", "request")
          .layer("send", "transaction")
          .layer("deliver", "transaction")
          .layer("management", "deliver")
          .layer("connection", "claims", "send", "management")
          .layer("direct", "connection");

  /** Those of the simulator: the model of the broker knows nothing but the history's words. */
  static final PackageLayers SIMULATOR =
      new PackageLayers("io.peeklock.simulator")
          .layer("history")
          .layer("model", "history")
          .layer("world")
          .layer("client", "history", "world")
          .layer("frames", "client")
          .layer("generate", "history", "world");

  /** Of all modules that have layers. */
  static final List<PackageLayers> ALL = List.of(KERNEL, JOURNAL, ENGINE, AMQP, SIMULATOR);

  private final String base;

  /** Each behind all that it may import. */
  private final Map<String, List<String>> imports = new LinkedHashMap<>();

  private PackageLayers(String base) {
    this.base = base;
  }

  /** A package imports these, and what they may import; all of them were named before it. */
  private PackageLayers layer(String name, String... below) {
    var all = new ArrayList<String>();
    for (var each : below) {
      all.add(each);
      all.addAll(Objects.requireNonNull(imports.get(each), each));
    }
    imports.put(name, all.stream().distinct().toList());
    return this;
  }

  /** The package that they are in, whose own classes each of them may import. */
  String base() {
    return base;
  }

  /** Their names, without the base. */
  Set<String> names() {
    return Collections.unmodifiableSet(imports.keySet());
  }

  /** Whether a package may import from another; true where one of them is not among these. */
  boolean allows(String from, String to) {
    var name = nameOf(to);
    var below = imports.get(nameOf(from));
    return below == null
        || !imports.containsKey(name)
        || name.equals(nameOf(from))
        || below.contains(name);
  }

  private String nameOf(String fullName) {
    return fullName.startsWith(base + ".")
        ? fullName.substring(base.length() + 1).split("\\.", 2)[0]
        : "";
  }

  /** A rule for each package, by a name that says what is allowed. */
  Map<String, ArchRule> walls() {
    var walls = new LinkedHashMap<String, ArchRule>();
    var module = base.substring("io.peeklock.".length());
    imports.forEach(
        (name, below) ->
            walls.put(module + "." + name + " knows those below", onlyBelow(name, below)));
    return walls;
  }

  private ArchRule onlyBelow(String name, List<String> below) {
    var others = new ArrayList<>(imports.keySet());
    others.remove(name);
    others.removeAll(below);
    return noClasses()
        .that()
        .resideInAPackage(within(name))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(others.stream().map(this::within).toArray(String[]::new))
        .allowEmptyShould(true);
  }

  private String within(String name) {
    return base + "." + name + "..";
  }
}
