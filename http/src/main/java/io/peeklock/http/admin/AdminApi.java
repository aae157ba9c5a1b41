package io.peeklock.http.admin;

import io.peeklock.http.ErrorBody;
import io.peeklock.http.HttpAnswer;
import io.peeklock.http.HttpCall;
import io.peeklock.http.Route;
import io.peeklock.http.admin.atom.AtomWriter;
import io.peeklock.http.admin.atom.Instants;
import io.peeklock.http.admin.atom.Problem;
import io.peeklock.http.admin.atom.XmlNamespaces;
import io.peeklock.http.admin.properties.ProfileTerms;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.runtime.Broker;
import io.peeklock.runtime.EntityCounting;
import io.peeklock.runtime.RateLimitedLog;
import io.peeklock.runtime.access.AccessControl;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The administration API, to be mounted behind everything that has a path of its own: it takes any
 * other, but those of the API for messages.
 */
public final class AdminApi {
  private static final Logger LOG = LoggerFactory.getLogger(AdminApi.class);
  private static final RateLimitedLog FAULTS = new RateLimitedLog(LOG);
  private static final long BODY_BYTES = 256 << 10;
  private static final long PATIENCE_SECONDS = 30;
  private static final int MOST_SHOWN = 300;
  private static final List<String> CONTENT_TYPES =
      List.of("application/atom+xml", "application/xml", "text/xml");

  private final AdminAuthorizer authorizer;
  private final Directory directory;
  private final EntityOperations entities;
  private final RuleOperations rules;
  private final ProfileTerms terms;
  private final LongSupplier wallMillis;

  private AdminApi(
      Broker broker,
      Executor shardExecutor,
      AccessControl access,
      ProfileTerms terms,
      LongSupplier wallMillis) {
    var shardClient = new ShardClient(broker, shardExecutor);
    var known = new Directory(broker::catalogue);
    this.authorizer =
        new AdminAuthorizer(
            access,
            wallMillis,
            entity -> known.isComplete() && known.entity(entity.path()) == null);
    this.directory = known;
    this.entities = new EntityOperations(shardClient, directory, authorizer, terms, wallMillis);
    this.rules = new RuleOperations(shardClient, directory, terms, wallMillis);
    this.terms = terms;
    this.wallMillis = wallMillis;
  }

  /**
   * The routes, in their order.
   *
   * @param shardExecutor the shard's thread
   * @param wallMillis UTC milliseconds, for tokens and for what is told
   */
  public static List<Route> routes(
      Broker broker,
      Executor shardExecutor,
      AccessControl access,
      ProfileTerms terms,
      LongSupplier wallMillis) {
    var api = new AdminApi(broker, shardExecutor, access, terms, wallMillis);
    return List.of(
        new Route(
                head -> !isAboutMessages(head.path()),
                List.of("GET", "PUT", "DELETE"),
                BODY_BYTES,
                CONTENT_TYPES,
                api::handle)
            .trusting(api::trusts));
  }

  /** {@code /queue/messages} and what is below it is where messages are sent and received. */
  private static boolean isAboutMessages(String path) {
    var key = path.toLowerCase(Locale.ROOT) + "/";
    return key.contains("/messages/");
  }

  private boolean trusts(HttpCall call) {
    try {
      return !authorizer.admit(AdminRequest.of(call, AdminPath.of(call.head().path()))).isEmpty();
    } catch (Problem refused) {
      return false;
    }
  }

  private void handle(HttpCall call) {
    var asked = AdminRequest.of(call, AdminPath.of(call.head().path()));
    CompletableFuture<HttpAnswer> answer;
    try {
      var policy = authorizer.admit(asked);
      call.recognised();
      if (!asked.method().equals("GET") && !call.mayAnswer()) {
        throw new Problem(503, 50_004, "Too many answers wait to be read; try again");
      }
      answer = answer(asked).thenApply(done -> noted(asked, policy, done));
    } catch (Problem problem) {
      call.answer(refused(asked, problem));
      return;
    }
    var unused =
        answer
            .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
            .handleAsync(
                (done, failed) -> {
                  call.attempt(
                      () ->
                          call.answer(
                              failed == null ? done : refused(asked, problem(asked, failed))));
                  return null;
                },
                call::execute);
  }

  /** Who changed what; reading leaves no trace. */
  private static HttpAnswer noted(AdminRequest asked, String policy, HttpAnswer done) {
    if (!asked.method().equals("GET")) {
      LOG.info(
          "{} {} by {} from {}: {}",
          asked.method(),
          shown(AdminPath.shown(asked.target())),
          shown(policy),
          asked.call().remote(),
          done.status());
    }
    return done;
  }

