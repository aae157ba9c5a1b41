package io.peeklock.server;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.peeklock.kernel.entity.EntityStatus;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.access.AuthorizationRule;
import io.peeklock.runtime.access.Policy;
import io.peeklock.runtime.access.Right;
import io.peeklock.server.config.ConfigurationException;
import io.peeklock.server.config.Entity;
import io.peeklock.server.config.ServeOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** A broker whose configuration file changes while it runs. */
@Timeout(300)
class ReloadTest {
  private static final String START =
      """
      queues:
        orders: {MaxDeliveryCount: 5}
        old:
      topics:
        events:
          subscriptions:
            reds: {rules: {red: {filter: color = 'red'}}}
      """;

  private @TempDir Path folder;
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger log = (Logger) LoggerFactory.getLogger(Reload.class);

  @BeforeEach
  void listen() {
    lines.start();
    log.addAppender(lines);
  }

  @AfterEach
  void deaf() {
    log.detachAppender(lines);
  }

  private List<String> options() {
    return List.of(
        "--in-memory", "--port=0", "--queue=by-option", "--config=" + folder.resolve("p.yaml"));
  }

  private void file(String text) throws IOException {
    Files.writeString(folder.resolve("p.yaml"), text);
  }

  private PeeklockServer start() throws IOException {
    file(START);
    return PeeklockServer.start(ServeOptions.read(options()));
  }

  private Reload reload(PeeklockServer server) {
    var reload =
        new Reload(() -> ServeOptions.readAgain(options()), server.settings(), server.entities());
    reload.remember();
    return reload;
  }

  private List<String> said() {
    return lines.list.stream()
        .map(line -> line.getLevel() + " " + line.getFormattedMessage())
        .toList();
  }

  private static QueueDefinition of(PeeklockServer server, String path) {
    return requireNonNull(server.catalogue().queue(path)).definition();
  }

  @Test
  void whatIsNewIsMadeWhatMayChangeIsChangedAndWhatIsGoneStays() throws IOException {
    try (var server = start()) {
      var reload = reload(server);
      file(
          """
          queues:
            orders: {MaxDeliveryCount: 7, ForwardDeadLetteredMessagesTo: bills}
            bills: {RequiresSession: true}
          topics:
            events:
              subscriptions:
                reds: {rules: {red: {filter: color = 'crimson'}, dear: {filter: price > 9}}}
                all:
          """);

      reload.run();

      assertThat(of(server, "orders").maxDeliveryCount()).isEqualTo(7);
      assertThat(of(server, "orders").forwardDeadLettersTo()).isEqualTo("bills");
      assertThat(of(server, "bills").requiresSession()).isTrue();
      assertThat(of(server, "old")).isNotNull();
      assertThat(requireNonNull(server.catalogue().queue("events")).rules()).isEqualTo(3);
      assertThat(said())
          .containsExactly(
              "INFO SIGHUP: the configuration was read again: 2 made: bills,"
                  + " events/Subscriptions/all, 2 changed: events/Subscriptions/reds, orders,"
                  + " 1 as before; not deleted, though no longer in it: old");
    }
  }

  @Test
  void whatIsAsBeforeIsLeftAloneHoweverOften() throws IOException {
    try (var server = start()) {
      var before = server.catalogue();
      var reload = reload(server);

      reload.run();
      reload.run();

      assertThat(server.catalogue()).isEqualTo(before);
      assertThat(said())
          .hasSize(2)
          .allMatch(line -> line.endsWith("read again: 0 made, 0 changed, 4 as before"));
    }
  }

  @Test
  void whatIsGoneFromTheFileIsSaidOnce() throws IOException {
    try (var server = start()) {
      var reload = reload(server);
      file("queues: {orders: }\n");

      reload.run();
      reload.run();

      assertThat(said())
          .first()
          .asString()
          .endsWith("no longer in it: events, events/subscriptions/reds, old");
      assertThat(said()).last().asString().endsWith("0 made, 0 changed, 1 as before");
    }
  }

  @Test
  void aFileWithoutEntitiesIsAnsweredToo() throws IOException {
    file("queues: {}\n");
    try (var server = PeeklockServer.start(ServeOptions.read(options()))) {
      var reload = reload(server);

      reload.run();

      assertThat(said()).singleElement().asString().contains("0 made, 0 changed");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "queues:\n  new:\n  orders: {MaxDeliveryCount: none} # line 3",
        "queues:\n  new:\n  orders: {MaxDelivery: 9} # line 3",
        "queues:\n  new:\nqueue: # line 3",
        "queues:\n  new:\n  orders: {RequiresSession: true} # orders: RequiresSession cannot",
        "queues:\n  new:\n  orders: {RequiresDuplicateDetection: true} # orders: RequiresDup",
        "queues:\n  new:\n  orders: {EnablePartitioning: true} # orders: EnablePart",
        "queues:\n  new:\n  orders: {ForwardTo: nowhere} # orders: there is no queue and no topic",
        "queues:\n  new:\n  events: # events: its kind cannot be changed",
        "queues:\n  new:\n  a: {ForwardTo: b}\n  b: {ForwardTo: a} # forward in a circle",
        "queues: {new: } \n  [ # line 1",
      })
  void aFileThatIsWrongChangesNothingAndTheReasonIsOneLine(String text) throws IOException {
    try (var server = start()) {
      var before = server.catalogue();
      var reload = reload(server);
      file(text.replaceAll(" #.*", ""));

      reload.run();

      assertThat(server.catalogue()).isEqualTo(before);
      assertThat(said())
          .singleElement()
          .asString()
          .startsWith("ERROR SIGHUP: nothing is changed, for the configuration is wrong: ")
          .contains(text.substring(text.indexOf('#') + 2))
          .doesNotContain("\n");
    }
  }

