package io.peeklock.conformance.generations;

import static io.peeklock.conformance.generations.FirstClient.message;
import static io.peeklock.conformance.generations.FirstClient.next;
import static io.peeklock.conformance.generations.FirstClient.peeked;
import static io.peeklock.conformance.generations.FirstClient.receiver;
import static io.peeklock.conformance.generations.FirstClient.to;
import static io.peeklock.conformance.generations.Stories.equal;

import com.microsoft.azure.servicebus.ClientFactory;
import com.microsoft.azure.servicebus.ReceiveMode;
import com.microsoft.azure.servicebus.primitives.MessagingFactory;
import java.util.List;

/** Transactions of the first client. */
final class FirstClientTransactions {
  private FirstClientTransactions() {}

  static void commitAndRollBack() throws Exception {
    var factory = MessagingFactory.createFromConnectionStringBuilder(to("transacted"));
    var sender = ClientFactory.createMessageSenderFromEntityPath(factory, "transacted");
    var receiver =
        ClientFactory.createMessageReceiverFromEntityPath(
            factory, "transacted", ReceiveMode.PEEKLOCK);
    sender.send(message("step-1"));
    var held = next(receiver);

    var rolledBack = factory.startTransaction();
    receiver.complete(held.getLockToken(), rolledBack);
    sender.send(message("never"), rolledBack);
    factory.endTransaction(rolledBack, false);
    equal(List.of("step-1"), peeked(receiver));

    var committed = factory.startTransaction();
    receiver.complete(held.getLockToken(), committed);
    sender.send(message("step-2"), committed);
    factory.endTransaction(committed, true);
    equal(List.of("step-2"), peeked(receiver));
    factory.close();
  }

  static void via() throws Exception {
    var factory = MessagingFactory.createFromConnectionStringBuilder(to("via"));
    var sender = ClientFactory.createMessageSenderFromEntityPath(factory, "via");
    var receiver =
        ClientFactory.createMessageReceiverFromEntityPath(factory, "via", ReceiveMode.PEEKLOCK);
    var onward = ClientFactory.createTransferMessageSenderFromEntityPath(factory, "beyond", "via");
    sender.send(message("order"));
    var held = next(receiver);

    var transaction = factory.startTransaction();
    receiver.complete(held.getLockToken(), transaction);
    onward.send(message("bill"), transaction);
    factory.endTransaction(transaction, true);

    equal(List.of(), peeked(receiver));
    equal("bill", FirstClient.text(next(receiver("beyond"))));
    factory.close();
  }
}
