package io.peeklock.http;

import io.peeklock.runtime.RateLimitedLog;
import io.peeklock.runtime.intake.Piece;
import io.peeklock.runtime.intake.PieceOwner;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The memory that the body of one request takes. An unauthenticated peer takes a little from the
 * budget that all of those share; what it may take beyond depends on the token of its request. So
 * they keep memory from nobody but each other, and who brings little at a time gives way to others.
 */
final class RequestBodyMemory implements PieceOwner {
  private static final RateLimitedLog SLOW =
      new RateLimitedLog(LoggerFactory.getLogger(RequestBodyMemory.class));

  /** Of one body of an unauthenticated client. */
  static final long UNAUTHENTICATED_BYTES = 64 << 10;

  private static final RequestChecks.Judgement.Bad FULL =
      new RequestChecks.Judgement.Bad(503, "too many bodies are on their way; try again");
  private static final RequestChecks.Judgement.Bad WITHOUT_TOKEN =
      new RequestChecks.Judgement.Bad(
          401, "a body above " + UNAUTHENTICATED_BYTES + " bytes needs a good token");

  private final HttpBudgets budgets;
  private final Route route;
  private final HttpCall call;
  private final Piece piece;
  private long ofUnauthenticated;
  private long ofKnown;
  private boolean trusted;

  RequestBodyMemory(HttpBudgets budgets, Route route, HttpCall call) {
    this.budgets = budgets;
    this.route = route;
    this.call = call;
    this.piece = new Piece(budgets.bodies().halfReceived(), this);
  }

  /**
   * Takes so many bytes more.
   *
   * @return why the request is refused, or null
   */
  RequestChecks.Judgement.@Nullable Bad take(int bytes) {
    if (!call.isKnown() && !trusted) {
      var little = ofUnauthenticated + bytes <= UNAUTHENTICATED_BYTES;
      if (little && budgets.unauthenticated().take(bytes)) {
        ofUnauthenticated += bytes;
        return null;
      }
      trusted = route.trusts(call);
      if (!trusted) {
        return little ? FULL : WITHOUT_TOKEN;
      }
    }
    var hasRoom = budgets.bodies().take(bytes);
    if (hasRoom) {
      ofKnown += bytes;
    }
    piece.came(0, ofKnown);
    return hasRoom ? null : FULL;
  }

  /** So many bytes came, for which there was room. */
  void came(int bytes) {
    if (ofKnown > 0) {
      piece.came(bytes, ofKnown);
    }
  }

  /** The body is whole, and held until it is answered. */
  void whole() {
    piece.close();
  }

  @Override
  public long nowMillis() {
    return TimeUnit.NANOSECONDS.toMillis(call.loop().ticker().nanoTime());
  }

  @Override
  public void execute(Runnable task) {
    call.loop().execute(task);
  }

  @Override
  public void executeLater(long millis, Runnable task) {
    var unused = call.loop().schedule(task, millis, TimeUnit.MILLISECONDS);
  }

  @Override
  public void giveWay() {
    SLOW.warn("The body of a request from {} gave way to others", call.remote());
    budgets.bodies().gaveWay();
    call.answer(
        HttpAnswer.error(
            503, "too many bodies are on their way, and this one came slowly; try again"));
  }

  /** The body is held no more. */
  void giveBack() {
    piece.close();
    budgets.unauthenticated().give(ofUnauthenticated);
    budgets.bodies().give(ofKnown);
    ofUnauthenticated = 0;
    ofKnown = 0;
  }
}
