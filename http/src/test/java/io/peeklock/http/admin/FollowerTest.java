package io.peeklock.http.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.Rule;
import org.junit.jupiter.api.Test;

/** While the log does not lead nobody is told what there is: it may be out of date. */
class FollowerTest {
  private final AdminFixture admin = new AdminFixture();

  @Test
  @Rule("S-507")
  void whoAsksAShardThatFollowsIsToldToTryAgain() {
    admin.create("/q", "QueueDescription", "");
    admin.journal.follow();
    admin.journal.loseLeadership(0);
    admin.shardExecutor.settle();

    for (var path : new String[] {"/q", "/made-elsewhere", "/$Resources/queues"}) {
      var refused = admin.get(path);
      assertThat(refused.status()).as(path).isEqualTo(503);
      assertThat(refused.body()).contains("SubCode=50004");
    }

    admin.journal.lead();
    admin.shardExecutor.settle();
    assertThat(admin.get("/q").body()).contains("<QueueDescription ");
    assertThat(admin.get("/made-elsewhere").body()).contains("Publicly Listed Services");
  }
}
