package io.peeklock.amqp;

/**
 * What the management nodes of one connection see of its other links.
 *
 * @param links all of them, by name
 * @param replyLinks those that hear answers
 * @param transactions that requests can be part of
 * @param holders of message sessions
 */
record ManagementServices(
    LinkIndex links, ReplyLinks replyLinks, Transactions transactions, SessionHolders holders) {}
