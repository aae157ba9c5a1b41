package io.peeklock.simulator.world;

import io.peeklock.journal.disk.Disk;
import io.peeklock.journal.disk.DiskFile;
import io.peeklock.journal.sim.SimDisk;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/** A simulated disk whose reads fail when the faults says so. */
final class FaultyDisk implements Disk {
  private final SimDisk disk;
  private final ActiveFaults faults;

  FaultyDisk(SimDisk disk, ActiveFaults faults) {
    this.disk = disk;
    this.faults = faults;
  }

  private record Handle(DiskFile file, ActiveFaults faults) implements DiskFile {
    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void append(ByteBuffer[] pieces, int count) throws IOException {
      file.append(pieces, count);
    }

    @Override
    public void overwrite(ByteBuffer bytes, long position) throws IOException {
      file.overwrite(bytes, position);
    }

    @Override
    public void read(ByteBuffer into, long position) throws IOException {
      faults.read();
      file.read(into, position);
    }

    @Override
    public void sync() throws IOException {
      file.sync();
    }

    @Override
    public void truncate(long size) throws IOException {
      file.truncate(size);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  @Override
  public DiskFile create(String name) throws IOException {
    return new Handle(disk.create(name), faults);
  }

  @Override
  public DiskFile open(String name) throws IOException {
    return new Handle(disk.open(name), faults);
  }

  @Override
  public boolean exists(String name) {
    return disk.exists(name);
  }

  @Override
  public List<String> list(String folder) {
    return disk.list(folder);
  }

  @Override
  public Map<String, Long> sizes(String folder) {
    return disk.sizes(folder);
  }

  @Override
  public void makeFolder(String folder) {
    disk.makeFolder(folder);
  }

  @Override
  public void syncFolder(String folder) throws IOException {
    disk.syncFolder(folder);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    disk.rename(from, to);
  }

  @Override
  public void delete(String name) throws IOException {
    disk.delete(name);
  }

  @Override
  public long freeBytes() {
    return disk.freeBytes();
  }

  @Override
  public Closeable lock(String name) throws IOException {
    return disk.lock(name);
  }

  @Override
  public Closeable guard(String name) {
    return disk.guard(name);
  }

  @Override
  public String describe(String name) {
    return disk.describe(name);
  }
}
