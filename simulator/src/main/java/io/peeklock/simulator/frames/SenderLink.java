package io.peeklock.simulator.frames;

import org.jspecify.annotations.Nullable;

/** A link on which a client sends to an entity, for as long as the broker keeps it. */
final class SenderLink implements Link.Listener {
  private static final int MIXED = 2;

  private final Link link;

  /** Attaches it. */
  SenderLink(Session session, String name, String path) {
    this.link =
        session.attach(
            name, false, MIXED, 0, Terminus.source(name), Terminus.target(path), null, this);
  }

  boolean isOver() {
    return link.isOver();
  }

  void send(Outgoing message) {
    link.send(message);
  }

  @Override
  public void attached(Link mine, Frame attach) {
    // What waits goes with the credit.
  }

  @Override
  public void ended(Link mine, Wire.@Nullable Described error) {
    // Those who wait are told by the link.
  }
}
