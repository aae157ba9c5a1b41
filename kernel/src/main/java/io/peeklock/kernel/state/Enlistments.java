package io.peeklock.kernel.state;

import io.peeklock.kernel.columns.LongList;
import io.peeklock.kernel.request.Transaction;
import java.util.LinkedHashMap;
import java.util.Map;

/** Which locks are kept for which open transaction. */
public final class Enlistments {

  private final Map<Long, Transaction> byLock = new LinkedHashMap<>();
  private final Map<Transaction, LongList> locks = new LinkedHashMap<>();

  public boolean has(long lockId) {
    return !byLock.isEmpty() && byLock.containsKey(lockId);
  }

  public boolean has(long lockId, Transaction transaction) {
    return transaction.equals(byLock.get(lockId));
  }

  void add(long lockId, Transaction transaction) {
    byLock.put(lockId, transaction);
    locks.computeIfAbsent(transaction, first -> new LongList()).add(lockId);
  }

  /** A lock is over; whether it was here. */
  boolean remove(long lockId) {
    return !byLock.isEmpty() && byLock.remove(lockId) != null;
  }

  /** A transaction is over; the locks that it still had. */
  public long[] end(Transaction transaction) {
    LongList had = locks.remove(transaction);
    LongList left = new LongList();
    for (int i = 0; had != null && i < had.size(); i++) {
      if (byLock.remove(had.get(i), transaction)) {
        left.add(had.get(i));
      }
    }
    return left.toArray();
  }
}