  @Test
  void aFileThatIsGoneChangesNothing() throws IOException {
    try (var server = start()) {
      var reload = reload(server);
      Files.delete(folder.resolve("p.yaml"));

      reload.run();

      assertThat(said()).singleElement().asString().contains("p.yaml does not exist");
    }
  }

  @Test
  void aSettingThatNeedsAStartIsNamedAndTheEntitiesAreMade() throws IOException {
    try (var server = start()) {
      var reload = reload(server);
      file("checkpoint-megabytes: 7\nbind: 127.0.0.2\nqueues:\n  new:\n");

      reload.run();

      assertThat(said().getFirst())
          .isEqualTo(
              "WARN SIGHUP: the next start is needed for what has changed of"
                  + " checkpoint-megabytes, bind");
      assertThat(of(server, "new")).isNotNull();
    }
  }

  @Test
  void anotherProfileLeavesTheEntitiesAlone() throws IOException {
    try (var server = start()) {
      var reload = reload(server);
      file("profile: premium\nqueues:\n  new:\n");

      reload.run();

      assertThat(server.catalogue().queue("new")).isNull();
      assertThat(said()).hasSize(2).last().asString().contains("the profile is another one");
    }
  }

  @Test
  @Rule("S-473")
  void keysOfEntitiesTheirCommentsAndTheirStatusAreKept() throws IOException {
    try (var server = start()) {
      var rule = new AuthorizationRule("shop", Set.of(Right.SEND), "one", "two", 1, 1);
      var attributes =
          Map.of(
              AuthorizationRule.ATTRIBUTE,
              AuthorizationRule.kept(List.of(rule)),
              "UserMetadata",
              "mine");
      var guarded = of(server, "orders").with().attributes(attributes).build();
      server
          .entities()
          .getFirst()
          .ensure(List.of(new Entity(guarded, null).whole(Entity.Difference.DEMANDED)))
          .join();
      var reload = reload(server);
      file("queues:\n  orders: {MaxDeliveryCount: 7, UserMetadata: the file's}\n");

      reload.run();

      assertThat(of(server, "orders").maxDeliveryCount()).isEqualTo(7);
      assertThat(of(server, "orders").status()).isEqualTo(EntityStatus.ACTIVE);
      assertThat(AuthorizationRule.of(of(server, "orders").attributes())).containsExactly(rule);
      assertThat(of(server, "orders").attributes()).containsEntry("UserMetadata", "the file's");
    }
  }

  private static String policies(String rights, String primary, String secondary) {
    return "policies: {Seller: {rights: '"
        + rights
        + "', primary-key: "
        + primary
        + ", secondary-key: "
        + secondary
        + "}}\n";
  }

  private static List<Right> opened(PeeklockServer server, String namespace, String key) {
    return server.access(namespace).logIn("seller", key.getBytes(StandardCharsets.UTF_8)).stream()
        .flatMap(policy -> policy.rights().stream())
        .sorted()
        .toList();
  }

  @Test
  @Rule({"S-470", "S-471", "S-473"})
  void policiesOfANamespaceChangeWithoutARestart() throws IOException {
    file(START + policies("Send", "Canary7Qx-one", "Canary7Qx-two"));
    try (var server = PeeklockServer.start(ServeOptions.read(options()))) {
      var reload = reload(server);
      assertThat(opened(server, "default", "Canary7Qx-one")).containsExactly(Right.SEND);
      assertThat(opened(server, "default", "Canary7Qx-two")).containsExactly(Right.SEND);
      file(START + policies("Send, Listen", "Canary7Qx-new", "Canary7Qx-two"));

      reload.run();

      assertThat(opened(server, "default", "Canary7Qx-one")).isEmpty();
      assertThat(opened(server, "default", "Canary7Qx-two"))
          .containsExactly(Right.SEND, Right.LISTEN);
      assertThat(opened(server, "default", "Canary7Qx-new")).hasSize(2);
      assertThat(
              server
                  .access("default")
                  .logIn(Policy.ROOT_NAME, "SAS_KEY_VALUE".getBytes(StandardCharsets.UTF_8)))
          .hasSize(1);
      assertThat(said())
          .contains("INFO SIGHUP: the policies are now RootManageSharedAccessKey, Seller")
          .noneMatch(line -> line.contains("Canary7Qx"));
      file(START + policies("Own", "Canary7Qx-bad", "Canary7Qx-two"));
      reload.run();
      assertThat(opened(server, "default", "Canary7Qx-new")).as("a wrong file").hasSize(2);
      file(START);
      reload.run();
      assertThat(opened(server, "default", "Canary7Qx-new")).isEmpty();
      assertThat(said()).noneMatch(line -> line.contains("Canary7Qx"));
    }
  }

