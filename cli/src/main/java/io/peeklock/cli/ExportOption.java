package io.peeklock.cli;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What every command that writes messages down has: which ones, and where to. */
final class ExportOption {
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Mixin private BrokerOption broker = new BrokerOption();
  @Mixin private Selection selection = new Selection();

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "A new file (default: the standard output).")
  private @Nullable Path file;

  @Option(
      names = {"-q", "--quiet"},
      description = "Do not say how many were written.")
  private boolean quiet;

  /** Writes what is at an address and selected, one JSON object a line. */
  int run(UnaryOperator<String> where) {
    selection.checkCount();
    var known = spec;
    if (known == null) {
      throw new IllegalStateException("picocli sets the spec before it runs a command");
    }
    return file == null ? toOutput(where, known) : toFile(where, file, known);
  }

  private int toOutput(UnaryOperator<String> where, CommandSpec known) {
    var printer = new Printer(known, OutputOption.Form.JSONL, quiet);
    return broker.talk(
        (connection, incoming) -> {
          var address = where.apply(selection.name(connection));
          try (var node = Management.of(connection, address, incoming)) {
            var written =
                Browse.of(node).each(selection, each -> printer.element(MessageJson.fields(each)));
            printer.end();
            return written == 0 ? CliFailure.NOTHING : 0;
          }
        });
  }

  private int toFile(UnaryOperator<String> where, Path target, CommandSpec known) {
    try (var out = create(target)) {
      var written = write(where, out);
      out.flush();
      new Printer(known, OutputOption.Form.TABLE, quiet)
          .say(MoveOption.messages(written) + " written to " + target);
      return written == 0 ? CliFailure.NOTHING : 0;
    } catch (FileAlreadyExistsException there) {
      throw CliFailure.usage("the file " + target + " is there already; name a new one");
    } catch (IOException | UncheckedIOException failed) {
      throw CliFailure.output("the file " + target + " cannot be written: " + failed.getMessage());
    }
  }

  private static BufferedWriter create(Path target) throws IOException {
    return Files.newBufferedWriter(
        target, StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  private long write(UnaryOperator<String> where, BufferedWriter out) {
    var written = new long[1];
    broker.talk(
        (connection, incoming) -> {
          var address = where.apply(selection.name(connection));
          try (var node = Management.of(connection, address, incoming)) {
            written[0] =
                Browse.of(node)
                    .each(
                        selection,
                        each -> {
                          var line = Json.of(MessageJson.fields(each));
                          try {
                            out.write(line + "\n");
                          } catch (IOException full) {
                            throw new UncheckedIOException(full);
                          }
                        });
            return 0;
          }
        });
    return written[0];
  }
}
