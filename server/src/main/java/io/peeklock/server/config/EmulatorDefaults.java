package io.peeklock.server.config;

import java.nio.file.Path;

/**
 * The entities that the vendor's image has when nobody mounts a file: programs and tests that were
 * written against it send to {@code queue.1} and {@code topic.1} without having asked for them.
 */
final class EmulatorDefaults {
  private static final String FILE =
      """
      {"UserConfig": {"Namespaces": [{"Name": "sbemulatorns",
        "Queues": [{"Name": "queue.1"}],
        "Topics": [{"Name": "topic.1", "Subscriptions": [
          {"Name": "subscription.1", "Rules": [{"Name": "app-prop-filter-1", "Properties":
            {"FilterType": "Correlation", "CorrelationFilter": {"ContentType": "application/text"}}}]},
          {"Name": "subscription.2", "Rules": [{"Name": "user-prop-filter-1", "Properties":
            {"FilterType": "Correlation", "CorrelationFilter": {"Properties": {"prop1": "value1"}}}}]},
          {"Name": "subscription.3"},
          {"Name": "subscription.4", "Rules": [{"Name": "sql-filter-1", "Properties":
            {"FilterType": "Sql",
             "SqlFilter": {"SqlExpression": "sys.MessageId = '123456' AND userProp1 = 'value1'"},
             "Action": {"SqlExpression": "SET sys.To = 'Entity'"}}}]}]}]}]}}
      """;

  private EmulatorDefaults() {}

  /** Asks for them, and says so in a warning. */
  static ConfigSource source() {
    var source = EmulatorConfig.read(Path.of("the emulator's default"), FILE);
    source
        .warnings()
        .add(
            "no Config.json was given, so there is what the emulator's image has without one: queue.1,"
                + " topic.1 and its subscriptions subscription.1 to subscription.4");
    return source;
  }
}
