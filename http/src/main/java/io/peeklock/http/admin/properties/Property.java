package io.peeklock.http.admin.properties;

import io.peeklock.http.admin.atom.AtomWriter;
import io.peeklock.http.admin.atom.Problem;
import io.peeklock.http.admin.atom.XmlNode;
import io.peeklock.kernel.entity.EntityProperty;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.runtime.naming.IsoDuration;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One element of a description: how it gets into a definition and out of one.
 *
 * @param reading null where clients cannot set it; what they send is then left unread
 * @param since the version of the API that brought it; empty for one that was always there
 * @param measured whether it is told to who asks for the entity, and not to who made it
 */
public record Property(
    String element, @Nullable Reading reading, Writing writing, String since, boolean measured) {

  /** One that was always there. */
  Property(String element, @Nullable Reading reading, Writing writing) {
    this(element, reading, writing, "", false);
  }

  /** The same, from a version of the API on. */
  Property since(String version) {
    return new Property(element, reading, writing, version, measured);
  }

  /** The same, told to who asks for the entity alone. */
  Property asMeasured() {
    return new Property(element, reading, writing, since, true);
  }

  /** Takes what a client sent, or throws a {@link Problem}. */
  @FunctionalInterface
  interface Reading {
    void into(DefinitionForm draft, XmlNode given);
  }

  /** Writes the whole element, or nothing. */
  @FunctionalInterface
  interface Writing {
    void write(EntityView shown, AtomWriter out);
  }

  /** What a value may be, by the terms of a broker. */
  record Range(ToLongFunction<ProfileTerms> least, ToLongFunction<ProfileTerms> most) {
    /** Of a property, in which the profile has a say. */
    static Range of(EntityProperty<?> property, EntityProperty.Range own) {
      return new Range(
          terms -> terms.range(property, own).least(), terms -> terms.range(property, own).most());
    }
  }

  /** A duration, in milliseconds inside. */
  static Property duration(
      String element,
      Range range,
      BiConsumer<DefinitionForm, Long> put,
      ToLongFunction<QueueDefinition> get) {
    return new Property(
        element,
        (draft, given) -> put.accept(draft, duration(element, range, draft.terms(), given.value())),
        text(element, shown -> IsoDuration.text(get.applyAsLong(shown.definition()))));
  }

  private static long duration(String element, Range range, ProfileTerms terms, String given) {
    long millis;
    try {
      millis = IsoDuration.millis(given);
    } catch (IllegalArgumentException notOne) {
      throw wrong(element, given, "must be an ISO-8601 duration such as PT30S");
    }
    var least = range.least().applyAsLong(terms);
    var most = range.most().applyAsLong(terms);
    if (millis < least || millis > most) {
      throw wrong(
          element,
          given,
          "must be from " + IsoDuration.text(least) + " to " + IsoDuration.text(most));
    }
    return millis;
  }

  /** A whole number. */
  static Property number(
      String element,
      Range range,
      BiConsumer<DefinitionForm, Long> put,
      ToLongFunction<QueueDefinition> get) {
    return new Property(
        element,
        (draft, given) -> put.accept(draft, number(element, range, draft.terms(), given.value())),
        text(element, shown -> Long.toString(get.applyAsLong(shown.definition()))));
  }

  private static long number(String element, Range range, ProfileTerms terms, String given) {
    var least = range.least().applyAsLong(terms);
    var most = range.most().applyAsLong(terms);
    try {
      var number = Long.parseLong(given);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException notOne) {
      throw wrong(element, given, "must be a whole number");
    }
    throw wrong(element, given, "must be between " + least + " and " + most);
  }

  /** A yes or no. */
  static Property flag(
      String element, BiConsumer<DefinitionForm, Boolean> put, Predicate<QueueDefinition> get) {
    return new Property(
        element,
        (draft, given) -> put.accept(draft, truth(element, given.value())),
        text(element, shown -> Boolean.toString(get.test(shown.definition()))));
  }

  /** A yes or no that the broker keeps and does not act on. */
  static Property keptFlag(String element, boolean otherwise) {
    return new Property(
        element,
        (draft, given) -> draft.attribute(element, Boolean.toString(truth(element, given.value()))),
        text(element, shown -> shown.attribute(element, Boolean.toString(otherwise))));
  }

  static boolean truth(String element, String given) {
    return switch (given.toLowerCase(Locale.ROOT)) {
      case "true", "1" -> true;
      case "false", "0" -> false;
      default -> throw wrong(element, given, "must be true or false");
    };
  }

  /** What clients can only read. */
  static Property shown(String element, Function<EntityView, @Nullable String> get) {
    return new Property(element, null, text(element, get));
  }

  /** Writes a text, or nothing for null. */
  static Writing text(String element, Function<EntityView, @Nullable String> get) {
    return (shown, out) -> {
      var text = get.apply(shown);
      if (text != null) {
        out.element(element, text);
      }
    };
  }

  /** The same, but for what counts as left out. */
  Property unless(BiPredicate<DefinitionForm, String> isNothing) {
    return readingOnlyIf((draft, given) -> !isNothing.test(draft, given));
  }

  /** The same, which the broker refuses to change once it is there. */
  Property fixed(Function<QueueDefinition, String> is) {
    return readingOnlyIf(
        (draft, given) -> {
          var before = draft.before();
          if (before != null && !is.apply(before).equalsIgnoreCase(given)) {
            throw changed(element, Kind.of(before));
          }
          return true;
        });
  }

  private Property readingOnlyIf(BiPredicate<DefinitionForm, String> isRead) {
    var reads = reading;
    if (reads == null) {
      return this;
    }
    Reading some =
        (draft, given) -> {
          if (isRead.test(draft, given.value())) {
            reads.into(draft, given);
          }
        };
    return new Property(element, some, writing, since, measured);
  }

  /** The sentence about what is fixed at creation (S-067), in words that clients look for. */
  public static Problem changed(String element, Kind kind) {
    return Problem.bad(
        element.equals("EnablePartitioning")
            ? "Partitioning cannot be changed for " + kind.word()
            : "The value for the "
                + element
                + " property of an existing "
                + kind.word()
                + " cannot be changed");
  }

  static Problem wrong(String element, String given, String rule) {
    var shown = given.length() > 100 ? given.substring(0, 100) + "…" : given;
    return Problem.bad(
        "The value of '"
            + element
            + "' "
            + rule
            + ". Parameter name: "
            + element
            + ". Actual value was "
            + shown);
  }
}
