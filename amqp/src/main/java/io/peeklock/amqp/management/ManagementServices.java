package io.peeklock.amqp.management;

import io.peeklock.amqp.deliver.SessionHolders;
import io.peeklock.amqp.link.LinkIndex;
import io.peeklock.amqp.request.ReplyLinks;
import io.peeklock.amqp.transaction.Transactions;

/**
 * What the management nodes of one connection see of its other links.
 *
 * @param links all of them, by name
 * @param replyLinks those that hear answers
 * @param transactions that requests can be part of
 * @param holders of message sessions
 */
public record ManagementServices(
    LinkIndex links, ReplyLinks replyLinks, Transactions transactions, SessionHolders holders) {}
