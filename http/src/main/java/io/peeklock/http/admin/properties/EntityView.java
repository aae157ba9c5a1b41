package io.peeklock.http.admin.properties;

import io.peeklock.http.admin.atom.XmlNode;
import io.peeklock.kernel.entity.EntityCounts;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.runtime.Catalogue;
import org.jspecify.annotations.Nullable;

/**
 * An entity that is to be shown.
 *
 * @param subscriptions how many a topic has; 0 for what is none
 * @param version of the API that the client speaks
 * @param said the description that a client gave, whose answer this is; null for who asks
 */
public record EntityView(
    Catalogue.Entry entry,
    EntityCounts counts,
    int subscriptions,
    String version,
    @Nullable XmlNode said) {

  /** What holds nothing. */
  public static final EntityCounts NOTHING = new EntityCounts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** Whether this client is to see a property now (admin-http.md 5.1). */
  boolean shows(Property property) {
    return isKnown(property, version)
        && (!property.measured() || said == null || said.child(property.element()) != null);
  }

  /** Whether a version of the API has a property. */
  static boolean isKnown(Property property, String version) {
    return property.since().compareTo(version) <= 0;
  }

  QueueDefinition definition() {
    return entry.definition();
  }

  /** An attribute of the entity, or what stands for it. */
  String attribute(String name, String otherwise) {
    return definition().attributes().getOrDefault(name, otherwise);
  }
}
