package io.peeklock.conformance;

import java.nio.file.Path;

/** The certificate authority that a broker has made for itself. */
public final class Authority {
  private Authority() {}

  /** A file with its certificate, in the broker's folder, exported as anybody would. */
  public static Path of(BrokerProcess broker) {
    var file = broker.data().resolve("exported-ca.pem");
    var export =
        Program.run(
            "certificate", "export", "--data", broker.data().toString(), "--out", file.toString());
    if (export.exitCode() != 0) {
      throw new AssertionError("the authority cannot be exported: " + export.said());
    }
    return file;
  }
}
