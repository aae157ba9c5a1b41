package io.peeklock.store;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import io.peeklock.journal.checkpoint.CheckpointReader;
import io.peeklock.journal.checkpoint.SegmentTable;
import io.peeklock.journal.inspection.StoreFolder;
import io.peeklock.journal.inspection.StoreFolder.Kind;
import io.peeklock.journal.scan.LoggedBatch;
import io.peeklock.journal.scan.SegmentScan;
import io.peeklock.kernel.fact.Fact;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the contents of files as JSON, one object a line. */
final class Dump implements Closeable {
  private final StoreFolder folder;
  private final Choice choice;
  private final JsonGenerator out;
  private final FactJson facts = new FactJson();

  /**
   * What to show.
   *
   * @param from first index
   * @param to last index
   * @param queue only facts about it; null for all
   * @param bodies whether to show the bodies' bytes
   */
  record Choice(long from, long to, @Nullable String queue, boolean bodies) {}

  Dump(StoreFolder folder, Choice choice, OutputStream to) throws IOException {
    this.folder = folder;
    this.choice = choice;
    this.out = new JsonFactory().createGenerator(to);
    out.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    out.setPrettyPrinter(new MinimalPrettyPrinter("\n"));
  }

  /** Every batch of the log. */
  void log() throws IOException {
    learnFromCheckpoints();
    for (var name : folder.names(Kind.SEGMENT)) {
      try (var scan = folder.segment(name)) {
        scan.run(false, new Lines(name, scan), bytes -> {});
      }
    }
  }

  private void learnFromCheckpoints() throws IOException {
    for (var name : folder.names(Kind.CHECKPOINT)) {
      read(name, new Learning());
    }
  }

  private @Nullable String read(String name, CheckpointReader.Content content) throws IOException {
    try (var reader = folder.checkpoint(name)) {
      var damage = reader.damage();
      if (damage == null) {
        reader.read(content);
      }
      return damage;
    }
  }

  /** Writes the newest checkpoint, or its facts about one queue. */
  void checkpoint() throws IOException {
    var names = folder.names(Kind.CHECKPOINT);
    if (names.isEmpty()) {
      throw new IOException("there is no checkpoint");
    }
    var name = names.get(names.size() - 1);
    var damage = read(name, new Content(name));
    if (damage != null) {
      throw new IOException(folder.describe(name) + ": " + damage);
    }
  }

  private boolean isWanted(Fact fact) {
    var queue = choice.queue();
    return queue == null || facts.isAbout(fact, queue);
  }

  private void facts(List<Fact> all) throws IOException {
    out.writeArrayFieldStart("facts");
    for (var fact : all) {
      if (isWanted(fact)) {
        facts.write(fact, out);
      }
    }
    out.writeEndArray();
  }

  /** Reads the names of queues only. */
  private final class Learning implements CheckpointReader.Content {
    @Override
    public void segments(long[] table) {}

    @Override
    public void cold(long[] table) {}

    @Override
    public void part(List<Fact> part, long[] places, List<CheckpointReader.Large> larges) {
      part.forEach(facts::learn);
    }
  }

  /** A line for each part. */
  private final class Content implements CheckpointReader.Content {
    private final String name;

    Content(String name) {
      this.name = name;
    }

    @Override
    public void segments(long[] table) throws IOException {
      var segments = new SegmentTable(table);
      begin();
      out.writeArrayFieldStart("segments");
      for (var i = 0; i < segments.size(); i++) {
        out.writeStartObject();
        out.writeNumberField("number", segments.number(i));
        out.writeNumberField("firstIndex", segments.firstIndex(i));
        out.writeNumberField("firstBodyId", segments.firstBodyId(i));
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeEndObject();
    }

    @Override
    public void cold(long[] table) throws IOException {
      begin();
      out.writeArrayFieldStart("coldSegments");
      for (var named : CheckpointReader.Cold.in(table)) {
        out.writeStartObject();
        out.writeStringField("file", named.file());
        out.writeNumberField("slot", named.slot());
        out.writeNumberField("bytes", named.bytes());
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeEndObject();
    }

    private void begin() throws IOException {
      out.writeStartObject();
      out.writeStringField("file", name);
      out.writeNumberField("index", StoreFolder.checkpointIndex(name));
    }

    @Override
    public void part(List<Fact> part, long[] places, List<CheckpointReader.Large> larges)
        throws IOException {
      part.forEach(facts::learn);
      if (part.stream().anyMatch(Dump.this::isWanted)) {
        out.writeStartObject();
        facts(part);
        out.writeEndObject();
      }
    }
  }

  /** A line for each batch. */
  private final class Lines implements SegmentScan.Visitor {
    private final String name;
    private final SegmentScan scan;

    Lines(String name, SegmentScan scan) {
      this.name = name;
      this.scan = scan;
    }

    @Override
    public void batch(LoggedBatch batch) throws IOException {
      batch.facts().forEach(facts::learn);
      if (batch.index() < choice.from()
          || batch.index() > choice.to()
          || (choice.queue() != null && batch.facts().stream().noneMatch(Dump.this::isWanted))) {
        return;
      }
      begin(batch.offset());
      out.writeNumberField("index", batch.index());
      out.writeNumberField("predecessor", batch.predecessor());
      out.writeNumberField("term", batch.term());
      out.writeStringField("time", Instant.ofEpochMilli(batch.timeMillis()).toString());
      out.writeNumberField("durable", batch.durable());
      facts(batch.facts());
      bodies(batch);
      out.writeEndObject();
    }

    private void begin(long offset) throws IOException {
      out.writeStartObject();
      out.writeStringField("file", name);
      out.writeNumberField("offset", offset);
    }

    private void bodies(LoggedBatch batch) throws IOException {
      out.writeArrayFieldStart("bodies");
      var large = 0;
      for (var i = 0; i < batch.lengths().length; i++) {
        out.writeStartObject();
        var id = batch.firstBodyId() + i;
        out.writeNumberField("id", id);
        if (batch.lengths()[i] == LoggedBatch.LARGE) {
          var file = batch.larges().get(large++);
          out.writeNumberField("bytes", file.length());
          out.writeStringField("file", StoreFolder.largeBodyName(file.fileId()));
        } else {
          out.writeNumberField("bytes", batch.lengths()[i]);
          if (choice.bodies()) {
            body(id, batch.places()[i], batch.lengths()[i]);
          }
        }
        out.writeEndObject();
      }
      out.writeEndArray();
    }

    private void body(long id, long place, int length) throws IOException {
      var body = scan.body(id, place, length);
      if (body == null) {
        out.writeStringField("damage", "the body fails its checksum");
      } else {
        var bytes = new byte[length];
        body.get(bytes);
        out.writeBinaryField("base64", bytes);
      }
    }

    @Override
    public void watermark(long offset, long index) throws IOException {
      if (choice.queue() == null && index >= choice.from() && index <= choice.to()) {
        begin(offset);
        out.writeNumberField("watermark", index);
        out.writeEndObject();
      }
    }

    @Override
    public void damage(long offset, long bytes, String what) throws IOException {
      begin(offset);
      out.writeNumberField("bytes", bytes);
      out.writeStringField("damage", what);
      out.writeEndObject();
    }
  }

  @Override
  public void close() throws IOException {
    out.writeRaw('\n');
    out.close();
  }
}
