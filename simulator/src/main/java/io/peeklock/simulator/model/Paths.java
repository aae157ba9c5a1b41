package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Operation;

/** Which entity an operation is about. */
final class Paths {
  private Paths() {}

  /** Empty for none. */
  static String of(Operation operation, World world) {
    return switch (operation) {
      case Operation.CreateQueue create -> create.path();
      case Operation.CreateTopic create -> create.path();
      case Operation.CreateSubscription create -> create.path();
      case Operation.Update update -> update.path();
      case Operation.Delete delete -> delete.path();
      case Operation.AddRule add -> add.subscription();
      case Operation.RemoveRule remove -> remove.subscription();
      case Operation.Count count -> count.path();
      case Operation.DeleteMessages delete -> delete.path();
      default -> ofMessages(operation, world);
    };
  }

  private static String ofMessages(Operation operation, World world) {
    return switch (operation) {
      case Operation.Send send -> send.path();
      case Operation.CancelScheduled cancel -> cancel.path();
      case Operation.Settle settle -> settle.path();
      case Operation.Renew renew -> renew.path();
      case Operation.ReceiveDeferred receive -> receive.path();
      case Operation.Peek peek -> peek.path();
      case Operation.SendIn send -> send.path();
      case Operation.SettleIn settle -> settle.settle().path();
      case Operation.SetStateIn set -> set.set().path();
      default -> ofReceivers(operation, world);
    };
  }

  private static String ofReceivers(Operation operation, World world) {
    return switch (operation) {
      case Operation.OpenReceiver open -> open.path();
      case Operation.AcceptSession accept -> accept.path();
      case Operation.RenewSession renew -> renew.path();
      case Operation.GetState get -> get.path();
      case Operation.SetState set -> set.path();
      case Operation.Credit credit -> of(credit.receiver(), world);
      case Operation.Drain drain -> of(drain.receiver(), world);
      case Operation.CloseReceiver close -> of(close.receiver(), world);
      default -> "";
    };
  }

  private static String of(String receiver, World world) {
    Receiver found = world.receivers.get(receiver);
    return found == null ? "" : found.place.path;
  }
}
