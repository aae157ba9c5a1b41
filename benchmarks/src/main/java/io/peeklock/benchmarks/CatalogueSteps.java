package io.peeklock.benchmarks;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.request.MessageView;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.Endpoint;
import io.peeklock.runtime.MessageFormat;
import io.peeklock.runtime.Shard;
import io.peeklock.runtime.ShardListener;
import io.peeklock.runtime.Submission;
import io.peeklock.testkit.SimClock;
import io.peeklock.testkit.SimExecutor;
import io.peeklock.testkit.SimJournal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** What a shard takes to show its edges one entity more, from the request to the answer. */
final class CatalogueSteps {
  private CatalogueSteps() {}

  static void changes(StepLedger ledger, StepSizes sizes) {
    var clock = new SimClock();
    var shardExecutor = new SimExecutor(clock);
    var shard =
        new Shard(
            new SimJournal(shardExecutor),
            shardExecutor,
            clock,
            new NoFormat(),
            new Nobody(),
            8 << 20);
    try {
      shard.start();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    var asker = new Asker();
    for (var i = 0; i < sizes.entities() + 200; i++) {
      shard.submit(
          Submission.of(
              new Request.CreateQueue(asker, new Note(), QueueDefinition.named("queue-" + i))));
      ledger.begin();
      shardExecutor.settle();
      ledger.end(i < sizes.entities() ? "show a queue" : "show one queue more", 1);
    }
  }

  private record Note() implements Ticket {}

  private static final class Asker extends Endpoint {
    @Override
    public void onEffect(Effect effect, @Nullable Bodies bodies) {}

    @Override
    public void flush() {}

    @Override
    public void resume() {}

    @Override
    public void unreadable(String reason) {}

    @Override
    public void execute(Runnable task) {
      task.run();
    }
  }

  private static final class Nobody implements ShardListener {
    @Override
    public void leadershipLost() {}

    @Override
    public void idleDeleted(String path) {}

    @Override
    public void ended(Throwable cause) {
      throw new IllegalStateException(cause);
    }
  }

  private static final class NoFormat implements MessageFormat {
    @Override
    public byte[] merge(ByteBuffer older, byte[] newer) {
      return newer;
    }

    @Override
    public MessageView source(byte[] beginning, byte @Nullable [] overlay, DeadLetterCause cause) {
      return PlainMessage.INSTANCE;
    }
  }
}
