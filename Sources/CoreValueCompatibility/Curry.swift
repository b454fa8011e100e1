// swift-format-ignore-file
// Formatted manually: with the formatter, the types of the results take a line for each argument.

/// A function of one argument, whose result may again be a function of the next argument.
///
/// A type of its own, since the compiler takes twice the time for each further function that a function
/// returns.
public struct Curried<Argument, Result> {
  let function: (Argument) -> Result

  /// The result for an argument.
  ///
  /// - Parameter argument: the argument.
  public func callAsFunction(_ argument: Argument) -> Result { function(argument) }
}

/// A function that takes its arguments one after the other, up to twenty: the initialiser of a struct in the
/// form that the operators need.
///
/// ```swift
/// try curry(self.init) <^> object <| "name" <^> object <| "age"
/// ```
///
/// - Parameter make: the function.
public func curry<A, Made>(_ make: @escaping (A) -> Made) -> Curried<A, Made> {
  Curried(function: make)
}

/// A function of 2 arguments that takes them one after the other.
///
/// - Parameter make: the function.
public func curry<A, B, Made>(
  _ make: @escaping (A, B) -> Made
) -> Curried<A, Curried<B, Made>> {
  Curried { a in curry { b in make(a, b) } }
}

/// A function of 3 arguments that takes them one after the other.
///
/// - Parameter make: the function.
public func curry<A, B, C, Made>(
  _ make: @escaping (A, B, C) -> Made
) -> Curried<A, Curried<B, Curried<C, Made>>> {
  Curried { a in curry { b, c in make(a, b, c) } }
}

/// A function of 4 arguments that takes them one after the other.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, Made>(
  _ make: @escaping (A, B, C, D) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Made>>>> {
  Curried { a in curry { b, c, d in make(a, b, c, d) } }
}

/// A function of 5 arguments that takes them one after the other.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, Made>(
  _ make: @escaping (A, B, C, D, E) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Made>>>>> {
  Curried { a in curry { b, c, d, e in make(a, b, c, d, e) } }
}

/// A function of 6 arguments that takes them one after the other.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, F, Made>(
  _ make: @escaping (A, B, C, D, E, F) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Curried<F, Made>>>>>> {
  Curried { a in curry { b, c, d, e, f in make(a, b, c, d, e, f) } }
}

/// A function of 7 arguments that takes them one after the other.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, F, G, Made>(
  _ make: @escaping (A, B, C, D, E, F, G) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Curried<F, Curried<G, Made>>>>>>> {
  Curried { a in curry { b, c, d, e, f, g in make(a, b, c, d, e, f, g) } }
}

/// A function of 8 arguments that takes them one after the other.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, F, G, H, Made>(
  _ make: @escaping (A, B, C, D, E, F, G, H) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Curried<F, Curried<G, Curried<H, Made>>>>>>>> {
  Curried { a in curry { b, c, d, e, f, g, h in make(a, b, c, d, e, f, g, h) } }
}

/// A function of 9 arguments that takes them one after the other.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, F, G, H, I, Made>(
  _ make: @escaping (A, B, C, D, E, F, G, H, I) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Curried<F, Curried<G, Curried<H, Curried<I, Made>>>>>>>>> {
  Curried { a in curry { b, c, d, e, f, g, h, i in make(a, b, c, d, e, f, g, h, i) } }
}

/// A function of 10 arguments that takes them one after the other.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, F, G, H, I, J, Made>(
  _ make: @escaping (A, B, C, D, E, F, G, H, I, J) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Curried<F, Curried<G, Curried<H, Curried<I, Curried<J, Made>>>>>>>>>> {
  Curried { a in curry { b, c, d, e, f, g, h, i, j in make(a, b, c, d, e, f, g, h, i, j) } }
}

/// A function of 11 arguments that takes them one after the other.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, F, G, H, I, J, K, Made>(
  _ make: @escaping (A, B, C, D, E, F, G, H, I, J, K) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Curried<F, Curried<G, Curried<H, Curried<I, Curried<J, Curried<K, Made>>>>>>>>>>> {
  Curried { a in curry { b, c, d, e, f, g, h, i, j, k in make(a, b, c, d, e, f, g, h, i, j, k) } }
}

