package io.peeklock.server.config;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.runtime.access.Policy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a broker needs to know to start, judged and complete.
 *
 * @param data the data folder; null to keep everything in memory
 * @param memoryBytes what a namespace in memory may hold; null to go by the memory that there is
 * @param diskReserveBytes free space below which sends are refused
 * @param checkpointBytes log between two checkpoints
 * @param segmentBytes size from which a file of the log is full
 * @param listening where to listen
 * @param limits of the profile, or in place of them
 * @param budgets what the operator says of budgets by their names, in bytes
 * @param insecure whether anybody may come with the well-known key
 * @param strictEntities whether an entity that is there must be as it is asked for
 * @param allowPlaintext whether other machines may connect without TLS
 * @param tls the operator's files; null to make a certificate when it is needed
 * @param generateCertificate whether one that was made will do where plaintext does not
 * @param wireTrace whose AMQP frames are written to the log; null for nobody's
 * @param testClock whether HTTP on this machine may move the broker's time
 * @param entities to be there after the start, beside those in the data folder
 * @param namespaces beside the default one, which is what all else is about
 * @param policies of the default namespace, beside the one that it begins with
 * @param warnings what was not as it should be, and taken all the same, one sentence each
 */
public record ServerSettings(
    @Nullable Path data,
    @Nullable Long memoryBytes,
    long diskReserveBytes,
    long checkpointBytes,
    long segmentBytes,
    Listening listening,
    Profile profile,
    ProfileLimits limits,
    Map<String, Long> budgets,
    boolean insecure,
    boolean strictEntities,
    boolean allowPlaintext,
    @Nullable TlsFiles tls,
    boolean generateCertificate,
    @Nullable TracedPeers wireTrace,
    boolean testClock,
    List<Entity> entities,
    List<NamespaceSettings> namespaces,
    List<Policy> policies,
    List<String> warnings) {

  private static final long MEBIBYTE = 1 << 20;
  private static final long DEFAULT_RESERVE_MEGABYTES = 256;
  private static final long DEFAULT_CHECKPOINT_MEGABYTES = 256;
  private static final long MOST_MEGABYTES = 1 << 20;
  private static final int MOST_SEGMENT_MEGABYTES = 64;
  private static final String DEFAULT_BIND = "127.0.0.1";
  private static final Pattern HOST_NAME = Pattern.compile("[A-Za-z0-9_*:][A-Za-z0-9_.:-]{0,252}");
  private static final Pattern ORIGIN = Pattern.compile("https?://[A-Za-z0-9_.:\\[\\]-]{1,253}");
  private static final Path DEFAULT_DATA = Path.of("peeklock-data");

  /** PEM files. */
  public record TlsFiles(Path certificate, Path key) {}

  /** Takes copies. */
  public ServerSettings {
    budgets = Map.copyOf(budgets);
    entities = List.copyOf(entities);
    namespaces = List.copyOf(namespaces);
    policies = List.copyOf(policies);
    warnings = List.copyOf(warnings);
  }

  /**
   * Settings of a broker in memory on a free loopback port, for tests and embedding.
   *
   * @param queues to be there
   */
  public static ServerSettings inMemory(List<QueueDefinition> queues) {
    return inMemoryWith(queues.stream().map(queue -> new Entity(queue, null)).toList());
  }

  /**
   * The same with entities of every kind, in any order.
   *
   * @throws ConfigurationException when some forward in a circle
   */
  public static ServerSettings inMemoryWith(List<Entity> entities) {
    return new ServerSettings(
        null,
        null,
        DEFAULT_RESERVE_MEGABYTES * MEBIBYTE,
        DEFAULT_CHECKPOINT_MEGABYTES * MEBIBYTE,
        MOST_SEGMENT_MEGABYTES * MEBIBYTE,
        Listening.anywhereOnLoopback(),
        Profile.RELAXED,
        ProfileLimits.RELAXED,
        Map.of(),
        false,
        false,
        false,
        null,
        false,
        null,
        false,
        new CreationOrder(entities).all(),
        List.of(),
        List.of(),
        List.of());
  }

  /** The folder that holds those of the namespaces but the default one; null in memory. */
  public @Nullable Path namespacesFolder() {
    return data == null ? null : data.resolve("namespaces");
  }

  /** The words of the settings that others have otherwise; entities do not count. */
  public List<String> differences(ServerSettings others) {
    var differing = new ArrayList<String>();
    mine()
        .forEach(
            (setting, value) -> {
              if (!Objects.equals(value, others.mine().get(setting))) {
                differing.add(setting.word());
              }
            });
    return differing;
  }

  /** What a reload compares: every setting but those that another one answers. */
  Map<Setting, @Nullable Object> mine() {
    var mine = new EnumMap<Setting, @Nullable Object>(Setting.class);
    mine.put(Setting.DATA, data);
    mine.put(Setting.MEMORY_MEGABYTES, memoryBytes);
    mine.put(Setting.DISK_RESERVE_MEGABYTES, diskReserveBytes);
    mine.put(Setting.CHECKPOINT_MEGABYTES, checkpointBytes);
    mine.put(Setting.SEGMENT_MEGABYTES, segmentBytes);
    mine.put(Setting.PORT, listening.ports());
    mine.put(Setting.BIND, listening.bind());
    mine.put(Setting.HOST_NAMES, listening.hostNames());
    mine.put(Setting.CORS_ORIGIN, listening.origins());
    mine.put(Setting.PROFILE, profile);
    mine.put(Setting.CONNECTION_LIMIT, limits.connections());
    mine.put(Setting.ADDRESS_LIMIT, limits.connectionsPerAddress());
    mine.put(Setting.RECEIVER_LIMIT, limits.receiversPerEntity());
    mine.put(Setting.CREDITS_PER_SECOND, limits.creditsPerSecond());
    mine.put(Setting.LIMITS, budgets);
    mine.put(Setting.TLS_CERTIFICATE, tls == null ? null : tls.certificate());
    mine.put(Setting.TLS_KEY, tls == null ? null : tls.key());
    mine.put(Setting.GENERATE_CERTIFICATE, generateCertificate);
    mine.put(Setting.INSECURE, insecure);
    mine.put(Setting.STRICT_ENTITIES, strictEntities);
    mine.put(Setting.ALLOW_PLAINTEXT, allowPlaintext);
    mine.put(Setting.WIRE_TRACE, wireTrace);
    mine.put(Setting.TEST_CLOCK, testClock);
    return mine;
  }

  /** What the entities are, without their rules. */
  List<QueueDefinition> definitions() {
    return entities.stream().map(Entity::definition).toList();
  }

  /** The first port. */
  public InetSocketAddress address() {
    return listening.address();
  }

  /** Whether only this machine can reach the listener. */
  public boolean loopback() {
    return listening.bind().isLoopbackAddress();
  }

  /** Whether the key of the first policy is the one that everybody knows. */
  public boolean wellKnownKey() {
    return loopback() || profile == Profile.EMULATOR || insecure;
  }

  /** Whether peers may come without TLS. */
  public boolean takesPlaintext() {
    return wellKnownKey() || allowPlaintext;
  }

  /**
   * Puts the sources together; what an earlier one says wins, entities of all are wanted.
   *
   * @throws ConfigurationException when something cannot be
   */
  public static ServerSettings from(ConfigSource... sources) {
    var said = new Said(List.of(sources));
    var profile = said.profile();
    var warnings = new ArrayList<String>();
    var entities = new ArrayList<Entity>();
    var listening = said.listening();
    var insecure = said.truth(Setting.INSECURE);
    var anyKey = listening.bind().isLoopbackAddress() || profile == Profile.EMULATOR || insecure;
    var namespaces = new NamespacePlan(profile, anyKey, listening.ports(), warnings);
    var strict = said.truth(Setting.STRICT_ENTITIES);
    var remakes = said.sources().stream().anyMatch(ConfigSource::isRemaking);
    var policies = new ArrayList<PolicyConfig>();
    for (var source : said.sources().reversed()) {
      warnings.addAll(source.warnings());
      namespaces.add(source.namespaces());
      policies.addAll(source.policies());
      for (var given : source.entities()) {
        entities.add(given.under(profile, warnings).treated(strict, remakes));
      }
    }
    return new ServerSettings(
        said.data(),
        said.memoryBytes(),
        said.bytes(Setting.DISK_RESERVE_MEGABYTES, DEFAULT_RESERVE_MEGABYTES),
        said.bytes(Setting.CHECKPOINT_MEGABYTES, DEFAULT_CHECKPOINT_MEGABYTES),
        said.segmentBytes(),
        listening,
        profile,
        said.limits(profile),
        said.budgets(),
        insecure,
        strict,
        said.truth(Setting.ALLOW_PLAINTEXT),
        said.tls(),
        said.truth(Setting.GENERATE_CERTIFICATE),
        said.wireTrace(),
        said.testClock(),
        new CreationOrder(entities).all(),
        namespaces.all(strict),
        PolicyConfig.judged(policies, anyKey),
        warnings);
  }

  /** All sources, the first one the strongest. */
  private record Said(List<ConfigSource> sources) {

    private ConfigSource.@Nullable Value about(Setting setting) {
      for (var source : sources) {
        var given = source.of(setting);
        if (given != null) {
          return given;
        }
      }
      return null;
    }

    boolean truth(Setting setting) {
      var given = about(setting);
      return given != null && given.truth();
    }

    /** Who says that it is insecure lifts the limits too that weaker sources bring along. */
    private ConfigSource.@Nullable Value namedProfile() {
      for (var source : sources) {
        var given = source.of(Setting.PROFILE);
        var open = source.of(Setting.INSECURE);
        if (given != null || (open != null && open.truth())) {
          return given;
        }
      }
      return null;
    }

    Profile profile() {
      var given = namedProfile();
      if (given == null) {
        return Profile.RELAXED;
      }
      try {
        return Profile.of(given.value());
      } catch (ConfigurationException unknown) {
        throw given.wrong(String.valueOf(unknown.getMessage()));
      }
    }

    ProfileLimits limits(Profile profile) {
      return profile
          .limits()
          .with(
              limit(Setting.CONNECTION_LIMIT, 1, 1_000_000),
              limit(Setting.ADDRESS_LIMIT, 1, 1_000_000),
              limit(Setting.RECEIVER_LIMIT, 1, Integer.MAX_VALUE),
              limit(Setting.CREDITS_PER_SECOND, 0, Integer.MAX_VALUE));
    }

    private @Nullable Long limit(Setting setting, long least, long most) {
      return about(setting) == null ? null : number(setting, least, most, 0);
    }

    @Nullable Path data() {
      for (var source : sources) {
        var folder = source.of(Setting.DATA);
        var memory = source.of(Setting.IN_MEMORY);
        if (memory != null && memory.truth()) {
          if (folder != null) {
            throw memory.wrong("a broker in memory has no data folder; take one of the two");
          }
          return null;
        }
        if (folder != null) {
          return path(folder);
        }
      }
      return DEFAULT_DATA;
    }

    @Nullable Long memoryBytes() {
      var given = about(Setting.MEMORY_MEGABYTES);
      if (given == null) {
        return null;
      }
      if (data() != null) {
        throw given.wrong("it bounds a broker in memory, and this one has a data folder");
      }
      return number(given, 1, MOST_MEGABYTES) * MEBIBYTE;
    }

    /** Budget by budget: what the command line does not name is as the file says. */
    Map<String, Long> budgets() {
      var budgets = new TreeMap<String, Long>();
      for (var source : sources.reversed()) {
        var own = new TreeMap<String, Long>();
        list(source.of(Setting.LIMITS)).forEach(part -> BudgetPlan.take(part, data() != null, own));
        budgets.putAll(own);
      }
      return budgets;
    }

    @Nullable TlsFiles tls() {
      var certificate = about(Setting.TLS_CERTIFICATE);
      var key = about(Setting.TLS_KEY);
      if (certificate == null && key == null) {
        return null;
      }
      if (certificate == null) {
        throw new ConfigurationException("a TLS key needs a TLS certificate too");
      }
      if (key == null) {
        throw new ConfigurationException("a TLS certificate needs a TLS key too");
      }
      return new TlsFiles(path(certificate), path(key));
    }

    @Nullable TracedPeers wireTrace() {
      var given = about(Setting.WIRE_TRACE);
      try {
        return given == null ? null : TracedPeers.of(given.value());
      } catch (IllegalArgumentException neither) {
        throw given.wrong(String.valueOf(neither.getMessage()));
      }
    }

    boolean testClock() {
      var given = about(Setting.TEST_CLOCK);
      if (given == null || !given.truth()) {
        return false;
      }
      if (data() != null) {
        throw given.wrong("only a broker in memory lets its time be moved; say --in-memory too");
      }
      return true;
    }

    Listening listening() {
      var ports = list(Setting.PORT);
      var asked = !ports.isEmpty();
      var numbers = asked ? ports.stream().map(this::port).toList() : Listening.DEFAULT_PORTS;
      if (numbers.stream().filter(port -> port != 0).distinct().count()
          != numbers.stream().filter(port -> port != 0).count()) {
        throw ports.getFirst().wrong("a port is named twice");
      }
      return new Listening(bind(), numbers, asked, hostNames(), origins());
    }

    private InetAddress bind() {
      var bind = about(Setting.BIND);
      var host = bind == null ? DEFAULT_BIND : bind.value();
      try {
        return InetAddress.getAllByName(host)[0];
      } catch (UnknownHostException unknown) {
        throw new ConfigurationException(
            (bind == null ? "bind" : bind.where()) + ": there is no address \"" + host + "\"");
      }
    }

    private List<String> hostNames() {
      var names = list(Setting.HOST_NAMES);
      for (var name : names) {
        if (!HOST_NAME.matcher(name.value()).matches()) {
          throw name.wrong("\"" + name.value() + "\" is not a host name");
        }
      }
      return names.stream().map(ConfigSource.Value::value).toList();
    }

    private List<String> origins() {
      var origins = list(Setting.CORS_ORIGIN);
      for (var origin : origins) {
        if (!ORIGIN.matcher(origin.value()).matches()) {
          throw origin.wrong(
              "\"" + origin.value() + "\" is not an origin such as https://shop.example:8443");
        }
      }
      return origins.stream().map(ConfigSource.Value::value).toList();
    }

    /** The parts of a list that commas part. */
    private List<ConfigSource.Value> list(Setting setting) {
      return list(about(setting));
    }

    private static List<ConfigSource.Value> list(ConfigSource.@Nullable Value given) {
      return given == null
          ? List.of()
          : Arrays.stream(given.value().split(",", -1))
              .map(part -> new ConfigSource.Value(part.strip(), given.where()))
              .toList();
    }

    private int port(ConfigSource.Value given) {
      return (int) number(given, 0, 65_535);
    }

    /** Of a setting in mebibytes. */
    long bytes(Setting setting, long otherwise) {
      return number(setting, 1, MOST_MEGABYTES, otherwise) * MEBIBYTE;
    }

    long segmentBytes() {
      var most = MOST_SEGMENT_MEGABYTES;
      return number(Setting.SEGMENT_MEGABYTES, 1, most, most) * MEBIBYTE;
    }

    private long number(Setting setting, long least, long most, long otherwise) {
      var given = about(setting);
      return given == null ? otherwise : number(given, least, most);
    }

    private static long number(ConfigSource.Value given, long least, long most) {
      try {
        return QueueDraft.number(given.value(), least, most);
      } catch (IllegalArgumentException wrong) {
        throw given.wrong(String.valueOf(wrong.getMessage()));
      }
    }

    private static Path path(ConfigSource.Value given) {
      try {
        if (!given.value().isBlank()) {
          return Path.of(given.value());
        }
      } catch (InvalidPathException invalid) {
        throw given.wrong("\"" + given.value() + "\" is not a path");
      }
      throw given.wrong("the path is empty");
    }
  }
}
