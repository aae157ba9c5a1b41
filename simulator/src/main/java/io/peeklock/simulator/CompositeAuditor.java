package io.peeklock.simulator;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Auditor;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.SeenMessage;
import java.util.List;
import java.util.function.Consumer;

/** Several auditors that are told the same, one after the other. */
record CompositeAuditor(List<Auditor> all) implements Auditor {

  private void tell(Consumer<Auditor> words) {
    all.forEach(words);
  }

  @Override
  public void asked(long id, Operation operation, long nowMillis) {
    tell(each -> each.asked(id, operation, nowMillis));
  }

  @Override
  public void answered(long id, Answer answer, long nowMillis) {
    tell(each -> each.answered(id, answer, nowMillis));
  }

  @Override
  public void inDoubt(long id, long nowMillis) {
    tell(each -> each.inDoubt(id, nowMillis));
  }

  @Override
  public void delivered(String receiver, List<SeenMessage> messages, long nowMillis) {
    tell(each -> each.delivered(receiver, messages, nowMillis));
  }

  @Override
  public void undelivered(String receiver, long nowMillis) {
    tell(each -> each.undelivered(receiver, nowMillis));
  }

  @Override
  public void drained(String receiver, long nowMillis) {
    tell(each -> each.drained(receiver, nowMillis));
  }

  @Override
  public void receiverEnded(String receiver, String why, long nowMillis) {
    tell(each -> each.receiverEnded(receiver, why, nowMillis));
  }

  @Override
  public void rolledBack(String transaction, long nowMillis) {
    tell(each -> each.rolledBack(transaction, nowMillis));
  }

  @Override
  public void troubled(String trouble, long nowMillis) {
    tell(each -> each.troubled(trouble, nowMillis));
  }

  @Override
  public void restarted(long nowMillis) {
    tell(each -> each.restarted(nowMillis));
  }

  @Override
  public void clockDoubted(long mostMillis) {
    tell(each -> each.clockDoubted(mostMillis));
  }

  @Override
  public void memoryBounded(long bytes) {
    tell(each -> each.memoryBounded(bytes));
  }

  @Override
  public void messagesBounded(long bytes) {
    tell(each -> each.messagesBounded(bytes));
  }

  @Override
  public void diskFilled() {
    tell(Auditor::diskFilled);
  }

  @Override
  public void atRest(long nowMillis) {
    tell(each -> each.atRest(nowMillis));
  }
}
