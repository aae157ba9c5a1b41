package io.peeklock.junit;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueDefinitionBuilder;
import java.time.Duration;

/**
 * Properties that queues, topics and subscriptions have.
 *
 * @param <S> the options that are being set
 */
abstract sealed class EntityOptions<S extends EntityOptions<S>>
    permits TopicOptions, ReceivingOptions {
  final QueueDefinitionBuilder definition;

  EntityOptions(String path) {
    this.definition = QueueDefinition.named(path).with();
  }

  abstract S self();

  /** Sets how long messages live at most; from one second, without end unless it is set. */
  public S timeToLive(Duration value) {
    definition.defaultTimeToLiveMillis(value.toMillis());
    return self();
  }

  /** Sets after how long without use it is deleted; from five minutes, never unless it is set. */
  public S autoDeleteOnIdle(Duration value) {
    definition.autoDeleteOnIdleMillis(value.toMillis());
    return self();
  }
}
