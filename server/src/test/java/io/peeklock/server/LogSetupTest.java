package io.peeklock.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LogSetupTest {
  private static final String TEXT = "Connection from {} refused: \"{}\"";

  private final LoggerContext context = contextWithoutTags();

  private static LoggerContext contextWithoutTags() {
    var context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    return context;
  }

  private String written(@Nullable String format) {
    var logger = context.getLogger("io.peeklock.transport.Listener");
    var cause = new IOException("no\nroom");
    var event =
        new LoggingEvent(
            "x", logger, Level.WARN, TEXT, cause, new Object[] {"127.0.0.1", "too\nmany"});
    return new String(LogSetup.encoder(context, format).encode(event), StandardCharsets.UTF_8);
  }

  @Test
  void aLineOfTextHasTimeLevelPlaceAndMessage() {
    assertThat(written(null)).contains("WARN  Listener: Connection from 127.0.0.1 refused: \"too");
    assertThat(written("text")).contains("java.io.IOException: no");
  }

  @Test
  void aLevelThatIsNoneIsToldAndChangesNothing() {
    var logger = context.getLogger("io.peeklock");
    var told = new ListAppender<ILoggingEvent>();
    told.start();
    logger.addAppender(told);
    logger.setLevel(Level.INFO);

    LogSetup.setLevel(logger, "PEEKLOCK_LOG", null);
    LogSetup.setLevel(logger, "PEEKLOCK_LOG", " ");
    LogSetup.setLevel(logger, "PEEKLOCK_LOG", "verbose");
    assertThat(logger.getLevel()).isEqualTo(Level.INFO);
    assertThat(told.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly(
            "PEEKLOCK_LOG is no level of the log: verbose. It is INFO; error, warn, info and debug"
                + " are taken");

    LogSetup.setLevel(logger, "PEEKLOCK_LOG", "Debug");
    assertThat(logger.getLevel()).isEqualTo(Level.DEBUG);
  }

  @Test
  void aMessageStaysOneLineWhateverAClientPutIntoIt() {
    var logger = context.getLogger("io.peeklock.amqp.Dispatcher");
    var text = "a\r\n2026-01-01T00:00:00.000Z ERROR Shard: all is lost\u001b[2J";
    var event =
        new LoggingEvent("x", logger, Level.INFO, "Opened by {}", null, new Object[] {text});

    var line = new String(LogSetup.encoder(context, null).encode(event), StandardCharsets.UTF_8);

    assertThat(line)
        .hasLineCount(1)
        .doesNotContain("\u001b")
        .endsWith(
            "Opened by a 2026-01-01T00:00:00.000Z ERROR Shard: all is lost [2J"
                + System.lineSeparator());
  }

  @Test
  void aLineOfJsonIsOneObjectWhateverTheMessageHolds() throws IOException {
    var line = written("json");

    assertThat(line).endsWith("\n").hasLineCount(1);
    var object = new JsonMapper().readTree(line);
    assertThat(object.get("level").asText()).isEqualTo("WARN");
    assertThat(object.get("loggerName").asText()).isEqualTo("io.peeklock.transport.Listener");
    assertThat(object.get("formattedMessage").asText())
        .isEqualTo("Connection from 127.0.0.1 refused: \"too\nmany\"");
    assertThat(object.get("timestamp").isIntegralNumber()).isTrue();
    assertThat(object.get("throwable").get("message").asText()).isEqualTo("no\nroom");
  }
}
