package io.peeklock.conformance.suites;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.SharedAccess;
import java.time.Instant;

/** Connection strings that carry a token instead of a key. */
final class Tokens {
  private Tokens() {}

  /** With a token for the whole namespace that ends then. */
  static String connection(BrokerProcess broker, Instant expiry) {
    var token =
        SharedAccess.token("sb://localhost", BrokerProcess.KEY_NAME, BrokerProcess.KEY, expiry);
    return "Endpoint=sb://localhost:"
        + broker.port()
        + ";SharedAccessSignature="
        + token
        + ";UseDevelopmentEmulator=true";
  }
}
