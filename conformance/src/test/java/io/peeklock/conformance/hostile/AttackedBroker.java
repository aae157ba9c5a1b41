package io.peeklock.conformance.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Patience;
import io.peeklock.conformance.raw.Described;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.conformance.raw.RawMessage;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A broker under attack. Its heap is small and an out-of-memory error ends it, so whatever could
 * grow without bound shows.
 */
final class AttackedBroker implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {
  static final String TARGET = "target";
  static final String SMALL = "small";

  /** Must never be printed: part of keys, tokens and bodies that the attackers send. */
  static final String CANARY = "Canary7Qx";

  private static final long MOST_RESIDENT_BYTES = 500L << 20;

  private @Nullable BrokerProcess broker;
  private int mark;

  @Override
  public void beforeAll(ExtensionContext context) {
    broker =
        BrokerProcess.start(
            Folders.fresh("attacked"),
            BrokerProcess.queueOptions(List.of(TARGET, SMALL + ",MaxMessageSizeInKilobytes=256")),
            "-Xmx160m");
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    mark = broker().output().mark();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    var attacked = broker();
    System.out.printf(
        Locale.ROOT, "after all attacks: %d MB resident%n", attacked.residentBytes() >> 20);
    assertThat(attacked.output().text())
        .doesNotContain(CANARY)
        .doesNotContain("OutOfMemory", "StackOverflow");
    attacked.close();
  }

  BrokerProcess broker() {
    var running = broker;
    if (running == null) {
      throw new IllegalStateException("the broker is not started");
    }
    return running;
  }

  int port() {
    return broker().port();
  }

  /** After an attack: it serves others at once, stays small, and wrote this many lines. */
  void stands(int lines) throws IOException {
    stands(lines, lines);
  }

  /** The same where a line may be written or not. */
  void stands(int fewestLines, int mostLines) throws IOException {
    assertThat(broker().alive()).isTrue();
    serves();
    Patience.until(
        "at least " + fewestLines + " lines in its log",
        () -> broker().output().mark() - mark >= fewestLines);
    var said = broker().output().since(mark);
    assertThat(said)
        .hasSizeBetween(fewestLines, mostLines)
        .allSatisfy(line -> assertThat(line).doesNotContain(CANARY).doesNotContain("\tat "));
    assertThat(broker().residentBytes()).isLessThan(MOST_RESIDENT_BYTES);
  }

  /** Sends one message on a connection of good will. */
  private void serves() throws IOException {
    try (var client = RawConnection.ready(port())) {
      client.readTimeout(30_000);
      RawLinks.attached(client, RawLinks.sender(0, TARGET));
      RawLinks.transfer(client, 0, false, RawMessage.bytes("probe", Map.of(), new byte[10]));
      client.flush();
      var answer = client.await(RawConnection.DISPOSITION);
      assertThat(answer.field(4)).isEqualTo(Described.list(0x24));
      client.send(0, Described.list(RawConnection.CLOSE, new Object[] {null}));
      client.flush();
      client.awaitHangUp();
    }
  }
}
