package io.peeklock.cli;

import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What every command that moves messages has: which ones, with which ids, and how to say it. */
final class MoveOption {
  @Mixin private BrokerOption broker = new BrokerOption();
  @Mixin private Selection selection = new Selection();

  @Option(
      names = "--new-ids",
      description = {
        "New message ids. With the old ones a queue that detects duplicates drops",
        "what it has seen within its window."
      })
  private boolean newIds;

  @Mixin private OutputOption output = new OutputOption();

  /**
   * From where, and where to.
   *
   * @param to null to delete
   * @param word what was done then
   */
  record Way(String from, @Nullable String to, String word) {}

  /**
   * Moves what was selected.
   *
   * @param from where it is, by the name of the queue
   * @param to where to, by that too
   */
  int run(UnaryOperator<String> from, UnaryOperator<String> to, String word) {
    selection.check();
    var unused = from.apply(selection.name()); // refuses what is no name before anybody is asked
    QueueParameter.notOpen(to.apply(selection.name()));
    var printer = output.printer();
    return broker.talk(
        (connection, incoming) -> {
          var name = selection.name(connection);
          var way = new Way(from.apply(name), to.apply(name), word);
          return move(
              new Mover(connection, incoming, printer, newIds),
              find(connection, incoming, way.from(), selection),
              way,
              printer);
        });
  }

  /** The numbers of what is selected and can be received. */
  static Set<Long> find(
      Connection connection, IncomingBytes incoming, String address, Selection selection)
      throws ClientException {
    try (var node = Management.of(connection, address, incoming)) {
      return Browse.of(node, "active").numbers(selection);
    }
  }

  /** Moves, and says how many; those that somebody else had are said too. */
  static int move(Mover mover, Set<Long> wanted, Way way, Printer printer) throws ClientException {
    var all = wanted.size();
    var moved = all == 0 ? 0 : mover.move(way.from(), way.to(), wanted);
    if (printer.isTable()) {
      printer.say(messages(moved) + " " + way.word() + (way.to() == null ? "" : " to " + way.to()));
    } else {
      printer.only(Map.of(way.word(), moved, "left", all - moved));
    }
    printer.flush();
    if (moved < all) {
      printer.note(
          messages(all - moved) + " left where they were: others have them, or took them away");
    }
    return moved == 0 ? CliFailure.NOTHING : 0;
  }

  static String messages(long count) {
    return count + (count == 1 ? " message" : " messages");
  }
}
