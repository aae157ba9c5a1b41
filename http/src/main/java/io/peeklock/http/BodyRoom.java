package io.peeklock.http;

import org.jspecify.annotations.Nullable;

/**
 * The memory that the body of one request takes. A peer that has not shown who it is draws from the
 * purse of strangers, a little; what it may take beyond depends on the token of its request. So
 * strangers can refuse nobody but each other.
 */
final class BodyRoom {
  /** Of one body of a stranger. */
  static final long STRANGER_BYTES = 64 << 10;

  private static final RequestChecks.Judgement.Bad FULL =
      new RequestChecks.Judgement.Bad(503, "too many bodies are on their way; try again");
  private static final RequestChecks.Judgement.Bad WITHOUT_TOKEN =
      new RequestChecks.Judgement.Bad(
          401, "a body above " + STRANGER_BYTES + " bytes needs a good token");

  private final HttpEdge edge;
  private final Route route;
  private final HttpCall call;
  private long ofStrangers;
  private long ofKnown;
  private boolean trusted;

  BodyRoom(HttpEdge edge, Route route, HttpCall call) {
    this.edge = edge;
    this.route = route;
    this.call = call;
  }

  /**
   * Takes so many bytes more.
   *
   * @return why the request is refused, or null
   */
  RequestChecks.Judgement.@Nullable Bad take(int bytes) {
    if (!call.isKnown() && !trusted) {
      var little = ofStrangers + bytes <= STRANGER_BYTES;
      if (little && edge.strangerBodies().take(bytes)) {
        ofStrangers += bytes;
        return null;
      }
      trusted = route.trusts(call);
      if (!trusted) {
        return little ? FULL : WITHOUT_TOKEN;
      }
    }
    if (!edge.bodies().take(bytes)) {
      return FULL;
    }
    ofKnown += bytes;
    return null;
  }

  /** The body is held no more. */
  void giveBack() {
    edge.strangerBodies().give(ofStrangers);
    edge.bodies().give(ofKnown);
    ofStrangers = 0;
    ofKnown = 0;
  }
}
