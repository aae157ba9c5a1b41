package io.peeklock.codec;

import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.entity.EntityProperties;
import io.peeklock.kernel.fact.Fact;
import java.util.ArrayList;
import java.util.List;

/**
 * The layout of one kind of fact as a record: its number, which is never reused, and its fields in
 * order. A changed layout is a new version, and the old one keeps its reader.
 *
 * @param <F> the kind
 */
final class FactLayout<F extends Fact> {
  private final int number;
  private final Class<F> kind;
  private final Writing<F> newest;
  private final List<Reading<F>> versions;

  /** Writes the fields, always those of the newest version. */
  interface Writing<F> {
    void write(F fact, FactWriter out);
  }

  /** Reads the fields of one version. */
  interface Reading<F> {
    F read(FactReader in) throws UnreadableFact;
  }

  /** Reads the fields of any version of the properties of entities. */
  interface ReadingOfVersion<F> {
    F read(int version, FactReader in) throws UnreadableFact;
  }

  private FactLayout(int number, Class<F> kind, Writing<F> newest, List<Reading<F>> versions) {
    this.number = number;
    this.kind = kind;
    this.newest = newest;
    this.versions = versions;
  }

  /**
   * The layout of a kind.
   *
   * @param number of its records, from 1 to 255
   * @param newest writes the version that the last of these reads
   * @param versions the readers of all versions, from the first on
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // only copied
  static <F extends Fact> FactLayout<F> of(
      int number, Class<F> kind, Writing<F> newest, Reading<F>... versions) {
    Invariant.check(number > 0 && number < 256, "the number of a kind is one byte");
    return new FactLayout<>(number, kind, newest, List.of(versions));
  }

  /**
   * The layout of a kind that has the properties of an entity, and whose versions are theirs.
   *
   * @param reading reads each version of {@link EntityProperties}
   */
  static <F extends Fact> FactLayout<F> ofDefinition(
      int number, Class<F> kind, Writing<F> newest, ReadingOfVersion<F> reading) {
    var versions = new ArrayList<Reading<F>>();
    for (var each = 1; each <= EntityProperties.version(EntityProperties.ALL); each++) {
      var version = each;
      versions.add(in -> reading.read(version, in));
    }
    return new FactLayout<>(number, kind, newest, List.copyOf(versions));
  }

  int number() {
    return number;
  }

  Class<F> kind() {
    return kind;
  }

  /** The version that is written; those that are read begin at 1. */
  int version() {
    return versions.size();
  }

  boolean reads(int version) {
    return version >= 1 && version <= versions.size();
  }

  /** Writes the fields of a fact of this kind. */
  void write(Fact fact, FactWriter out) {
    newest.write(kind.cast(fact), out);
  }

  /**
   * Reads the fields of a version that it {@link #reads}.
   *
   * @throws UnreadableFact when they are damaged
   */
  F read(int version, FactReader in) throws UnreadableFact {
    return versions.get(version - 1).read(in);
  }
}