/// A function of 12 arguments that takes them one after the other.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, F, G, H, I, J, K, L, Made>(
  _ make: @escaping (A, B, C, D, E, F, G, H, I, J, K, L) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Curried<F, Curried<G, Curried<H, Curried<I, Curried<J, Curried<K, Curried<L, Made>>>>>>>>>>>> {
  Curried { a in curry { b, c, d, e, f, g, h, i, j, k, l in make(a, b, c, d, e, f, g, h, i, j, k, l) } }
}

/// A function of 13 arguments that takes them one after the other.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, F, G, H, I, J, K, L, M, Made>(
  _ make: @escaping (A, B, C, D, E, F, G, H, I, J, K, L, M) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Curried<F, Curried<G, Curried<H, Curried<I, Curried<J, Curried<K, Curried<L, Curried<M, Made>>>>>>>>>>>>> {
  Curried { a in curry { b, c, d, e, f, g, h, i, j, k, l, m in make(a, b, c, d, e, f, g, h, i, j, k, l, m) } }
}

/// A function of 14 arguments that takes them one after the other.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, F, G, H, I, J, K, L, M, N, Made>(
  _ make: @escaping (A, B, C, D, E, F, G, H, I, J, K, L, M, N) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Curried<F, Curried<G, Curried<H, Curried<I, Curried<J, Curried<K, Curried<L, Curried<M, Curried<N, Made>>>>>>>>>>>>>> {
  Curried { a in curry { b, c, d, e, f, g, h, i, j, k, l, m, n in make(a, b, c, d, e, f, g, h, i, j, k, l, m, n) } }
}

/// A function of 15 arguments that takes them one after the other.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, Made>(
  _ make: @escaping (A, B, C, D, E, F, G, H, I, J, K, L, M, N, O) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Curried<F, Curried<G, Curried<H, Curried<I, Curried<J, Curried<K, Curried<L, Curried<M, Curried<N, Curried<O, Made>>>>>>>>>>>>>>> {
  Curried { a in curry { b, c, d, e, f, g, h, i, j, k, l, m, n, o in make(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o) } }
}

/// A function of 16 arguments that takes them one after the other.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Made>(
  _ make: @escaping (A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Curried<F, Curried<G, Curried<H, Curried<I, Curried<J, Curried<K, Curried<L, Curried<M, Curried<N, Curried<O, Curried<P, Made>>>>>>>>>>>>>>>> {
  Curried { a in curry { b, c, d, e, f, g, h, i, j, k, l, m, n, o, p in make(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) } }
}

/// A function of 17 arguments that takes them one after the other.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, Made>(
  _ make: @escaping (A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Curried<F, Curried<G, Curried<H, Curried<I, Curried<J, Curried<K, Curried<L, Curried<M, Curried<N, Curried<O, Curried<P, Curried<Q, Made>>>>>>>>>>>>>>>>> {
  Curried { a in curry { b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q in make(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q) } }
}

/// A function of 18 arguments that takes them one after the other.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, Made>(
  _ make: @escaping (A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Curried<F, Curried<G, Curried<H, Curried<I, Curried<J, Curried<K, Curried<L, Curried<M, Curried<N, Curried<O, Curried<P, Curried<Q, Curried<R, Made>>>>>>>>>>>>>>>>>> {
  Curried { a in curry { b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r in make(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r) } }
}

/// A function of 19 arguments that takes them one after the other.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, Made>(
  _ make: @escaping (A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Curried<F, Curried<G, Curried<H, Curried<I, Curried<J, Curried<K, Curried<L, Curried<M, Curried<N, Curried<O, Curried<P, Curried<Q, Curried<R, Curried<S, Made>>>>>>>>>>>>>>>>>>> {
  Curried { a in curry { b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s in make(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s) } }
}

/// A function of 20 arguments that takes them one after the other.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, Made>(
  _ make: @escaping (A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Curried<F, Curried<G, Curried<H, Curried<I, Curried<J, Curried<K, Curried<L, Curried<M, Curried<N, Curried<O, Curried<P, Curried<Q, Curried<R, Curried<S, Curried<T, Made>>>>>>>>>>>>>>>>>>>> {
  Curried { a in curry { b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t in make(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t) } }
}

