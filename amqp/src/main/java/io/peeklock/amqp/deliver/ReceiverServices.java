package io.peeklock.amqp.deliver;

import io.peeklock.amqp.transaction.Transactions;

/**
 * What the receivers of one connection share.
 *
 * @param transactions that they settle in
 * @param run settlements of a read burst
 * @param holders of message sessions
 */
public record ReceiverServices(Transactions transactions, SettleRun run, SessionHolders holders) {}
