package io.peeklock.junit;

import java.time.Duration;

/** Properties of a queue; what is not set is as Azure Service Bus has it. */
public final class QueueOptions extends ReceivingOptions<QueueOptions> {
  QueueOptions(String path) {
    super(path);
  }

  @Override
  QueueOptions self() {
    return this;
  }

  /** Switches duplicate detection on, over 20 seconds to 7 days. */
  public QueueOptions duplicateWindow(Duration value) {
    definition.duplicateWindowMillis(value.toMillis());
    return this;
  }
}
