package io.peeklock.amqp.transaction;

import io.peeklock.kernel.request.Ticket;

/** Of parts of a commit, which are not answered one by one. */
enum UnansweredTicket implements Ticket {
  PART_OF_COMMIT
}
