package io.peeklock.journal.bodies;

import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.MessagesRestored;
import java.util.Arrays;
import java.util.List;

/** The bodies that facts of a checkpoint name, in the order of their locations. */
public final class CheckpointBodies {
  private CheckpointBodies() {}

  /** The ids: for each fact first the bodies of messages or states, then changed properties. */
  public static long[] idsIn(List<Fact> facts) {
    var ids = new long[256];
    var count = 0;
    for (var fact : facts) {
      if (fact instanceof MessagesRestored restored) {
        var most = count + 2 * restored.bodyIds().length;
        ids = most > ids.length ? Arrays.copyOf(ids, 2 * most) : ids;
        for (var id : restored.bodyIds()) {
          ids[count++] = id;
        }
        count = addOverlays(restored, ids, count);
      } else if (fact instanceof Fact.SessionStatesRestored states) {
        var most = count + states.bodyIds().length;
        ids = most > ids.length ? Arrays.copyOf(ids, 2 * most) : ids;
        for (var id : states.bodyIds()) {
          ids[count++] = id;
        }
      }
    }
    return Arrays.copyOf(ids, count);
  }

  private static int addOverlays(MessagesRestored restored, long[] ids, int from) {
    var count = from;
    var overlays = restored.overlays();
    if (overlays != null) {
      for (var overlay : overlays) {
        if (overlay != null) {
          ids[count++] = overlay.bodyId();
        }
      }
    }
    return count;
  }
}
