package io.peeklock.server;

import io.peeklock.kernel.entity.EntityProperties;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.runtime.Catalogue;
import io.peeklock.runtime.access.Policy;
import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.server.config.ConfigurationException;
import io.peeklock.server.config.Entity;
import io.peeklock.server.config.NamespaceSettings;
import io.peeklock.server.config.ServerSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configuration file, read again while the broker goes on: what is new is made, what may change
 * is changed, nothing is deleted. A file that is wrong changes nothing at all.
 */
@AnyThread
final class Reload implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Reload.class);
  private static final int NAMED = 20;
  private static final long PATIENCE_SECONDS = 60;

  private final Supplier<@Nullable ServerSettings> file;
  private final ServerSettings running;
  private final List<Entities> namespaces;
  private final Map<String, List<Policy>> policies = new HashMap<>();
  private Map<String, Set<String>> known = Map.of();

  /** A namespace whose entities are to be as the file says. */
  interface Entities {
    /** What it is called. */
    String namespace();

    /** What is there. */
    Catalogue catalogue();

    /** Makes and changes; fails with a {@link ConfigurationException} for what cannot be. */
    CompletableFuture<EntitySetup.Outcome> ensure(List<Entity> wanted);

    /** Puts these in the place of its policies, but the one that it began with. */
    void replacePolicies(List<Policy> policies);
  }

  /**
   * Does nothing yet.
   *
   * @param file all settings as they are now, with the entities of the file only; null where no
   *     file is named
   * @param running what the broker was started with
   * @param namespaces the default one, and those beside it in any order
   */
  Reload(
      Supplier<@Nullable ServerSettings> file, ServerSettings running, List<Entities> namespaces) {
    this.file = file;
    this.running = running;
    this.namespaces = List.copyOf(namespaces);
  }

  /** Takes note of what the file names, so that it is noticed when something goes from it. */
  synchronized void remember() {
    try {
      var now = file.get();
      known = now == null ? Map.of() : named(now);
    } catch (ConfigurationException changedMeanwhile) {
      LOG.debug("The configuration has become unreadable since the start", changedMeanwhile);
    }
  }

  /** Reads and applies; says in one line what came of it. Blocks until all is durable. */
  @Override
  public synchronized void run() {
    try {
      var now = file.get();
      if (now == null) {
        LOG.info("SIGHUP: no configuration file is named, so there is none to read again");
        return;
      }
      apply(now);
    } catch (ConfigurationException wrong) {
      LOG.error(
          "SIGHUP: nothing is changed, for the configuration is wrong: {}", wrong.getMessage());
    }
  }

  private void apply(ServerSettings now) {
    var restart = running.differences(now);
    if (!restart.isEmpty()) {
      LOG.warn(
          "SIGHUP: the next start is needed for what has changed of {}",
          String.join(", ", restart));
    }
    if (!reached(now).equals(reached(running))) {
      LOG.warn("SIGHUP: the next start is needed for which namespaces there are, and where");
    }
    if (now.profile() != running.profile()) {
      LOG.warn("SIGHUP: the profile is another one, so entities are left alone until then");
      return;
    }
    var problems = new ArrayList<String>();
    for (var namespace : namespaces) {
      check(namespace, wanted(now, namespace), problems);
    }
    if (!problems.isEmpty()) {
      throw new ConfigurationException(String.join("; ", problems));
    }
    now.warnings().forEach(warning -> LOG.warn("{}", warning));
    changePolicies(now);
    for (var namespace : namespaces) {
      var wanted = wanted(now, namespace);
      var outcome = done(namespace, wanted);
      if (outcome != null) {
        report(namespace, wanted, outcome);
      }
    }
    known = named(now);
  }

  /** Before the entities, so that a key that was lost opens nothing while they are made. */
  private void changePolicies(ServerSettings now) {
    for (var namespace : namespaces) {
      var name = namespace.namespace();
      var wanted = policies(now, name);
      if (!wanted.equals(policies.getOrDefault(name, policies(running, name)))) {
        namespace.replacePolicies(wanted);
        LOG.info(
            "SIGHUP: the policies{} are now {}{}",
            in(namespace),
            Policy.ROOT_NAME,
            wanted.stream().map(each -> ", " + each.name()).collect(Collectors.joining()));
      }
      policies.put(name, wanted);
    }
  }

  /** What the settings say; of a namespace that they no longer name what it had. */
  private List<Policy> policies(ServerSettings settings, String namespace) {
    if (namespace.equals(Namespace.DEFAULT)) {
      return settings.policies();
    }
    return settings.namespaces().stream()
        .filter(each -> each.name().equalsIgnoreCase(namespace))
        .findAny()
        .map(NamespaceSettings::policies)
        .orElseGet(() -> policies.getOrDefault(namespace, List.of()));
  }

  /** How the namespaces beside the default one are reached. */
  private static List<NamespaceSettings> reached(ServerSettings settings) {
    return settings.namespaces().stream()
        .map(each -> new NamespaceSettings(each.name(), each.hosts(), each.ports(), List.of()))
        .toList();
  }

  private static List<Entity> wanted(ServerSettings now, Entities namespace) {
    return of(now, namespace.namespace()).stream()
        .map(each -> each.whole(Entity.Difference.DEMANDED))
        .toList();
  }

  /** What the file says about a namespace; nothing about one that it no longer names. */
  private static List<Entity> of(ServerSettings now, String namespace) {
    if (namespace.equals(Namespace.DEFAULT)) {
      return now.entities();
    }
    return now.namespaces().stream()
        .filter(each -> each.name().equalsIgnoreCase(namespace))
        .flatMap(each -> each.entities().stream())
        .toList();
  }

  /** The paths in each namespace that runs. */
  private Map<String, Set<String>> named(ServerSettings now) {
    var all = new HashMap<String, Set<String>>();
    for (var namespace : namespaces) {
      all.put(namespace.namespace(), paths(of(now, namespace.namespace())));
    }
    return all;
  }

  private static EntitySetup.@Nullable Outcome done(Entities namespace, List<Entity> wanted) {
    try {
      return namespace.ensure(wanted).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException refused) {
      LOG.error("SIGHUP: not all could be done{}: {}", in(namespace), reason(refused));
    } catch (TimeoutException late) {
      LOG.error("SIGHUP: the log takes long; what the configuration asks for may still be done");
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    return null;
  }

  private static String in(Entities namespace) {
    var name = namespace.namespace();
    return name.equals(Namespace.DEFAULT) ? "" : " in the namespace " + name;
  }

  private static @Nullable String reason(ExecutionException refused) {
    var cause = refused.getCause();
    return cause == null ? refused.getMessage() : cause.getMessage();
  }

  private void report(Entities namespace, List<Entity> wanted, EntitySetup.Outcome outcome) {
    var same = wanted.size() - outcome.made().size() - outcome.changed().size();
    var gone = new TreeSet<>(known.getOrDefault(namespace.namespace(), Set.of()));
    gone.removeAll(paths(wanted));
    if (wanted.isEmpty() && gone.isEmpty() && !namespace.namespace().equals(Namespace.DEFAULT)) {
      return; // the file is not about it
    }
    LOG.info(
        "SIGHUP: the configuration was read again{}: {} made{}, {} changed{}, {} as before{}",
        in(namespace),
        outcome.made().size(),
        named(": ", outcome.made()),
        outcome.changed().size(),
        named(": ", outcome.changed()),
        same,
        named("; not deleted, though no longer in it: ", gone));
  }

  private static String named(String before, Collection<String> paths) {
    if (paths.isEmpty()) {
      return "";
    }
    var shown = paths.stream().limit(NAMED).collect(Collectors.joining(", "));
    var more = paths.size() - NAMED;
    return before + shown + (more > 0 ? " and " + more + " more" : "");
  }

  private static Set<String> paths(List<Entity> entities) {
    return entities.stream()
        .map(each -> key(each.definition().path()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String key(String path) {
    return path.toLowerCase(Locale.ROOT);
  }

  /** Finds what the shard would refuse before anything is asked for, so that it is all or none. */
  private static void check(Entities namespace, List<Entity> wanted, List<String> problems) {
    var catalogue = namespace.catalogue();
    var there = new HashSet<>(catalogue.queues().keySet());
    there.addAll(paths(wanted));
    for (var entity : wanted) {
      var problem = problem(entity.definition(), catalogue, there);
      if (problem != null) {
        problems.add(entity.definition().path() + in(namespace) + ": " + problem);
      }
    }
  }

  private static @Nullable String problem(
      QueueDefinition wanted, Catalogue catalogue, Set<String> there) {
    var is = catalogue.queue(wanted.path());
    var fixed = is == null ? null : EntityProperties.fixedThatDiffers(is.definition(), wanted);
    if (fixed != null) {
      return fixed + " cannot be changed once it is there";
    }
    for (var path : Arrays.asList(wanted.forwardTo(), wanted.forwardDeadLettersTo())) {
      if (path != null && !there.contains(key(path))) {
        return "there is no queue and no topic " + path + " to forward to";
      }
    }
    return null;
  }
}
