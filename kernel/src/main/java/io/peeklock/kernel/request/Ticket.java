package io.peeklock.kernel.request;

/**
 * The requester's own note about a request, handed back unread with the answer: which deliveries a
 * burst stood for, which reply link waits. One per request, so one per burst on the hot path.
 */
public interface Ticket {}
