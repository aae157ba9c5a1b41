package io.peeklock.kernel.snapshot;

import io.peeklock.kernel.columns.Chunk;
import io.peeklock.kernel.columns.DuplicateDetectionHistory;
import io.peeklock.kernel.columns.ForwardingHistory;
import io.peeklock.kernel.columns.OverlayTable;
import io.peeklock.kernel.columns.Place;
import io.peeklock.kernel.entity.EntityProperties;
import io.peeklock.kernel.entity.EntityProperty;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.state.CopyCursor;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.MessageIndex;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.ScheduledMessages;
import io.peeklock.kernel.state.Session;
import io.peeklock.kernel.state.SessionTable;
import io.peeklock.kernel.state.SubscriptionState;
import org.jspecify.annotations.Nullable;

/**
 * A hash of the durable state of a shard, for comparing replicas and replays. It depends on neither
 * locks and demand, nor on how the state was reached, nor on the JVM.
 */
public final class StateHash {

  private long hash = 0x9E37_79B9_7F4A_7C15L;

  private StateHash() {}

  /** The hash; equal for states that the same facts lead to. */
  public static long of(MachineState state) {
    StateHash hash = new StateHash();
    hash.mix(state.nextQueueNumber);
    hash.mix(state.nextBodyId);
    for (QueueState queue : state.created()) {
      hash.mixEntity(state, queue);
    }
    hash.mix(state.deleted().size());
    for (QueueState queue : state.deleted()) {
      hash.mixEntity(state, queue);
    }
    return hash.hash;
  }

  private void mixEntity(MachineState state, QueueState queue) {
    mix(queue.definition());
    mix(queue.entry().createdAtMillis());
    mix(queue.entry().updatedAtMillis());
    mix(queue.nextSequenceNumber());
    mix(state, queue);
    mix(state, queue.deadLetters());
    mixRules(queue.subscription());
    CopyCursor cursor = queue.copyCursor();
    if (cursor != null) {
      mix(cursor.message());
      mix(cursor.upTo());
    }
  }

  private void mix(long value) {
    long mixed = (hash ^ value) * 0xBF58_476D_1CE4_E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D0_49BB_1331_11EBL;
    hash = mixed ^ (mixed >>> 31);
  }

  private void mix(String text) {
    for (int i = 0; i < text.length(); i++) {
      mix(text.charAt(i));
    }
  }

  private void mix(QueueDefinition definition) {
    for (EntityProperty<?> property : EntityProperties.ALL) {
      switch (property) {
        case EntityProperty.Duration time -> mix(time.getter().apply(definition));
        case EntityProperty.Size bytes -> mix(bytes.getter().apply(definition));
        case EntityProperty.Count number -> mix(number.getter().apply(definition));
        case EntityProperty.Flag flag -> mix(flag.getter().apply(definition) ? 1 : 0);
        case EntityProperty.Path path -> mix(path.getter().apply(definition));
        case EntityProperty.Destination to -> mix(String.valueOf(to.getter().apply(definition)));
        case EntityProperty.Status status -> mix(status.getter().apply(definition).toString());
        case EntityProperty.Attributes all -> mix(all.getter().apply(definition).toString());
        case EntityProperty.Role role -> mix(role.getter().apply(definition).toString());
      }
    }
  }

  private void mix(MachineState state, QueueState queue) {
    MessageIndex messages = queue.messages();
    mix(queue.id().number());
    mix(messages.active());
    mix(messages.deferred());
    mix(messages.bytes());
    for (long place = messages.firstFrom(0); place != Place.NONE; place = messages.next(place)) {
      mix(state, messages.chunk(place), Place.row(place));
    }
    ScheduledMessages scheduled = queue.scheduled();
    mix(scheduled.count());
    for (long place = scheduled.firstFrom(0); place != Place.NONE; place = scheduled.next(place)) {
      mix(state, scheduled.chunk(place), Place.row(place));
    }
    mixSessions(queue.sessions());
    DuplicateDetectionHistory ids = queue.rememberedIds();
    mix(ids == null ? 0 : ids.hash());
  }

  private void mixRules(@Nullable SubscriptionState subscription) {
    if (subscription != null) {
      for (Rule rule : subscription.rules()) {
        mix(rule.toString());
      }
    }
  }

  /** Independent of order: the slot of a session means nothing. */
  private void mixSessions(@Nullable SessionTable sessions) {
    long sum = 0;
    for (int slot = 1; sessions != null && slot < sessions.slotsEnd(); slot++) {
      Session session = sessions.at(slot);
      if (session != null && (session.messages > 0 || session.stateBodyId != 0)) {
        StateHash one = new StateHash();
        one.mix(session.id);
        one.mix(session.messages);
        one.mix(session.stateBodyId);
        one.mix(session.stateBytes);
        one.mix(session.stateSetAtMillis);
        sum += one.hash;
      }
    }
    mix(sum);
  }

  private void mix(MachineState state, Chunk chunk, int row) {
    OverlayTable overlays = state.overlays;
    ForwardingHistory forwardings = state.forwardings;
    mix(chunk.number(row));
    mix(chunk.bodyId(row));
    mix(chunk.size(row));
    mix(chunk.headerBytes(row));
    mix(chunk.enqueuedAtMillis(row));
    mix(chunk.expiresAtMillis(row));
    mix(chunk.deliveryCount(row));
    mix(chunk.isDeferred(row) ? 1 : 0);
    mix(chunk.cause(row).code());
    mix(overlays.bodyId(chunk.overlaySlot(row)));
    mix(overlays.bytes(chunk.overlaySlot(row)));
    mix(chunk.enqueuedNumber(row));
    mix(ForwardingHistory.hops(chunk.forwardings(row)));
    String source = forwardings.deadLetterSource(chunk.forwardings(row));
    mix(source == null ? "" : source);
  }
}
