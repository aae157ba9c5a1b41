package io.peeklock.http.admin.properties;

import io.peeklock.kernel.entity.EntityCounts;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.runtime.Catalogue;

/**
 * An entity that is to be shown.
 *
 * @param subscriptions how many a topic has; 0 for what is none
 */
public record EntityView(Catalogue.Entry entry, EntityCounts counts, int subscriptions) {

  /** What holds nothing. */
  public static final EntityCounts NOTHING = new EntityCounts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  QueueDefinition definition() {
    return entry.definition();
  }

  /** An attribute of the entity, or what stands for it. */
  String attribute(String name, String otherwise) {
    return definition().attributes().getOrDefault(name, otherwise);
  }
}
