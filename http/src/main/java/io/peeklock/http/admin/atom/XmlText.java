package io.peeklock.http.admin.atom;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * The characters of a document: UTF-8, or UTF-16 with a byte order mark. Its own word about its
 * encoding does not count, for clients that make documents from text say UTF-16 and send UTF-8.
 *
 * <p>The parser is not given the bytes, since it writes what is wrong with them to the standard
 * error of the process.
 */
final class XmlText {
  private static final int MARK_BYTES = 3;

  private XmlText() {}

  /** A reader that fails at the first byte that is none of the encoding's. */
  static Reader of(InputStream in) {
    var bytes = new PushbackInputStream(in, MARK_BYTES);
    try {
      var charset = charsetBehindMark(bytes);
      return new InputStreamReader(
          bytes,
          charset
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .onUnmappableCharacter(CodingErrorAction.REPORT));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static Charset charsetBehindMark(PushbackInputStream bytes) throws IOException {
    var begin = new byte[MARK_BYTES];
    var read = bytes.readNBytes(begin, 0, MARK_BYTES);
    var charset = StandardCharsets.UTF_8;
    var mark = 0;
    if (read >= 2 && begin[0] == (byte) 0xfe && begin[1] == (byte) 0xff) {
      charset = StandardCharsets.UTF_16BE;
      mark = 2;
    } else if (read >= 2 && begin[0] == (byte) 0xff && begin[1] == (byte) 0xfe) {
      charset = StandardCharsets.UTF_16LE;
      mark = 2;
    } else if (read == 3
        && begin[0] == (byte) 0xef
        && begin[1] == (byte) 0xbb
        && begin[2] == (byte) 0xbf) {
      mark = 3;
    }
    bytes.unread(begin, mark, read - mark);
    return charset;
  }
}
