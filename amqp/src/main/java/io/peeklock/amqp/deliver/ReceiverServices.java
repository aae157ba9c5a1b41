package io.peeklock.amqp.deliver;

import io.peeklock.amqp.transaction.Transactions;

/**
 * The objects that the receivers of one connection share.
 *
 * @param transactions the open transactions
 * @param run the settlements of a read burst
 * @param holders the holders of message sessions
 */
public record ReceiverServices(Transactions transactions, SettleRun run, SessionHolders holders) {}
