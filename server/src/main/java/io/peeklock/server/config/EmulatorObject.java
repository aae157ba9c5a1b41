package io.peeklock.server.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One object of the vendor emulator's file under its path. Keys ignore case; one that is nearly
 * right is taken with a warning, one that is unknown is left out with a warning.
 */
final class EmulatorObject {
  /** Properties of the service that change nothing here, so that there is nothing to say. */
  private static final Set<String> OF_NO_EFFECT =
      Set.of(
          "enablebatchedoperations",
          "supportordering",
          "isanonymousaccessible",
          "enablesubscriptionpartitioning",
          "enablefilteringmessagesbeforepublishing");

  private final String file;
  private final String path;
  private final int line;
  private final List<String> warnings;
  private final Map<String, JsonPart.Field> known = new LinkedHashMap<>();
  private final List<JsonPart.Field> unknown = new ArrayList<>();

  private EmulatorObject(String file, String path, int line, List<String> warnings) {
    this.file = file;
    this.path = path;
    this.line = line;
    this.warnings = warnings;
  }

  /**
   * The object of a part.
   *
   * @param names of the keys that it may have
   * @throws ConfigurationException when the part is none
   */
  static EmulatorObject of(
      String file, String path, JsonPart part, Collection<String> names, List<String> warnings) {
    var object = new EmulatorObject(file, path, part.line(), warnings);
    if (part instanceof JsonPart.Fields fields) {
      fields.fields().forEach(field -> object.take(field, names));
    } else if (!isNull(part)) {
      throw object.wrong("should be an object, in braces");
    }
    return object;
  }

  private static boolean isNull(JsonPart part) {
    return part instanceof JsonPart.Scalar scalar && scalar.isNull();
  }

  private void take(JsonPart.Field field, Collection<String> names) {
    var name = nameOf(field, names);
    if (name == null) {
      unknown.add(field);
    } else if (known.put(name, field) != null) {
      warn(field, "is there twice; the last one is taken");
    }
  }

  private @Nullable String nameOf(JsonPart.Field field, Collection<String> names) {
    for (var name : names) {
      if (name.equalsIgnoreCase(field.key())) {
        return name;
      }
    }
    if (OF_NO_EFFECT.contains(field.key().toLowerCase(Locale.ROOT))) {
      return null;
    }
    var near = Nearest.miss(field.key(), names);
    if (near != null) {
      warn(field, "is taken for " + near);
    }
    return near;
  }

  /** Keys that it may not have; whoever does not know them either warns. */
  List<JsonPart.Field> unknown() {
    return unknown;
  }

  /** Says of all unknown keys that they are left out. */
  EmulatorObject warnOfUnknown() {
    unknown.removeIf(field -> OF_NO_EFFECT.contains(field.key().toLowerCase(Locale.ROOT)));
    unknown.forEach(field -> warn(field, "is not known, and left out"));
    return this;
  }

  @Nullable JsonPart get(String name) {
    var field = known.get(name);
    return field == null || isNull(field.part()) ? null : field.part();
  }

  /** The object of a key, empty when there is none. */
  EmulatorObject object(String name, Collection<String> names) {
    var part = get(name);
    return part == null
        ? new EmulatorObject(file, path + "." + name, line, warnings)
        : of(file, path + "." + name, part, names, warnings);
  }

  /** The objects in the list of a key, none when there is no such key. */
  List<EmulatorObject> objects(String name, Collection<String> names) {
    var part = get(name);
    if (part == null) {
      return List.of();
    }
    if (!(part instanceof JsonPart.Items list)) {
      throw wrong(name, "should be a list, in brackets");
    }
    var objects = new ArrayList<EmulatorObject>();
    for (var item : list.items()) {
      var at = path + "." + name + "[" + objects.size() + "]";
      objects.add(of(file, at, item, names, warnings));
    }
    return objects;
  }

  /** The text of a key; null when there is none, or an empty one. */
  @Nullable String text(String name) {
    var part = get(name);
    if (part == null) {
      return null;
    }
    if (!(part instanceof JsonPart.Scalar scalar)) {
      throw wrong(name, "should have one value");
    }
    return scalar.text().isBlank() ? null : scalar.text();
  }

  /** What begins a sentence about a key. */
  String where(String name) {
    var field = known.get(name);
    return where(field == null ? line : field.line(), path + "." + name);
  }

  /** What begins a sentence about the object. */
  String where() {
    return where(line, path);
  }

  private String where(int at, String what) {
    return String.format(Locale.ROOT, "%s, line %d, %s: ", file, at, what);
  }

  ConfigurationException wrong(String reason) {
    return new ConfigurationException(where() + reason);
  }

  ConfigurationException wrong(String name, String reason) {
    return new ConfigurationException(where(name) + reason);
  }

  void warn(JsonPart.Field field, String sentence) {
    warnings.add(where(field.line(), path + "." + field.key()) + sentence);
  }

  void warn(String name, String sentence) {
    warnings.add(where(name) + sentence);
  }
}
