package io.peeklock.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.peeklock.amqp.limit.AmqpBudgets;
import io.peeklock.journal.memory.MemoryJournal;
import io.peeklock.runtime.StagedBodies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that takes all that the budgets of a broker promise, each part as the broker does, and
 * keeps it until all is there. For {@link LauncherMemoryTest}.
 */
final class TakesAllMemory {
  private static final int CHUNK = 1 << 20;
  private static final int BUFFER = 64 << 10;

  /** What is taken stays reachable until the end. */
  private static final List<Object> KEPT = new ArrayList<>();

  private TakesAllMemory() {}

  /**
   * Prints how much of each part it took, in bytes, and the most memory that the system gave it.
   *
   * @param arguments none
   */
  public static void main(String[] arguments) throws IOException {
    var share = MemoryShare.of(1);
    System.out.println("heap " + heap(share));
    System.out.println("network " + network(share.networkBytes() / 20 * 19));
    System.out.println("bodies " + bodies(share));
    System.out.println("shares " + share.networkBytes() + " " + share.bodyBytes());
    System.out.println("maximum " + share.heapBytes());
    System.out.println("resident " + resident());
    System.out.println("kept " + KEPT.size());
  }

  private static long heap(MemoryShare share) {
    var budgets = AmqpBudgets.of(share.heapBytes(), share.networkBytes());
    var wanted =
        budgets.links().most()
            + budgets.unauthenticatedLinks().most()
            + budgets.transactions().most()
            + share.mailbox();
    for (var taken = 0L; taken < wanted; taken += CHUNK) {
      KEPT.add(new byte[CHUNK]);
    }
    return wanted;
  }

  private static long network(long wanted) {
    for (var taken = 0L; taken < wanted; taken += BUFFER) {
      ByteBuf buffer = ByteBufAllocator.DEFAULT.directBuffer(BUFFER);
      KEPT.add(buffer.writeZero(BUFFER));
    }
    return wanted;
  }

  private static long bodies(MemoryShare share) {
    var wanted = MemoryJournal.mostBytes(share.inMemory());
    var arena = MemoryJournal.create(share.inMemory(), Runnable::run).newArena();
    for (var taken = 0L; taken < wanted; taken += CHUNK) {
      arena.begin();
      var room = arena.reserve(CHUNK);
      room.put(new byte[CHUNK]);
      arena.commit();
      StagedBodies staged = arena.end();
      KEPT.add(staged);
    }
    return wanted;
  }

  private static long resident() throws IOException {
    var status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return 0;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmHWM:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
        .findFirst()
        .orElse(0);
  }
}
