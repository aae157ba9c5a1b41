package io.peeklock.http.admin.properties;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueDefinitionBuilder;
import io.peeklock.runtime.access.ResourcePath;
import io.peeklock.runtime.naming.EntityNames;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where messages are forwarded to: clients write a name or a URL, each in its own way
 * (admin-http.md 6), and are shown what they wrote.
 */
public final class Destination {
  private Destination() {}

  /** The path in what a client wrote; null for none. */
  public static @Nullable String path(String given) {
    var path = ResourcePath.withCase(given.strip().replace('\\', '/'));
    return path.isEmpty() ? null : path;
  }

  static Property property(
      String element,
      BiConsumer<QueueDefinitionBuilder, @Nullable String> put,
      Function<QueueDefinition, @Nullable String> get) {
    return new Property(
        element,
        (draft, given) -> {
          var path = path(given.value());
          if (path == null) {
            return;
          }
          var wrong = EntityNames.wrongWith(path);
          if (!wrong.isEmpty()) {
            throw Property.wrong(element, given.value(), "names an entity whose path " + wrong);
          }
          put.accept(draft.builder(), path);
          draft.attribute(element, shownAs(given.value()));
        },
        Property.text(element, shown -> written(shown, element, get.apply(shown.definition()))));
  }

  /** As it was written; of a URL, scheme and host are told in lower case. */
  private static String shownAs(String given) {
    var authority = given.indexOf("://");
    if (authority < 0) {
      return given;
    }
    var slash = given.indexOf('/', authority + 3);
    var end = slash < 0 ? given.length() : slash;
    return given.substring(0, end).toLowerCase(Locale.ROOT) + given.substring(end);
  }

  private static @Nullable String written(EntityView shown, String element, @Nullable String path) {
    return path == null ? null : shown.attribute(element, path);
  }
}
