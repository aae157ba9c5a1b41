package io.peeklock.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.qpid.protonj2.client.AdvancedMessage;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/** What every command that lists messages as a table has: which ones, and in which form. */
final class ListingOption {
  private static final int FEW = 100;

  static final Column NUMBER = new Column("NUMBER", MessageJson::sequenceNumber);
  static final Column ENQUEUED =
      new Column("ENQUEUED", message -> message.annotation(MessageJson.ENQUEUED));
  static final Column MESSAGE_ID = new Column("MESSAGE-ID", AdvancedMessage::messageId);
  static final Column SESSION = new Column("SESSION", AdvancedMessage::groupId);
  static final Column BODY = new Column("BODY", ListingOption::beginOfBody);

  private static final int BODY_CHARACTERS = 60;

  @Mixin private BrokerOption broker = new BrokerOption();
  @Mixin private Selection selection = new Selection();
  @Mixin private OutputOption output = new OutputOption();

  /** What stands in a cell; null for nothing. */
  @FunctionalInterface
  interface Cell {
    @Nullable Object of(AdvancedMessage<?> message) throws ClientException;
  }

  /** A column of the table. */
  record Column(String heading, Cell cell) {}

  /**
   * Lists what is selected.
   *
   * @param state that messages must have; null for any
   */
  int run(UnaryOperator<String> where, @Nullable String state, List<Column> columns) {
    selection.checkCount();
    var headings = columns.stream().map(Column::heading).toArray(String[]::new);
    var printer = output.printer().headed(headings);
    return broker.talk(
        (connection, incoming) -> {
          var address = where.apply(selection.name(connection));
          try (var node = Management.of(connection, address, incoming)) {
            var browse = state == null ? Browse.of(node) : Browse.of(node, state);
            var found =
                browse.each(
                    selection.atMost(FEW),
                    each -> printer.row(MessageJson.fields(each), cells(each, columns)));
            if (found == FEW && selection.isUnbounded()) {
              printer.note("these are the first " + FEW + "; --all or --count N shows more");
            }
            printer.end();
            return found == 0 ? CliFailure.NOTHING : 0;
          }
        });
  }

  private static List<String> cells(AdvancedMessage<?> message, List<Column> columns)
      throws ClientException {
    var cells = new ArrayList<String>();
    for (var column : columns) {
      var value = column.cell().of(message);
      cells.add(value == null ? "" : Json.text(value));
    }
    return cells;
  }

  private static Object beginOfBody(AdvancedMessage<?> message) throws ClientException {
    var body = Printed.oneLine(MessageText.body(message));
    return body.length() > BODY_CHARACTERS ? body.substring(0, BODY_CHARACTERS) + "…" : body;
  }
}