  @Test
  @Rule("S-470")
  void eachNamespaceHasPoliciesOfItsOwn() throws IOException {
    var policy = "policies: {Seller: {rights: Listen, primary-key: %s}}";
    var shop = "namespaces: {shop: {" + policy + "}}\n";
    file(shop.replace("%s", "Canary7Qx-shop"));
    try (var server = PeeklockServer.start(ServeOptions.read(options()))) {
      var reload = reload(server);
      assertThat(opened(server, "shop", "Canary7Qx-shop")).containsExactly(Right.LISTEN);
      assertThat(opened(server, "default", "Canary7Qx-shop")).isEmpty();
      file(shop.replace("%s", "Canary7Qx-next"));

      reload.run();

      assertThat(opened(server, "shop", "Canary7Qx-shop")).isEmpty();
      assertThat(opened(server, "shop", "Canary7Qx-next")).containsExactly(Right.LISTEN);
    }
  }

  private static final String WITH_A_SHOP =
      """
      queues: {orders: }
      namespaces:
        shop: {queues: {carts: {MaxDeliveryCount: 5}, old: }}
        quiet:
      """;

  private static Reload.Entities named(PeeklockServer server, String namespace) {
    return server.entities().stream()
        .filter(each -> each.namespace().equals(namespace))
        .findAny()
        .orElseThrow();
  }

  @Test
  void everyNamespaceThatRunsIsReadAgain() throws IOException {
    file(WITH_A_SHOP);
    try (var server = PeeklockServer.start(ServeOptions.read(options()))) {
      var reload = reload(server);
      file(
          """
          queues: {orders: }
          namespaces:
            shop: {queues: {carts: {MaxDeliveryCount: 7}, new: }}
            quiet:
          """);

      reload.run();

      var shop = named(server, "shop").catalogue();
      assertThat(requireNonNull(shop.queue("carts")).definition().maxDeliveryCount()).isEqualTo(7);
      assertThat(shop.queue("new")).isNotNull();
      assertThat(shop.queue("old")).isNotNull();
      assertThat(server.catalogue().queue("new")).as("in the default namespace").isNull();
      assertThat(said())
          .containsExactly(
              "INFO SIGHUP: the configuration was read again: 0 made, 0 changed, 1 as before",
              "INFO SIGHUP: the configuration was read again in the namespace shop: 1 made: new,"
                  + " 1 changed: carts, 0 as before; not deleted, though no longer in it: old");
    }
  }

  @Test
  void whatOneNamespaceCannotDoNoneDoes() throws IOException {
    file(WITH_A_SHOP);
    try (var server = PeeklockServer.start(ServeOptions.read(options()))) {
      var reload = reload(server);
      file(
          """
          queues: {new: }
          namespaces:
            shop: {queues: {carts: {ForwardTo: nowhere}}}
            quiet:
          """);

      reload.run();

      assertThat(server.catalogue().queue("new")).isNull();
      assertThat(said())
          .singleElement()
          .asString()
          .startsWith("ERROR SIGHUP: nothing is changed")
          .contains("carts in the namespace shop: there is no queue and no topic nowhere");
    }
  }

  @Test
  void aNamespaceMoreOrLessWaitsForTheStart() throws IOException {
    file(WITH_A_SHOP);
    try (var server = PeeklockServer.start(ServeOptions.read(options()))) {
      var reload = reload(server);
      file("queues: {orders: }\nnamespaces: {shop: , other: {queues: {late: }}}\n");

      reload.run();

      assertThat(server.entities()).extracting(Reload.Entities::namespace).doesNotContain("other");
      assertThat(said())
          .first()
          .asString()
          .contains("the next start is needed for which namespaces there are");
      assertThat(said()).last().asString().contains("shop").contains("carts, old");
    }
  }

  @Test
  void withoutAFileThereIsNothingToRead() throws IOException {
    try (var server = start()) {
      var reload = new Reload(() -> null, server.settings(), server.entities());
      reload.remember();

      reload.run();

      assertThat(said()).singleElement().asString().contains("no configuration file is named");
    }
  }

  @Test
  void whatTheShardRefusesIsSaid() throws IOException {
    try (var server = start()) {
      var stubborn =
          new Reload.Entities() {
            @Override
            public String namespace() {
              return Namespace.DEFAULT;
            }

            @Override
            public io.peeklock.runtime.Catalogue catalogue() {
              return server.catalogue();
            }

            @Override
            public CompletableFuture<EntitySetup.Outcome> ensure(List<Entity> wanted) {
              return CompletableFuture.failedFuture(new ConfigurationException("too many"));
            }

            @Override
            public void replacePolicies(List<Policy> policies) {}
          };

      var settings = server.settings();
      new Reload(() -> ServeOptions.readAgain(options()), settings, List.of(stubborn)).run();

      assertThat(said()).containsExactly("ERROR SIGHUP: not all could be done: too many");
    }
  }
}
