package io.peeklock.kernel.forward;

import io.peeklock.kernel.decide.FetchedBodies;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueDefinitionBuilder;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.PropertyChanges;
import io.peeklock.kernel.filter.PropertyName;
import io.peeklock.kernel.filter.SystemProperty;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.MessageView;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Queues that forward, and what can be read of the messages in them. */
public final class ForwardFixture implements FetchedBodies {

  /**
   * What is in a body.
   *
   * @param sessionId null for none
   * @param ticksToLive in units of 100 ns; 0 for none
   * @param id 0 for none
   */
  public record Content(@Nullable String sessionId, long ticksToLive, long id, boolean isChanged)
      implements MessageView {
    static Content of(@Nullable String sessionId) {
      return new Content(sessionId, 0, 0, false);
    }

    public static Content ofId(long id) {
      return new Content(null, 0, id, false);
    }

    static Content living(long millis) {
      return new Content(null, millis * 10_000, 0, false);
    }

    @Override
    public void system(SystemProperty property, FilterValue into) {
      if (property == SystemProperty.SESSION_ID && sessionId != null) {
        into.setText(sessionId);
      }
      if (property == SystemProperty.TIME_TO_LIVE && ticksToLive != 0) {
        into.setDurationTicks(ticksToLive);
      }
    }

    @Override
    public void user(PropertyName name, FilterValue into) {
      if (isChanged && name.equals(new PropertyName("changed"))) {
        into.setText("yes");
      }
    }

    @Override
    public int headBytes() {
      return 4;
    }

    @Override
    public byte[] overlay(PropertyChanges changes) {
      return "head".getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void messageIdHash(boolean withKey, long[] to, int at) {
      to[at] = withKey ? -id : id;
      to[at + 1] = id;
    }
  }

  final ShardFixture shard;
  final Map<Long, Content> bodies = new LinkedHashMap<>();
  public final Set<Long> lost = new LinkedHashSet<>();

  public ForwardFixture(ShardFixture shard) {
    this.shard = shard;
    shard.store = this;
  }

  public QueueFixture queue(String name) {
    return QueueFixture.of(shard, QueueDefinition.named(name));
  }

  /** One that forwards. */
  public QueueFixture queue(String name, String destination) {
    return queue(with(name).forwardTo(destination));
  }

  public QueueFixture queue(QueueDefinitionBuilder definition) {
    return QueueFixture.of(shard, definition.build());
  }

  /** Gives a queue other properties. */
  void update(QueueDefinitionBuilder wanted) {
    shard.ask(
        new EntityRequest.UpdateQueue(
            new ShardFixture.Asker(), new ShardFixture.Note(), wanted.build()));
  }

  public static QueueDefinitionBuilder with(String name) {
    return QueueDefinition.named(name).with();
  }

  /** The next body that is stored has this. */
  public void next(Content content) {
    bodies.put(shard.machine.nextBodyId(), content);
  }

  /** The body with this id will have this. */
  public void willHave(long bodyId, Content content) {
    bodies.put(bodyId, content);
  }

  @Override
  public @Nullable MessageView source(long bodyId, long overlayId, DeadLetterCause cause) {
    if (lost.contains(bodyId)) {
      return null;
    }
    Content content = bodies.getOrDefault(bodyId, Content.of(null));
    return new Content(content.sessionId(), content.ticksToLive(), content.id(), overlayId != 0);
  }

  @Override
  public boolean isLost(long bodyId) {
    return lost.contains(bodyId);
  }
}
