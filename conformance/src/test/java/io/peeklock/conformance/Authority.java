package io.peeklock.conformance;

import java.nio.file.Path;
import java.util.List;

/** The certificate authority that a broker has made for itself. */
public final class Authority {
  private Authority() {}

  /** A file with its certificate, in the broker's folder, exported as anybody would. */
  public static Path of(BrokerProcess broker) {
    var file = broker.data().resolve("exported-ca.pem");
    var place =
        broker.isInMemory()
            ? List.of("--from", "localhost:" + broker.port())
            : List.of("--data", broker.data().toString());
    var export =
        Program.run("certificate", "export", place.get(0), place.get(1), "--out", file.toString());
    if (export.exitCode() != 0) {
      throw new AssertionError("the authority cannot be exported: " + export.said());
    }
    return file;
  }
}
