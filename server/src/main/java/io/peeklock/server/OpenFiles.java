package io.peeklock.server;

import io.peeklock.transport.ConnectionLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * How many files and sockets the operating system lets this process have open, and so how many
 * connections: a log that cannot open its next file is the end of the broker.
 *
 * @param most the largest number when nobody tells
 */
record OpenFiles(long most) {
  /** The most that the log and the program take for themselves, of many. */
  private static final long RESERVED = 512;

  private static final int UNAUTHENTICATED_PART = 4;
  private static final Pattern BLANKS = Pattern.compile(" +");
  private static final String LINE = "Max open files";

  static OpenFiles ofThisProcess() {
    return in(Path.of("/proc/self/limits"));
  }

  /** As a file of Linux says; asking the JVM costs tens of milliseconds of the start. */
  static OpenFiles in(Path limits) {
    try {
      for (var line : Files.readAllLines(limits)) {
        if (line.startsWith(LINE)) {
          return new OpenFiles(Long.parseLong(BLANKS.split(line.substring(LINE.length()), 3)[1]));
        }
      }
    } catch (IOException | NumberFormatException notTold) {
      return new OpenFiles(Long.MAX_VALUE);
    }
    return new OpenFiles(Long.MAX_VALUE);
  }

  /**
   * The listener closes what is above these without an answer. The edge tells those above the quota
   * why (S-438), so these are far above it. Without a quota there are as many as files;
   * unauthenticated connections have places of their own.
   *
   * @param quota of the profile; {@link Integer#MAX_VALUE} for none
   * @param perAddress of the profile; {@link Integer#MAX_VALUE} for half of them
   * @param mostUnauthenticated for which there is memory
   */
  ConnectionLimits limits(int quota, int perAddress, int mostUnauthenticated) {
    var usual = ConnectionLimits.DEFAULT;
    var room = Math.min(Integer.MAX_VALUE, Math.max(2, most - Math.min(RESERVED, most / 4)));
    var unauthenticated = Math.clamp(room / UNAUTHENTICATED_PART, 1, mostUnauthenticated);
    var hasQuota = quota != Integer.MAX_VALUE;
    var wanted = hasQuota ? Math.max(usual.total(), quota) + mostUnauthenticated : quota;
    var total = (int) Math.min(wanted, room - unauthenticated);
    var ofOne = perAddress == Integer.MAX_VALUE ? Math.max(1, total / 2) : perAddress;
    return new ConnectionLimits(total, ofOne, unauthenticated, usual.sniffMillis());
  }
}
