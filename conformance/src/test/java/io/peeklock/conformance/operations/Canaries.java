package io.peeklock.conformance.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.SharedAccess;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Secrets that are given to a broker, to be looked for where they must not be. */
final class Canaries {
  private static final Pattern SIGNATURE = Pattern.compile("sig=([^&]*)");

  private final List<String> all = new ArrayList<>();

  /** A secret. */
  String secret(String text) {
    all.add(text);
    return text;
  }

  /** A token, the signature of which opens what its key opens. */
  String token(String resource, String policy, String key) {
    var token = SharedAccess.token(resource, policy, key);
    var signature = SIGNATURE.matcher(token);
    assertThat(signature.find()).isTrue();
    all.add(signature.group(1));
    all.add(URLDecoder.decode(signature.group(1), StandardCharsets.UTF_8));
    return token;
  }

  /** Those that are in a text. */
  List<String> in(String text) {
    return all.stream().filter(text::contains).distinct().toList();
  }

  /** Those that are in a file, which is looked at byte by byte. */
  List<String> in(Path file) throws IOException {
    return in(Files.readString(file, StandardCharsets.ISO_8859_1));
  }
}
