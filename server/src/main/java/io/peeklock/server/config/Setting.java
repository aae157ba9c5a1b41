package io.peeklock.server.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What can be set for the whole program: {@code --word} on the command line, {@code PEEKLOCK_WORD}
 * in the environment, a key in the file.
 */
public enum Setting {
  /** The data folder. */
  DATA("DIR", "folder for everything durable (default: peeklock-data)"),
  /** Whether to keep everything in memory. */
  IN_MEMORY("", "keep nothing on disk"),
  /** How much a namespace in memory may hold. */
  MEMORY_MEGABYTES("N", "with --in-memory, for each namespace, in MiB (default: by the memory)"),
  /** Free space below which sends are refused. */
  DISK_RESERVE_MEGABYTES("N", "refuse sends while less is free, in MiB (default: 256)"),
  /** How much log lies between two checkpoints. */
  CHECKPOINT_MEGABYTES("N", "log between two checkpoints, in MiB (default: 256)"),
  /** How large a file of the log becomes. */
  SEGMENT_MEGABYTES("N", "size of a file of the log, in MiB, up to 64 (default: 64)"),
  /** The ports; 0 takes any free one. */
  PORT("N[,N]", "ports for AMQP, HTTP, WebSocket and TLS; 0: any free (default: 5672,5300)"),
  /** The address to listen on. */
  BIND("ADDRESS", "address to listen on (default: 127.0.0.1)"),
  /** Which limits and defaults hold. */
  PROFILE("NAME", "relaxed (default), basic, standard, premium or emulator"),
  /** Connections at a time, in place of the profile's. */
  CONNECTION_LIMIT("N", "most connections at a time (default: the profile's)"),
  /** Of those, connections from one address, in place of the profile's. */
  ADDRESS_LIMIT("N", "most of them from one address but this machine's (default: the profile's)"),
  /** Receivers of an entity at a time, in place of the profile's. */
  RECEIVER_LIMIT("N", "most receivers of a queue or topic at a time (default: the profile's)"),
  /** What clients may do in a second, in place of the profile's. */
  CREDITS_PER_SECOND("N", "throttle above so many credits; 0 for never (default: the profile's)"),
  /** Budgets in place of those that follow the memory. */
  LIMITS("NAME=N[,NAME=N]", "budgets in MiB, such as transfers=64 (default: by the memory)"),
  /** Names by which clients reach the broker. */
  HOST_NAMES("NAME[,NAME]", "names by which clients call it, beside those of this machine"),
  /** PEM file with the certificate. */
  TLS_CERTIFICATE("PEM", "certificate chain to show to clients that speak TLS"),
  /** PEM file with the private key. */
  TLS_KEY("PEM", "its private key, PKCS#8"),
  /** Whether a made certificate will do for other machines. */
  GENERATE_CERTIFICATE("", "let other machines connect with a certificate made here"),
  /** Whether anybody may come with the key that everybody knows. */
  INSECURE("", "the emulator's key and no TLS on any address; for machines of no importance"),
  /** Whether an entity that is there must be as it is asked for. */
  STRICT_ENTITIES("", "do not start when an entity is there and differs from what is said of it"),
  /** Whether other machines may connect without TLS. */
  ALLOW_PLAINTEXT("", "let other machines connect without TLS"),
  /** Pages of which origins may talk to the broker. */
  CORS_ORIGIN(
      "ORIGIN[,ORIGIN]", "let pages of these origins, such as https://a.example, talk HTTP"),
  /** Whose AMQP frames are written to the log. */
  WIRE_TRACE("HOST[:PORT]|all", "write AMQP frames of this client to the log, without bodies"),
  /** Whether tests on this machine may move the broker's time. */
  TEST_CLOCK("", "with --in-memory: let this machine move time at /$peeklock/clock");

  private final String label;
  private final String help;

  Setting(String label, String help) {
    this.label = label;
    this.help = help;
  }

  /** As the file spells it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** As the command line spells it. */
  String option() {
    return "--" + word();
  }

  /** As the environment spells it. */
  String variable() {
    return "PEEKLOCK_" + name();
  }

  /** What stands for its value in the help; empty for a switch. */
  String label() {
    return label;
  }

  String help() {
    return help;
  }

  static @Nullable Setting of(String word) {
    for (var setting : values()) {
      if (setting.word().equals(word)) {
        return setting;
      }
    }
    return null;
  }

  static List<String> words() {
    return Arrays.stream(values()).map(Setting::word).toList();
  }
}