  private static Problem problem(AdminRequest asked, Throwable failed) {
    var cause = failed instanceof CompletionException ? failed.getCause() : failed;
    if (cause instanceof Problem problem) {
      return problem;
    }
    if (cause instanceof EntityCounting.NotCounted refused) {
      return AdminRefusals.of(refused.refusal(), asked);
    }
    if (cause instanceof TimeoutException) {
      return new Problem(503, 50_004, "The broker did not answer itself in time; try again");
    }
    FAULTS.error(cause == null ? failed : cause, "The administration API failed");
    return new Problem(500, 50_000, "The broker failed at this request; its log says why");
  }

  private CompletableFuture<HttpAnswer> answer(AdminRequest asked) {
    if (!directory.isComplete()) {
      throw AdminRefusals.of(new Refusal.NotLeading(), asked);
    }
    return switch (asked.method()) {
      case "PUT" -> put(asked.read());
      case "DELETE" -> delete(asked);
      default -> get(asked);
    };
  }

  private CompletableFuture<HttpAnswer> put(AdminRequest asked) {
    return switch (asked.target()) {
      case AdminPath.Entity entity -> entities.put(asked, entity);
      case AdminPath.Subscription subscription -> entities.put(asked, subscription);
      case AdminPath.Rules all -> rules.put(asked, all);
      case AdminPath.Rule rule -> rules.put(asked, rule);
      default -> throw notAllowed(asked);
    };
  }

  private CompletableFuture<HttpAnswer> delete(AdminRequest asked) {
    return switch (asked.target()) {
      case AdminPath.Entity entity -> entities.delete(asked, directory.entity(entity.path()));
      case AdminPath.Subscription subscription ->
          entities.delete(asked, directory.subscription(subscription.path()));
      case AdminPath.Rule rule -> rules.delete(asked, rule);
      case AdminPath.Everything everything -> entities.deleteAll(asked);
      default -> throw notAllowed(asked);
    };
  }

  private CompletableFuture<HttpAnswer> get(AdminRequest asked) {
    return switch (asked.target()) {
      case AdminPath.Entity entity -> entities.get(asked, entity);
      case AdminPath.Subscription subscription -> entities.get(asked, subscription);
      case AdminPath.Queues queues -> entities.list(asked, queues);
      case AdminPath.Topics topics -> entities.list(asked, topics);
      case AdminPath.Subscriptions subscriptions -> entities.list(asked, subscriptions);
      case AdminPath.Rules all -> rules.list(asked, all);
      case AdminPath.Rule rule -> rules.get(asked, rule);
      case AdminPath.NamespaceInfo info ->
          CompletableFuture.completedFuture(Documents.entry(asked, 200, namespace(asked)));
      case AdminPath.Everything everything -> throw notAllowed(asked);
      case AdminPath.Part part -> throw notAllowed(asked);
      case AdminPath.Nothing nothing ->
          CompletableFuture.completedFuture(Documents.nothing(asked, wallMillis.getAsLong()));
    };
  }

  private static Problem notAllowed(AdminRequest asked) {
    if (asked.target() instanceof AdminPath.Part) {
      return new Problem(400, 0, "The specified HTTP verb (" + asked.method() + ") is not valid");
    }
    return new Problem(
        405, 40_500, asked.method() + " is not known at " + AdminPath.shown(asked.target()));
  }

  private Documents.Entry namespace(AdminRequest asked) {
    var name = asked.namespace();
    return new Documents.Entry(
        "$namespaceinfo", name, null, terms.startedAtMillis(), true, out -> describe(name, out));
  }

  private void describe(String name, AtomWriter out) {
    var since = Instants.text(terms.startedAtMillis());
    out.open("NamespaceInfo")
        .attribute("xmlns", XmlNamespaces.SERVICE_BUS)
        .attribute("xmlns:i", XmlNamespaces.INSTANCE)
        .element("CreatedTime", since)
        .element("MessagingSKU", terms.tier().word());
    if (terms.tier() == ProfileTerms.Tier.PREMIUM) {
      out.element("MessagingUnits", "1");
    }
    out.element("ModifiedTime", since)
        .element("Name", name)
        .element("NamespaceType", "Messaging")
        .close();
  }

  /** In the layout of admin-http.md 12.2; the log has one line with the same tracking id. */
  private static HttpAnswer refused(AdminRequest asked, Problem problem) {
    var detail =
        (problem.subCode() == 0 ? "" : "SubCode=" + problem.subCode() + ". ") + problem.sentence();
    var answer =
        ErrorBody.of(
            asked.call().head(),
            asked.host(),
            shown(AdminPath.shown(asked.target())),
            problem.status(),
            detail);
    return problem.status() == 503 ? answer.with("Retry-After", "1") : answer;
  }

  /** What a client sent may be long, or hold line breaks, which must not reach a log. */
  private static String shown(String text) {
    var cut = text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "…" : text;
    return cut.chars().anyMatch(Character::isISOControl) ? cut.replaceAll("\\p{Cc}", "?") : cut;
  }
}
