package io.peeklock.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import org.jspecify.annotations.Nullable;

/**
 * Log lines go to the error stream, so that the output holds the banner only. Set up in code, found
 * as a service: reading XML would be a third of the start-up. {@code PEEKLOCK_LOG} sets the level,
 * {@code PEEKLOCK_LOG_LIBRARIES} that of everybody else's code, {@code PEEKLOCK_LOG_FORMAT=json}
 * makes each line an object. Whatever a client put into a message, it stays one line.
 */
public final class LogSetup extends ContextAwareBase implements Configurator {
  private static final String PATTERN =
      "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{0}: %replace(%msg){'\\p{Cntrl}+', ' '}%n%ex{20}";

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    var encoder = encoder(context, System.getenv("PEEKLOCK_LOG_FORMAT"));
    var appender = new ConsoleAppender<ILoggingEvent>();
    appender.setContext(context);
    appender.setTarget("System.err");
    appender.setEncoder(encoder);
    appender.start();
    var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.addAppender(appender);
    root.setLevel(Level.WARN);
    var ours = context.getLogger("io.peeklock");
    ours.setLevel(Level.INFO);
    setLevel(root, "PEEKLOCK_LOG_LIBRARIES", System.getenv("PEEKLOCK_LOG_LIBRARIES"));
    setLevel(ours, "PEEKLOCK_LOG", System.getenv("PEEKLOCK_LOG"));
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  /** Sets the level that a variable names; one that is none leaves it as it is, and is told. */
  static void setLevel(Logger logger, String variable, @Nullable String wanted) {
    if (wanted == null || wanted.isBlank()) {
      return;
    }
    var level = Level.toLevel(wanted.strip(), null);
    if (level == null) {
      logger.warn(
          "{} is no level of the log: {}. It is {}; error, warn, info and debug are taken",
          variable,
          wanted,
          logger.getLevel());
    } else {
      logger.setLevel(level);
    }
  }

  /** How a line is written: text, unless JSON is asked for. */
  static Encoder<ILoggingEvent> encoder(LoggerContext context, @Nullable String format) {
    if ("json".equalsIgnoreCase(format)) {
      var objects = new JsonEncoder();
      objects.setContext(context);
      objects.setWithContext(false);
      objects.setWithSequenceNumber(false);
      objects.setWithNanoseconds(false);
      objects.setWithMessage(false);
      objects.setWithArguments(false);
      objects.setWithFormattedMessage(true);
      objects.start();
      return objects;
    }
    var lines = new PatternLayoutEncoder();
    lines.setContext(context);
    lines.setPattern(PATTERN);
    lines.start();
    return lines;
  }
}
