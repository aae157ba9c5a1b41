package io.peeklock.kernel.filter;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The most heap in bytes that a rule takes: its texts and values, its tree, the compiled tree, and
 * what evaluation keeps for it. What the rules of a topic share, names of properties and cells, is
 * a separate sum. References count 4 bytes, as in every heap below 32 GiB; with 8 bytes it is up to
 * twice as much.
 */
final class HeapSize {
  private static final int REFERENCE = 4;
  private static final int ARRAY = 16 + 7; // its header and alignment

  /** A string without its characters. */
  private static final int STRING = 24;

  private static final int VALUE = 56;

  /** An entry of a tree map, or of a linked one with its place in the table. */
  private static final int ENTRY = 56;

  /** A map with its view. */
  private static final int MAP = 48 + 32;

  /** What a map with one entry saves as a single object. */
  private static final int ONE_OF_MAP = MAP + ENTRY - 40;

  /** A reference to a node in the list of its parent, and one to its twin. */
  private static final int LINKS = 2 * REFERENCE;

  /** A cell for computing, and its place. */
  static final int CELL = VALUE + REFERENCE + Long.BYTES + Integer.BYTES;

  /** A slot of an unused name, and the cell of its value. */
  static final int FREE_SLOT = VALUE + 12 * REFERENCE;

  private static final int SMALL = 16;
  private static final int LARGE = 24;

  /** A list of operands, and the array of their compiled twins. */
  private static final int LISTS = 24 + 2 * ARRAY;

  /** What the table keeps for an evaluated filter, without the compiled filter. */
  private static final int EVALUATED = ENTRY + SMALL + LARGE + ARRAY + LARGE + REFERENCE;

  /** What the table keeps for a correlation filter, without its values. */
  private static final int LOOKED_UP = 48 + 2 * ARRAY + SMALL + LARGE;

  /** A compiled action without its statements. */
  private static final int RUN = 768;

  /** The places of a table for few filters. */
  private static final int FEW_PLACES = 8;

  private long own;
  private long shared;
  private final Set<PropertyName> names = new TreeSet<>();

  private HeapSize() {}

  static HeapSize of(String text, Map<String, FilterValue> parameters, Expression condition) {
    var size = new HeapSize();
    size.own = 40 + EVALUATED + bytes(text) + bytes(parameters);
    size.add(condition);
    return size;
  }

  static HeapSize of(String text, Map<String, FilterValue> parameters, List<Statement> statements) {
    var size = new HeapSize();
    size.own = 40 + RUN + 2 * ARRAY + bytes(text) + bytes(parameters);
    for (Statement statement : statements) {
      size.own += 2 * LARGE; // it, and its step
      size.addTarget(statement.target());
      if (statement instanceof Statement.Set set) {
        size.add(set.value());
      }
    }
    return size;
  }

  static HeapSize of(Map<SystemProperty, String> system, Map<String, FilterValue> user) {
    var size = new HeapSize();
    size.own = 40 + LOOKED_UP + bytes(user) + ofMap(system.size());
    // with one entry it is all in one
    size.own -= system.size() == 1 ? ONE_OF_MAP : 0;
    size.own -= user.size() == 1 ? ONE_OF_MAP : 0;
    size.own += (long) LINKS * (system.size() + user.size());
    for (String text : system.values()) {
      long utf8 = text.getBytes(StandardCharsets.UTF_8).length;
      size.own += ENTRY + bytes(text) + VALUE + array(utf8);
    }
    size.shared = ofShape(system.size() + user.size(), FEW_PLACES);
    for (String name : user.keySet()) {
      size.shared += ofSlot(new PropertyName(name));
    }
    return size;
  }

  /** The bytes of this rule alone. */
  long own() {
    return own;
  }

  /** The bytes that other rules of the topic may share, counted as if none did. */
  long shared() {
    return shared;
  }

  /** The shared name of an application property, with a cell for its value. */
  static long ofSlot(PropertyName name) {
    return ENTRY + SMALL + VALUE + 8 * REFERENCE + bytes(name);
  }

  /** A table for filters with one set of properties, with this many places. */
  static long ofShape(int properties, int places) {
    return ENTRY + 2 * LARGE + LISTS + 2 * ARRAY + 32L * properties + (long) REFERENCE * places;
  }

  private static long array(long bytes) {
    return ARRAY + bytes;
  }

