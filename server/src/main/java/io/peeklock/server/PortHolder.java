package io.peeklock.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Finds the process that listens on a port, where {@code /proc} tells. */
final class PortHolder {
  private static final Pattern BLANKS = Pattern.compile(" +");
  private static final String LISTENING = "0A";

  private final Path proc;

  PortHolder(Path proc) {
    this.proc = proc;
  }

  /**
   * Words to append to "port N is in use".
   *
   * @return " by pid 1234 (java)", or the empty text when it cannot be found
   */
  String of(int port) {
    try {
      var sockets = new HashSet<String>();
      for (var table : List.of("tcp", "tcp6")) {
        addListening(proc.resolve("net").resolve(table), port, sockets);
      }
      return sockets.isEmpty() ? "" : holderOf(sockets);
    } catch (IOException notTold) {
      return "";
    }
  }

  private static void addListening(Path table, int port, Set<String> sockets) throws IOException {
    if (!Files.isReadable(table)) {
      return;
    }
    var ending = String.format(Locale.ROOT, ":%04X", port);
    for (var line : Files.readAllLines(table)) {
      var columns = BLANKS.split(line.strip(), -1);
      if (columns.length > 9 && columns[1].endsWith(ending) && columns[3].equals(LISTENING)) {
        sockets.add("socket:[" + columns[9] + "]");
      }
    }
  }

  private String holderOf(Set<String> sockets) throws IOException {
    try (var processes = Files.newDirectoryStream(proc, "[0-9]*")) {
      for (var process : processes) {
        if (holds(process, sockets)) {
          var name = Files.readString(process.resolve("comm")).strip();
          return " by pid " + process.getFileName() + " (" + name + ")";
        }
      }
    }
    return "";
  }

  private static boolean holds(Path process, Set<String> sockets) {
    try (var files = Files.newDirectoryStream(process.resolve("fd"))) {
      for (var file : files) {
        if (sockets.contains(Files.readSymbolicLink(file).toString())) {
          return true;
        }
      }
    } catch (IOException goneOrSomebodyElses) {
      return false;
    }
    return false;
  }
}
