package io.peeklock.checks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeSet;

/** Every package says what lives in it, and is {@code @NullMarked}. */
final class PackageDocCheck implements Check {

  @Override
  public List<Violation> check(List<SourceFile> files) {
    var violations = new ArrayList<Violation>();
    var docs = new LinkedHashMap<String, SourceFile>();
    var folders = new TreeSet<String>();
    for (var file : files) {
      if (file.isJava() && file.name().equals("package-info.java")) {
        docs.put(withoutTree(file.folder()), file);
      } else if (file.isJava()) {
        folders.add(file.folder());
      }
    }
    for (var folder : folders) {
      if (!docs.containsKey(withoutTree(folder))) {
        violations.add(new Violation(folder, 0, "no package-info.java"));
      }
    }
    for (var doc : docs.values()) {
      if (!doc.text().contains("@NullMarked") || !doc.text().startsWith("/**")) {
        violations.add(new Violation(doc.path(), 0, "says nothing, or is not @NullMarked"));
      }
    }
    return violations;
  }

  /** A test of a package is documented by the package it tests. */
  private static String withoutTree(String folder) {
    return folder.replace("/src/test/java/", "/src/main/java/");
  }
}