  /** A separate string; with one character beyond Latin-1 all take two bytes. */
  private static long bytes(String text) {
    int letters = text.length();
    for (int i = 0; i < letters; i++) {
      if (text.charAt(i) > 0xff) {
        return STRING + array(2L * letters);
      }
    }
    return STRING + array(letters);
  }

  private static long bytes(PropertyName name) {
    return 32 + bytes(name.text()) + array(name.utf8Length());
  }

  private static long bytes(FilterValue value) {
    if (value.type() == ValueType.DECIMAL) {
      // with its text, which it may have cached
      int bits = value.asDecimal().unscaledValue().bitLength();
      return VALUE + 128 + array(bits / 8) + array(bits / 3);
    }
    return value.type().hasBytes() ? VALUE + array(value.length()) : VALUE;
  }

  /** A map without its entries. */
  private static long ofMap(int entries) {
    return entries == 0 ? 0 : MAP;
  }

  private static long bytes(Map<String, FilterValue> values) {
    long bytes = ofMap(values.size());
    for (Map.Entry<String, FilterValue> entry : values.entrySet()) {
      bytes += ENTRY + bytes(entry.getKey()) + bytes(entry.getValue());
    }
    return bytes;
  }

  private void addAll(List<Expression> expressions) {
    own += LISTS;
    for (Expression expression : expressions) {
      add(expression);
    }
  }

  private void add(Expression expression) {
    own += LINKS;
    switch (expression) {
      case Expression.Constant constant -> own += 2 * SMALL + bytes(constant.value());
      case Expression.Parameter parameter -> own += LARGE + SMALL + bytes(parameter.name());
      case Expression.UserProperty user -> {
        own += 2 * SMALL + REFERENCE + bytes(user.name());
        share(user.name());
      }
      case Expression.BrokerProperty broker -> own += LARGE + SMALL + VALUE + bytes(broker.name());
      case Expression.NamedProperty named -> add(named);
      case Expression.NewId newId -> compute(2 * SMALL);
      case Expression.Signed signed -> {
        compute(2 * LARGE);
        add(signed.operand());
      }
      case Expression.Chain chain -> {
        compute(2 * LARGE + LISTS + LINKS * chain.operators().size());
        addAll(chain.operands());
      }
      case Expression.Predicate condition -> add(condition);
    }
  }

  /** Adds the target of a statement, which is changed and not read. */
  private void addTarget(Expression target) {
    own += LINKS + SMALL;
    own += target instanceof Expression.UserProperty user ? bytes(user.name()) : 0;
    own += target instanceof Expression.BrokerProperty broker ? LARGE + bytes(broker.name()) : 0;
  }

  /** Adds a property to the shared part; reading it twice needs one cell. */
  private void share(PropertyName name) {
    shared += names.add(name) ? ofSlot(name) : 0;
  }

  private void compute(long bytes) {
    own += bytes;
    shared += CELL;
  }

  private void add(Expression.NamedProperty named) {
    FilterValue name = Parser.constant(named.name());
    if (name != null && name.type() == ValueType.TEXT) {
      own += REFERENCE;
      share(new PropertyName(name.text()));
    } else {
      shared += CELL;
    }
    own += SMALL + LARGE;
    add(named.name());
  }

  private void add(Expression.Predicate condition) {
    switch (condition) {
      case Expression.Comparing comparing -> {
        own += 2 * LARGE;
        add(comparing.left());
        add(comparing.right());
      }
      case Expression.Like like -> add(like);
      case Expression.In in -> {
        own += 2 * LARGE + SMALL;
        add(in.operand());
        addAll(in.choices());
      }
      case Expression.IsNull isNull -> {
        own += LARGE + 2 * SMALL;
        add(isNull.property());
      }
      case Expression.Exists exists -> {
        own += 2 * SMALL;
        add(exists.property());
      }
      case Expression.Not not -> {
        own += 2 * SMALL;
        add(not.operand());
      }
      case Expression.And and -> {
        own += 2 * SMALL;
        addAll(and.operands());
      }
      case Expression.Or or -> {
        own += 2 * SMALL;
        addAll(or.operands());
      }
    }
  }

  private void add(Expression.Like like) {
    own += 32 + LARGE + SMALL + 32; // the pattern included
    add(like.text());
    add(like.pattern());
    Expression escape = like.escape();
    if (escape != null) {
      FilterValue signs = Parser.constant(like.pattern());
      own += signs == null ? 0 : array(signs.length()); // a pattern without its escapes
      add(escape);
    }
  }
}
