package io.peeklock.amqp.management;

import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.filter.BadRule;
import io.peeklock.amqp.filter.RuleForms;
import io.peeklock.amqp.request.Call;
import io.peeklock.amqp.request.RequestMessage;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.entity.RulePage;
import io.peeklock.kernel.request.Request;
import io.peeklock.runtime.Submission;
import io.peeklock.runtime.access.Right;

/** Management requests about the rules of a subscription (amqp.md 7.2, 9; R-37). */
final class RuleRequests {
  private final ManagementNode node;
  private final RequestMessage request;

  RuleRequests(ManagementNode node, RequestMessage request) {
    this.node = node;
    this.request = request;
  }

  /**
   * The request for the shard.
   *
   * @throws BadRequest when it cannot be granted
   */
  Submission toSubmission(ManagementOperation operation) {
    node.need(Right.LISTEN);
    if (!(node.definition().role() instanceof QueueRole.Subscription)
        || node.address().deadLetter()) {
      throw new BadManagementRequest(400, Conditions.NOT_ALLOWED, "Only a subscription has rules");
    }
    var body = RequestBody.of(request);
    var call = Call.of(request, 0);
    return Submission.of(
        switch (operation) {
          case ADD_RULE -> add(call, body);
          case REMOVE_RULE -> new Request.RemoveRule(node.port(), call, node.queue(), name(body));
          default ->
              new Request.ListRules(
                  node.port(),
                  call,
                  node.queue(),
                  RulePage.named(number(body, "skip"), number(body, "top")));
        });
  }

  private Request add(Call call, RequestBody body) {
    var description = body.get("rule-description");
    if (description == null) {
      throw BadManagementRequest.argument("'rule-description' is missing");
    }
    try {
      var rule =
          RuleForms.read(
              name(body),
              RequestBody.map(description, "'rule-description'"),
              node.host().edge().settings().quotas().rules());
      return new Request.AddRule(node.port(), call, node.queue(), rule);
    } catch (BadRule bad) {
      throw BadManagementRequest.argument(bad.sentence());
    }
  }

  private static String name(RequestBody body) {
    if (body.get("rule-name") instanceof String name) {
      return name;
    }
    throw BadManagementRequest.argument("'rule-name' is missing");
  }

  private static int number(RequestBody body, String key) {
    return Math.clamp(body.integer(key), 0, Integer.MAX_VALUE);
  }
}
