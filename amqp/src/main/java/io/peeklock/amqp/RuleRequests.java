package io.peeklock.amqp;

import io.peeklock.amqp.filter.BadRule;
import io.peeklock.amqp.filter.RuleForms;
import io.peeklock.kernel.QueueRole;
import io.peeklock.kernel.Request;
import io.peeklock.kernel.RulePage;
import io.peeklock.runtime.Submission;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Management requests about the rules of a subscription (amqp.md 7.2, 9; R-37). */
final class RuleRequests {
  private final ManagementLink link;
  private final RequestMessage request;

  RuleRequests(ManagementLink link, RequestMessage request) {
    this.link = link;
    this.request = request;
  }

  /**
   * The request for the shard.
   *
   * @throws ManagementRequests.BadRequest when it cannot be granted
   */
  Submission toSubmission(String operation) {
    ManagementRequests.needListen(link);
    if (!(link.definition().role() instanceof QueueRole.Subscription)
        || link.address.deadLetter()) {
      throw new ManagementRequests.BadRequest(
          400, Conditions.NOT_ALLOWED, "Only a subscription has rules");
    }
    var body = ManagementRequests.body(request);
    var call = ManagementLink.callOf(request, 0);
    return Submission.of(
        switch (operation) {
          case "add-rule" -> add(call, body);
          case "remove-rule" -> new Request.RemoveRule(link.port(), call, link.queue, name(body));
          default ->
              new Request.ListRules(
                  link.port(),
                  call,
                  link.queue,
                  RulePage.added(number(body, "skip"), number(body, "top")));
        });
  }

  private Request add(ManagementLink.Call call, Map<String, @Nullable Object> body) {
    var description = body.get("rule-description");
    if (description == null) {
      throw ManagementRequests.argument("'rule-description' is missing");
    }
    try {
      var rule =
          RuleForms.read(
              name(body),
              ManagementRequests.map(description, "'rule-description'"),
              link.connection.edge().settings().quotas().rules());
      return new Request.AddRule(link.port(), call, link.queue, rule);
    } catch (BadRule bad) {
      throw ManagementRequests.argument(bad.sentence());
    }
  }

  private static String name(Map<String, @Nullable Object> body) {
    if (body.get("rule-name") instanceof String name) {
      return name;
    }
    throw ManagementRequests.argument("'rule-name' is missing");
  }

  private static int number(Map<String, @Nullable Object> body, String key) {
    return Math.clamp(ManagementRequests.integer(body.get(key), key), 0, Integer.MAX_VALUE);
  }
}
