package io.peeklock.examples.demo;

import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The article's job scheduler: work that was done and not settled comes again, and is known. */
final class Jobs {
  private static final int JOBS = 5;
  private static final String UNLUCKY = "job-2";
  private static final ServiceBusFailureReason LOCK_LOST =
      ServiceBusFailureReason.MESSAGE_LOCK_LOST;

  private final Stage stage;
  private final Set<String> done = new HashSet<>();
  private final Map<String, Integer> timesDone = new HashMap<>();
  private int recognised;

  Jobs(Stage stage) {
    this.stage = stage;
  }

  List<Scene> scenes() {
    return List.of(
        new Scene(
            "S-040, S-041",
            "a job whose complete failed comes a second time; the worker knows its id and ignores"
                + " it",
            this::schedule));
  }

  private Result schedule() {
    var sender = stage.sender("jobs");
    for (var i = 0; i < JOBS; i++) {
      sender.sendMessage(new ServiceBusMessage("run report " + i).setMessageId("job-" + i));
    }
    var lostLocks = 0;
    var first = stage.receiver("jobs");
    var second = stage.receiver("jobs");
    var settled = 0;
    while (settled < JOBS) {
      var message = Stage.next(first);
      var unluckyNow = message.getMessageId().equals(UNLUCKY) && message.getDeliveryCount() == 0;
      work(message.getMessageId());
      if (!unluckyNow) {
        first.complete(message);
        settled++;
        continue;
      }
      // This worker stalls between the work and its complete, until another has the message.
      while (!finish(second, UNLUCKY)) {
        settled++;
      }
      settled++;
      try {
        first.complete(message);
      } catch (ServiceBusException refused) {
        lostLocks += LOCK_LOST.equals(refused.getReason()) ? 1 : 0;
      }
    }
    return new Result(
        JOBS
            + " jobs done once each: "
            + timesDone.values().stream().allMatch(times -> times == 1)
            + "; deliveries recognised as done before: "
            + recognised
            + "; completes refused for a lost lock: "
            + lostLocks,
        timesDone.size() == JOBS
            && timesDone.values().stream().allMatch(times -> times == 1)
            && recognised == 1
            && lostLocks == 1);
  }

  /** Does one job of the queue and completes it; whether it was this one. */
  private boolean finish(ServiceBusReceiverClient worker, String wanted) {
    var message = Stage.next(worker);
    work(message.getMessageId());
    worker.complete(message);
    return message.getMessageId().equals(wanted);
  }

  private void work(String id) {
    if (done.add(id)) {
      timesDone.merge(id, 1, Integer::sum);
    } else {
      recognised++;
    }
  }
}
