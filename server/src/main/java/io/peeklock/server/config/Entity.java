package io.peeklock.server.config;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.Rule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A queue, topic or subscription to be there after the start.
 *
 * @param rules of a subscription, all of them; null for the one that selects everything
 * @param replaces whether one that exists and differs is changed to be like this
 */
public record Entity(QueueDefinition definition, @Nullable List<Rule> rules, boolean replaces) {

  /** One that must not differ from what is there. */
  public Entity(QueueDefinition definition, @Nullable List<Rule> rules) {
    this(definition, rules, false);
  }
}
