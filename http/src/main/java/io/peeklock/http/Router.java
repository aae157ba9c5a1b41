package io.peeklock.http;

import java.util.List;
import java.util.Optional;

/** The routes in their order. */
public final class Router {
  private final List<Route> routes;

  /** The first route that matches a request is taken. */
  public Router(List<Route> routes) {
    this.routes = List.copyOf(routes);
  }

  Optional<Route> find(RequestHead head) {
    return routes.stream().filter(route -> route.where().test(head)).findFirst();
  }
}
