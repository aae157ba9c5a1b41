package io.peeklock.kernel.state;

import io.peeklock.kernel.columns.LongList;
import io.peeklock.kernel.request.Transaction;
import java.util.LinkedHashMap;
import java.util.Map;

/** The locks that open transactions keep. */
public final class Enlistments {

  private final Map<Long, Transaction> byLock = new LinkedHashMap<>();
  private final Map<Transaction, LongList> locks = new LinkedHashMap<>();

  /** Whether some transaction keeps this lock. */
  public boolean has(long lockId) {
    return !byLock.isEmpty() && byLock.containsKey(lockId);
  }

  /** Whether this transaction keeps this lock. */
  public boolean has(long lockId, Transaction transaction) {
    return transaction.equals(byLock.get(lockId));
  }

  void add(long lockId, Transaction transaction) {
    byLock.put(lockId, transaction);
    locks.computeIfAbsent(transaction, first -> new LongList()).add(lockId);
  }

  /** Removes a lock that ended, and returns whether a transaction kept it. */
  boolean remove(long lockId) {
    return !byLock.isEmpty() && byLock.remove(lockId) != null;
  }

  /** Ends a transaction, and returns the locks that it still kept. */
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
