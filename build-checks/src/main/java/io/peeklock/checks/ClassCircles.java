package io.peeklock.checks;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The circles among classes: sets of which each class uses each other one, be it through others. A
 * nested class counts as its outermost one, and a sealed type and all that it permits as one, for
 * neither can be understood alone.
 */
final class ClassCircles {

  /** What each unit uses of the others. A unit has the name of one of its classes. */
  private final Map<String, Set<String>> uses = new TreeMap<>();

  private final Map<String, String> familyOf = new HashMap<>();

  // Of Tarjan's algorithm, which visits every unit once.
  private final Map<String, Integer> number = new HashMap<>();
  private final Map<String, Integer> reaches = new HashMap<>();
  private final Deque<String> path = new ArrayDeque<>();
  private final Set<String> onPath = new HashSet<>();
  private final List<Set<String>> circles = new ArrayList<>();

  private ClassCircles(Collection<JavaClass> classes) {
    for (var type : classes) {
      for (var permitted : type.getPermittedSubclasses().orElse(Set.of())) {
        join(outermost(type), outermost(permitted));
      }
    }
    for (var type : classes) {
      uses.put(unitOf(type), new TreeSet<>());
    }
    for (var type : classes) {
      for (var dependency : type.getDirectDependenciesFromSelf()) {
        note(dependency);
      }
    }
  }

  /** Those of two units or more, each as the names of its units, in order. */
  static List<Set<String>> among(Collection<JavaClass> classes) {
    var search = new ClassCircles(classes);
    search.uses.keySet().forEach(search::visit);
    return search.circles;
  }

  private void note(Dependency dependency) {
    var from = unitOf(dependency.getOriginClass());
    var to = unitOf(dependency.getTargetClass().getBaseComponentType());
    if (!from.equals(to) && uses.containsKey(to)) {
      uses.computeIfAbsent(from, unit -> new TreeSet<>()).add(to);
    }
  }

  private static String outermost(JavaClass type) {
    var name = type.getName();
    var nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }

  private void join(String one, String other) {
    var first = head(one);
    var second = head(other);
    if (!first.equals(second)) {
      familyOf.put(second, first);
    }
  }

  private String unitOf(JavaClass type) {
    return head(outermost(type));
  }

  private String head(String name) {
    var head = name;
    while (familyOf.containsKey(head)) {
      head = familyOf.get(head);
    }
    return head;
  }

  private void visit(String unit) {
    if (!number.containsKey(unit)) {
      number.put(unit, number.size());
      reaches.put(unit, number.get(unit));
      path.push(unit);
      onPath.add(unit);
      for (var used : uses.getOrDefault(unit, Set.of())) {
        visit(used);
        if (onPath.contains(used)) {
          reaches.merge(unit, reaches.get(used), Math::min);
        }
      }
      if (reaches.get(unit).equals(number.get(unit))) {
        close(unit);
      }
    }
  }

  /** Takes off the path what lies behind this unit, from which nothing before it is reached. */
  private void close(String unit) {
    var circle = new TreeSet<String>();
    String last;
    do {
      last = path.pop();
      onPath.remove(last);
      circle.add(last);
    } while (!last.equals(unit));
    if (circle.size() > 1) {
      circles.add(circle);
    }
  }
}
