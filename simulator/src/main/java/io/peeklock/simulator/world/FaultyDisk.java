package io.peeklock.simulator.world;

import io.peeklock.journal.disk.Disk;
import io.peeklock.journal.disk.DiskFile;
import io.peeklock.journal.sim.SimDisk;
import io.peeklock.simulator.world.ActiveFaults.Call;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/** A simulated disk whose calls fail when the active faults say so. */
final class FaultyDisk implements Disk {
  private final SimDisk disk;
  private final ActiveFaults faults;

  FaultyDisk(SimDisk disk, ActiveFaults faults) {
    this.disk = disk;
    this.faults = faults;
  }

  private record Handle(String name, DiskFile file, ActiveFaults faults) implements DiskFile {
    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void append(ByteBuffer[] pieces, int count) throws IOException {
      try {
        faults.call(Call.WRITE, name);
      } catch (IOException refused) {
        file.append(pieces, count / 2); // a part of it got through
        throw refused;
      }
      file.append(pieces, count);
    }

    @Override
    public void overwrite(ByteBuffer bytes, long position) throws IOException {
      faults.call(Call.WRITE, name);
      file.overwrite(bytes, position);
    }

    @Override
    public void read(ByteBuffer into, long position) throws IOException {
      faults.read();
      file.read(into, position);
    }

    @Override
    public void sync() throws IOException {
      faults.call(Call.SYNC, name);
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
    faults.call(Call.CREATE, name);
    return new Handle(name, disk.create(name), faults);
  }

  @Override
  public DiskFile open(String name) throws IOException {
    return new Handle(name, disk.open(name), faults);
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
    faults.call(Call.SYNC, folder);
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
