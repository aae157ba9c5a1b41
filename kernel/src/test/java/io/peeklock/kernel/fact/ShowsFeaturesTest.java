package io.peeklock.kernel.fact;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.QueueId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the definition of a queue must have been, as its messages show: repairs ask for it. */
class ShowsFeaturesTest {
  private static final QueueId QUEUE = new QueueId(1);
  private static final int[] SIZES = {1};
  private static final long[] TIMES = {1};

  private static Fact.ShowsFeatures enqueued(
      long @Nullable [] hashes, String @Nullable [] sessions) {
    return new Fact.Enqueued(QUEUE, 1, 1, 1, SIZES, SIZES, null, hashes, sessions);
  }

  private static Fact.ShowsFeatures scheduled(
      long @Nullable [] hashes, String @Nullable [] sessions) {
    return new Fact.Scheduled(QUEUE, 1, 1, 1, SIZES, SIZES, TIMES, null, hashes, sessions);
  }

  @Test
  void messagesOfSessionsShowThatTheQueueHasSessions() {
    var session = new String[] {"a"};

    assertThat(enqueued(null, session).showsSessions()).isTrue();
    assertThat(enqueued(null, session).showsDuplicateDetection()).isFalse();
    assertThat(scheduled(null, session).showsSessions()).isTrue();
    assertThat(scheduled(null, session).showsDuplicateDetection()).isFalse();
  }

  @Test
  void messagesWithHashesOfTheirIdsShowThatTheQueueDetectsDuplicates() {
    assertThat(enqueued(TIMES, null).showsSessions()).isFalse();
    assertThat(enqueued(TIMES, null).showsDuplicateDetection()).isTrue();
    assertThat(scheduled(TIMES, null).showsSessions()).isFalse();
    assertThat(scheduled(TIMES, null).showsDuplicateDetection()).isTrue();
  }
}
