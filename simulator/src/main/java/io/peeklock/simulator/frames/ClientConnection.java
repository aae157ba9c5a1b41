package io.peeklock.simulator.frames;

import io.peeklock.simulator.world.World;
import java.util.Map;

/** One client: its connection, what it has on it, and its rights. */
final class ClientConnection {
  private final World world;
  private final Ledger ledger;
  private final Peer peer;
  private SessionLinks links;
  private long rightsUntilMillis;
  private boolean isPutting;

  /**
   * A client that connects.
   *
   * @param putsTokens whether it has no rights before it has put a token
   */
  ClientConnection(World world, Ledger ledger, Peer peer, boolean putsTokens) {
    this.world = world;
    this.ledger = ledger;
    this.peer = peer;
    this.links = new SessionLinks(ledger, peer.begin());
    this.rightsUntilMillis = putsTokens ? 0 : Long.MAX_VALUE;
  }

  Peer peer() {
    return peer;
  }

  boolean isOver() {
    return peer.isOver();
  }

  /** What it has; a new session when the last one is over. */
  SessionLinks links() {
    if (links.isOver()) {
      links = new SessionLinks(ledger, peer.begin());
      isPutting = false;
    }
    return links;
  }

  /** Whether it has rights, as far as it knows; puts a token if not. */
  boolean isReady() {
    var now = world.clock().wallMillis();
    if (now >= rightsUntilMillis && !isPutting) {
      putToken(now + world.random().of(4_000L, 15_000L, 60_000L));
    }
    return now < rightsUntilMillis;
  }

  private void putToken(long untilMillis) {
    var node = links().node("$cbs");
    isPutting = true;
    node.ask(
        Map.of(
            "operation",
            "put-token",
            "type",
            "servicebus.windows.net:sastoken",
            "name",
            Token.AUDIENCE),
        Token.until(untilMillis),
        null,
        new RequestNode.Listener() {
          @Override
          public void replied(Reply reply) {
            isPutting = false;
            if (reply.isGood()) {
              rightsUntilMillis = untilMillis;
            }
          }

          @Override
          public void refused(String why) {
            isPutting = false;
          }

          @Override
          public void lost() {
            isPutting = false;
          }
        });
  }

  /** Something happens to it. */
  void suffer(Habits.Trouble trouble) {
    var random = world.random();
    switch (trouble) {
      case CUT_THERE -> peer.cut(random.below(random.of(1, 100, 5_000)));
      case CUT_BACK -> peer.cutBack(random.below(random.of(1, 100, 5_000)));
      case CLOSE -> peer.close();
      case END -> links.end();
      case SLOW_READER -> peer.readSlowly(random.of(0, 1, 700), random.between(1, 8_000));
    }
  }
}
