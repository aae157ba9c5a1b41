package io.peeklock.server.config;

import io.peeklock.kernel.QueueDefinition;
import io.peeklock.kernel.Rule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A queue, topic or subscription to be there after the start.
 *
 * @param rules of a subscription, all of them; null for the one that selects everything
 */
public record Entity(QueueDefinition definition, @Nullable List<Rule> rules) {}
