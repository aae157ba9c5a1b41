package io.peeklock.amqp;

/**
 * What the receivers of one connection share.
 *
 * @param transactions that they settle in
 * @param run settlements of a read burst
 * @param holders of message sessions
 */
record ReceiverServices(Transactions transactions, SettleRun run, SessionHolders holders) {}
