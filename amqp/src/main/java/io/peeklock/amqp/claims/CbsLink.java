package io.peeklock.amqp.claims;

import io.peeklock.amqp.engine.link.ReceivingLink;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.error.RefusalConditions;
import io.peeklock.amqp.link.EntityAddress;
import io.peeklock.amqp.link.LinkConnection;
import io.peeklock.amqp.request.Reply;
import io.peeklock.amqp.request.ReplyLinks;
import io.peeklock.amqp.request.RequestLink;
import io.peeklock.amqp.request.RequestMessage;
import io.peeklock.runtime.access.AccessDecision;
import io.peeklock.runtime.access.Right;
import org.jspecify.annotations.Nullable;

/** The token node: takes tokens and opens what they are for (amqp.md 2). */
public final class CbsLink extends RequestLink {
  private static final String SAS = "servicebus.windows.net:sastoken";
  private static final String JWT = "jwt";
  private static final String SAS_BEGINS = "SharedAccessSignature ";

  private int failures;

  public CbsLink(
      LinkConnection connection, EntityAddress address, ReceivingLink link, ReplyLinks replyLinks) {
    super(connection, address, link, replyLinks);
  }

  @Override
  public @Nullable Right needs() {
    return null;
  }

  @Override
  public void malformed(@Nullable RequestMessage head, String why) {
    if (head != null) {
      answer(head, 400, "A token request is malformed: " + why);
    } else {
      detach(Conditions.DECODE_ERROR, "A token request is malformed: " + why);
    }
    refused();
  }

  @Override
  public void request(RequestMessage request) {
    var audience = request.text("name");
    if (transaction() != null) {
      answer(request, 400, "Tokens cannot be put in a transaction");
    } else if (!"put-token".equals(request.text("operation"))) {
      answer(request, 501, "The operation is not implemented by this node");
    } else if (audience == null
        || audience.length() > EntityAddress.MAX_CHARS
        || !(request.body() instanceof String token)) {
      answer(request, 400, "A put-token request needs a name and a token in its body");
    } else if (!isSas(request.text("type"), token)) {
      deny(request, "Tokens of this type are not accepted; use " + SAS);
    } else {
      putToken(request, audience, token);
    }
  }

  /** Python signs with its key and calls the result a jwt all the same: the text decides then. */
  private static boolean isSas(@Nullable String type, String token) {
    return SAS.equals(type) || (JWT.equals(type) && token.startsWith(SAS_BEGINS));
  }

  private void putToken(RequestMessage request, String audience, String token) {
    var decision = connection.edge().access().verify(token, audience, connection.wallMillis());
    switch (decision) {
      case AccessDecision.Denied denied ->
          deny(request, denied.flaw().word() + ": " + denied.reason());
      case AccessDecision.Granted granted -> grant(request, EntityAddress.parse(audience), granted);
    }
  }

  /** The entity is looked for last, so that nobody without a right learns what exists. */
  private void grant(RequestMessage request, EntityAddress target, AccessDecision.Granted granted) {
    var catalogue = connection.edge().broker().catalogue();
    if (!target.entity().isEmpty() && catalogue.queue(target.entity()) == null) {
      var why = RefusalConditions.of(catalogue.missing(), target.shown(), connection.errors());
      answer(request, why.status(), why.sentence());
      return;
    }
    if (!connection.rights().grant(target.resource(), granted, connection.holdings())) {
      answer(request, 403, "Too many tokens were put on this connection");
      return;
    }
    connection.authorised();
    connection.dueIn(granted.endsAtMillis() - connection.wallMillis());
    reply(request.replyTo(), Reply.ofToken(request.messageId(), 202, "Accepted", null));
  }

  private void deny(RequestMessage request, String reason) {
    answer(request, 401, reason);
    refused();
  }

  /** Guessing ends the connection (reliability.md 5.2). */
  private void refused() {
    failures++;
    if (failures >= connection.limits().failedTokens()) {
      connection.close(
          connection
              .errors()
              .error(Conditions.UNAUTHORIZED, "Too many tokens were refused", "$cbs"));
    }
  }

  private void answer(RequestMessage request, int status, String sentence) {
    var condition =
        switch (status) {
          case 401 -> Conditions.UNAUTHORIZED;
          case 403 -> Conditions.RESOURCE_LIMIT_EXCEEDED;
          case 404 -> Conditions.NOT_FOUND;
          case 501 -> Conditions.NOT_IMPLEMENTED;
          default -> Conditions.ARGUMENT_ERROR;
        };
    var text = connection.errors().text(condition, sentence, "$cbs");
    reply(request.replyTo(), Reply.ofToken(request.messageId(), status, text, condition));
  }
}
