package io.peeklock.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.journal.inspection.StoreFolder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * What a command ended with, and what it printed.
 *
 * @param code its exit code
 */
record CommandResult(int code, String out, String err) {

  /** Runs a command as the launcher would. */
  static CommandResult by(Object... arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    var words = new String[arguments.length];
    for (var i = 0; i < words.length; i++) {
      words[i] = arguments[i].toString();
    }
    var code =
        StoreMain.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(words);
    return new CommandResult(code, out.toString(), err.toString());
  }

  /** What a repair of a folder into another one does. */
  static CommandResult repair(Path folder, Path to, String... more) {
    return by(Stream.concat(Stream.of("repair", folder, "--to", to), Stream.of(more)).toArray());
  }

  /** Where the frame of a batch lies in its segment. */
  static long offset(Path folder, long index) throws IOException {
    var offsets = new TreeMap<Long, Long>();
    var choice = new Dump.Choice(0, Long.MAX_VALUE, null, false);
    var pattern = Pattern.compile("\"offset\":(\\d+),\"index\":(\\d+)");
    dump(folder, choice, false)
        .lines()
        .map(pattern::matcher)
        .filter(Matcher::find)
        .forEach(
            found -> offsets.put(Long.parseLong(found.group(2)), Long.parseLong(found.group(1))));
    return Objects.requireNonNull(offsets.get(index));
  }

  /** The segment of a folder that has one. */
  static Path onlySegment(Path folder) throws IOException {
    var segments =
        StoreFolder.files(folder).keySet().stream()
            .filter(name -> StoreFolder.kindOf(name) == StoreFolder.Kind.SEGMENT)
            .toList();
    assertThat(segments).hasSize(1);
    return folder.resolve(segments.get(0));
  }

  /** What a dump of a folder prints. */
  static String dump(Path folder, Dump.Choice choice, boolean checkpoint) throws IOException {
    var out = new ByteArrayOutputStream();
    try (var store = StoreFolder.take(folder);
        var dump = new Dump(store, choice, out)) {
      if (checkpoint) {
        dump.checkpoint();
      } else {
        dump.log();
      }
    }
    return out.toString(UTF_8);
  }

  /** All files below a folder, with length and checksum of each. */
  static Map<String, String> bytesIn(Path folder) {
    var all = new TreeMap<String, String>();
    try (var files = Files.walk(folder)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        var check = new CRC32C();
        var bytes = Files.readAllBytes(file);
        check.update(bytes);
        all.put(folder.relativize(file).toString(), bytes.length + " " + check.getValue());
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    return all;
  }

  /** Flips one bit of a file. */
  static void flip(Path file, long offset) throws IOException {
    var bytes = Files.readAllBytes(file);
    bytes[(int) offset] ^= 0x10;
    Files.write(file, bytes);
  }
}
