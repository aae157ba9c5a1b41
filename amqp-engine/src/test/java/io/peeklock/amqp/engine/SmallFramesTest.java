package io.peeklock.amqp.engine;

import static io.peeklock.amqp.engine.ClientFrames.frame;
import static io.peeklock.amqp.engine.ClientFrames.uint;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.engine.messaging.Outcome;
import io.peeklock.amqp.engine.messaging.TransactionId;
import io.peeklock.proof.Rule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** To a peer that takes the smallest frames of all, no error is larger (2.7.1). */
class SmallFramesTest {
  private static final int LEAST = 512;
  private static final String TRACKING =
      " TrackingId:02e4da1a-9ad8-42f3-86f3-57f924a122f5_peeklock, Timestamp:2026-11-27T14:00:00";

  private static EngineFixture small() {
    return EngineFixture.opened(
            EngineFixture.CONFIG, 0, frame(0, Descriptor.OPEN, "client", "host", uint(LEAST)))
        .begin(1, 5000);
  }

  private static AmqpError longWinded(String letter) {
    return AmqpError.of(
        "com.microsoft:argument-out-of-range", letter.repeat(1_500 / letter.length()) + TRACKING);
  }

  private static void assertThatItFits(EngineFixture fixture, int least) {
    var sent = fixture.onlyFrame();
    int bytes = sent.hex().length() / 2;
    assertThat(bytes).isBetween(least, LEAST);
    assertThat(sent.toString()).contains(" … ", TRACKING.substring(40));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "ä", "漢", "😀", "a😀"})
  @Rule("T-06")
  void aRejectionInATransactionIsCut(String letter) {
    var fixture = small();
    fixture.feed(ClientFrames.attachSender(1, 0, "s"));
    fixture.feed(ClientFrames.transfer(1, 0, 0, false, new byte[] {1}));
    fixture.forget();

    var why = new Outcome.Rejected(longWinded(letter));
    fixture.edge.lastSession().settleIncoming(0, 0, inTransaction(why));
    fixture.engine.flush();

    assertThatItFits(fixture, 400);
  }

  private static Outcome inTransaction(Outcome outcome) {
    return new Outcome.Transactional(TransactionId.of(new byte[32]), outcome);
  }

  @Test
  void soAreTheEndsOfLinksSessionsAndConnections() {
    var link = small();
    link.feed(ClientFrames.attachReceiver(1, 0, "r"));
    link.forget();
    link.edge.lastSending().detach(longWinded("a"));
    assertThatItFits(link, 400);

    var session = small();
    session.edge.lastSession().end(longWinded("a"));
    assertThatItFits(session, 400);

    var connection = small();
    connection.engine.close(longWinded("a"));
    assertThatItFits(connection, 400);
  }

  @Test
  void whatFitsIsLeftAsItIs() {
    var error = AmqpError.of("amqp:not-found", "There is no such entity." + TRACKING);

    assertThat(error.fitting(LEAST)).isSameAs(error);
    assertThat(longWinded("a").fitting(65_536).description()).hasSize(1_500 + TRACKING.length());
  }
}
