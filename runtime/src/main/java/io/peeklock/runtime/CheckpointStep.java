package io.peeklock.runtime;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** How long a step of a checkpoint keeps the shard's thread, for flight recordings. */
@Name(CheckpointStep.NAME)
@Label("Checkpoint step")
@Description("The shard hands a part of its state to a checkpoint and does nothing else meanwhile")
@Category("Peeklock")
@StackTrace(false)
final class CheckpointStep extends Event {
  static final String NAME = "io.peeklock.CheckpointStep";
}
