package io.peeklock.cli;

import java.util.ArrayList;
import java.util.List;

/** Rows under a heading, in columns as wide as what stands in them. */
final class Table {
  private final List<List<String>> rows = new ArrayList<>();

  Table(String... headings) {
    rows.add(List.of(headings));
  }

  void row(List<String> cells) {
    rows.add(cells.stream().map(Printed::cell).toList());
  }

  /** Lines without blanks at their ends. */
  List<String> lines() {
    var lines = new ArrayList<String>();
    for (var row : rows) {
      var line = new StringBuilder();
      for (var i = 0; i < row.size(); i++) {
        line.append(row.get(i)).append(" ".repeat(width(i) - row.get(i).length() + 2));
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
