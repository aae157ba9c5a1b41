package io.peeklock.junit;

import io.peeklock.kernel.entity.QueueRole;
import java.time.Duration;

/** Properties of a topic; what is not set is as Azure Service Bus has it. */
public final class TopicOptions extends EntityOptions<TopicOptions> {
  TopicOptions(String path) {
    super(path);
    definition.role(new QueueRole.Topic(false));
  }

  @Override
  TopicOptions self() {
    return this;
  }

  /** Switches duplicate detection on, over 20 seconds to 7 days. */
  public TopicOptions duplicateWindow(Duration value) {
    definition.duplicateWindowMillis(value.toMillis());
    return this;
  }
}
