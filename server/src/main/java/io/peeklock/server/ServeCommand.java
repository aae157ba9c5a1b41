package io.peeklock.server;

import io.peeklock.server.config.ConfigFile;
import io.peeklock.server.config.ConfigurationException;
import io.peeklock.server.config.ServerSettings;
import io.peeklock.server.config.Setting;
import io.peeklock.server.config.Wishes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options of {@code serve}. */
@Command(
    name = "serve",
    description = "Run the broker.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    versionProvider = PeeklockMain.VersionWord.class,
    footer = {
      "",
      "A queue's properties have their Service Bus names: LockDuration, MaxDeliveryCount,",
      "DefaultMessageTimeToLive, DeadLetteringOnMessageExpiration, MaxSizeInMegabytes,",
      "MaxMessageSizeInKilobytes. Durations are ISO-8601, such as PT30S.",
      "",
      "Ends with 0 when stopped, 1 when it could not start, 2 for a wrong option, 3 when its log",
      "failed."
    })
final class ServeCommand implements Callable<Integer> {
  @Option(
      names = "--queue",
      paramLabel = "NAME[,Property=value]...",
      description = "A queue to have; made when missing. May be repeated.")
  private List<String> queues = new ArrayList<>();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Folder for everything durable (default: peeklock-data).")
  private @Nullable String data;

  @Option(names = "--in-memory", description = "Keep nothing on disk.")
  private boolean inMemory;

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "Port to listen on; 0 takes any free one (default: 5672).")
  private @Nullable String port;

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS",
      description = "Address to listen on (default: 127.0.0.1).")
  private @Nullable String bind;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description = "Limits and defaults: relaxed (default), standard, premium or emulator.")
  private @Nullable String profile;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "YAML file with the same settings; options win over it.")
  private @Nullable Path config;

  @Option(
      names = "--tls-certificate",
      paramLabel = "PEM",
      description = "Certificate chain to show to clients that speak TLS.")
  private @Nullable String tlsCertificate;

  @Option(names = "--tls-key", paramLabel = "PEM", description = "Its private key, PKCS#8.")
  private @Nullable String tlsKey;

  @Option(
      names = "--allow-plaintext",
      description = "Let other machines connect without TLS.")
  private boolean allowPlaintext;

  @Option(
      names = "--topic",
      paramLabel = "NAME",
      hidden = true,
      description = "Not supported yet.")
  private List<String> topics = new ArrayList<>();

  @Override
  public Integer call() {
    return Serving.run(settings());
  }

  /**
   * What the options and the file come to.
   *
   * @throws ConfigurationException when they cannot be
   */
  ServerSettings settings() {
    if (!topics.isEmpty()) {
      throw new ConfigurationException("--topic: topics are not supported yet, only queues are");
    }
    var options = new Wishes();
    say(options, Setting.DATA, data);
    say(options, Setting.IN_MEMORY, inMemory ? "true" : null);
    say(options, Setting.PORT, port);
    say(options, Setting.BIND, bind);
    say(options, Setting.PROFILE, profile);
    say(options, Setting.ALLOW_PLAINTEXT, allowPlaintext ? "true" : null);
    say(options, Setting.TLS_CERTIFICATE, tlsCertificate);
    say(options, Setting.TLS_KEY, tlsKey);
    queues.forEach(options::queue);
    return ServerSettings.from(options, config == null ? new Wishes() : ConfigFile.read(config));
  }

  private static void say(Wishes options, Setting setting, @Nullable String value) {
    options.say(setting, value, "--" + setting.word());
  }
}
