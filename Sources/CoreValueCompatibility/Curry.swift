// swift-format-ignore-file
// Kept by hand: formatted, the types of the results take a line for each argument.

/// A function of one argument; what it returns may be one of the next, and so on.
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

/// A function that takes its arguments one after the other, up to twenty: what makes a struct, as the
/// operators want it.
///
/// ```swift
/// try curry(self.init) <^> object <| "name" <^> object <| "age"
/// ```
///
/// - Parameter make: the function.
public func curry<A, Made>(_ make: @escaping (A) -> Made) -> Curried<A, Made> {
  Curried(function: make)
}

/// The same for 2 arguments.
///
/// - Parameter make: the function.
public func curry<A, B, Made>(
  _ make: @escaping (A, B) -> Made
) -> Curried<A, Curried<B, Made>> {
  Curried { a in curry { b in make(a, b) } }
}

/// The same for 3 arguments.
///
/// - Parameter make: the function.
public func curry<A, B, C, Made>(
  _ make: @escaping (A, B, C) -> Made
) -> Curried<A, Curried<B, Curried<C, Made>>> {
  Curried { a in curry { b, c in make(a, b, c) } }
}

/// The same for 4 arguments.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, Made>(
  _ make: @escaping (A, B, C, D) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Made>>>> {
  Curried { a in curry { b, c, d in make(a, b, c, d) } }
}

/// The same for 5 arguments.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, Made>(
  _ make: @escaping (A, B, C, D, E) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Made>>>>> {
  Curried { a in curry { b, c, d, e in make(a, b, c, d, e) } }
}

/// The same for 6 arguments.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, F, Made>(
  _ make: @escaping (A, B, C, D, E, F) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Curried<F, Made>>>>>> {
  Curried { a in curry { b, c, d, e, f in make(a, b, c, d, e, f) } }
}

/// The same for 7 arguments.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, F, G, Made>(
  _ make: @escaping (A, B, C, D, E, F, G) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Curried<F, Curried<G, Made>>>>>>> {
  Curried { a in curry { b, c, d, e, f, g in make(a, b, c, d, e, f, g) } }
}

/// The same for 8 arguments.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, F, G, H, Made>(
  _ make: @escaping (A, B, C, D, E, F, G, H) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Curried<F, Curried<G, Curried<H, Made>>>>>>>> {
  Curried { a in curry { b, c, d, e, f, g, h in make(a, b, c, d, e, f, g, h) } }
}

/// The same for 9 arguments.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, F, G, H, I, Made>(
  _ make: @escaping (A, B, C, D, E, F, G, H, I) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Curried<F, Curried<G, Curried<H, Curried<I, Made>>>>>>>>> {
  Curried { a in curry { b, c, d, e, f, g, h, i in make(a, b, c, d, e, f, g, h, i) } }
}

/// The same for 10 arguments.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, F, G, H, I, J, Made>(
  _ make: @escaping (A, B, C, D, E, F, G, H, I, J) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Curried<F, Curried<G, Curried<H, Curried<I, Curried<J, Made>>>>>>>>>> {
  Curried { a in curry { b, c, d, e, f, g, h, i, j in make(a, b, c, d, e, f, g, h, i, j) } }
}

/// The same for 11 arguments.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, F, G, H, I, J, K, Made>(
  _ make: @escaping (A, B, C, D, E, F, G, H, I, J, K) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Curried<F, Curried<G, Curried<H, Curried<I, Curried<J, Curried<K, Made>>>>>>>>>>> {
  Curried { a in curry { b, c, d, e, f, g, h, i, j, k in make(a, b, c, d, e, f, g, h, i, j, k) } }
}

/// The same for 12 arguments.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, F, G, H, I, J, K, L, Made>(
  _ make: @escaping (A, B, C, D, E, F, G, H, I, J, K, L) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Curried<F, Curried<G, Curried<H, Curried<I, Curried<J, Curried<K, Curried<L, Made>>>>>>>>>>>> {
  Curried { a in curry { b, c, d, e, f, g, h, i, j, k, l in make(a, b, c, d, e, f, g, h, i, j, k, l) } }
}

/// The same for 13 arguments.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, F, G, H, I, J, K, L, M, Made>(
  _ make: @escaping (A, B, C, D, E, F, G, H, I, J, K, L, M) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Curried<F, Curried<G, Curried<H, Curried<I, Curried<J, Curried<K, Curried<L, Curried<M, Made>>>>>>>>>>>>> {
  Curried { a in curry { b, c, d, e, f, g, h, i, j, k, l, m in make(a, b, c, d, e, f, g, h, i, j, k, l, m) } }
}

/// The same for 14 arguments.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, F, G, H, I, J, K, L, M, N, Made>(
  _ make: @escaping (A, B, C, D, E, F, G, H, I, J, K, L, M, N) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Curried<F, Curried<G, Curried<H, Curried<I, Curried<J, Curried<K, Curried<L, Curried<M, Curried<N, Made>>>>>>>>>>>>>> {
  Curried { a in curry { b, c, d, e, f, g, h, i, j, k, l, m, n in make(a, b, c, d, e, f, g, h, i, j, k, l, m, n) } }
}

/// The same for 15 arguments.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, Made>(
  _ make: @escaping (A, B, C, D, E, F, G, H, I, J, K, L, M, N, O) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Curried<F, Curried<G, Curried<H, Curried<I, Curried<J, Curried<K, Curried<L, Curried<M, Curried<N, Curried<O, Made>>>>>>>>>>>>>>> {
  Curried { a in curry { b, c, d, e, f, g, h, i, j, k, l, m, n, o in make(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o) } }
}

/// The same for 16 arguments.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Made>(
  _ make: @escaping (A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Curried<F, Curried<G, Curried<H, Curried<I, Curried<J, Curried<K, Curried<L, Curried<M, Curried<N, Curried<O, Curried<P, Made>>>>>>>>>>>>>>>> {
  Curried { a in curry { b, c, d, e, f, g, h, i, j, k, l, m, n, o, p in make(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) } }
}

/// The same for 17 arguments.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, Made>(
  _ make: @escaping (A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Curried<F, Curried<G, Curried<H, Curried<I, Curried<J, Curried<K, Curried<L, Curried<M, Curried<N, Curried<O, Curried<P, Curried<Q, Made>>>>>>>>>>>>>>>>> {
  Curried { a in curry { b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q in make(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q) } }
}

/// The same for 18 arguments.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, Made>(
  _ make: @escaping (A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Curried<F, Curried<G, Curried<H, Curried<I, Curried<J, Curried<K, Curried<L, Curried<M, Curried<N, Curried<O, Curried<P, Curried<Q, Curried<R, Made>>>>>>>>>>>>>>>>>> {
  Curried { a in curry { b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r in make(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r) } }
}

/// The same for 19 arguments.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, Made>(
  _ make: @escaping (A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Curried<F, Curried<G, Curried<H, Curried<I, Curried<J, Curried<K, Curried<L, Curried<M, Curried<N, Curried<O, Curried<P, Curried<Q, Curried<R, Curried<S, Made>>>>>>>>>>>>>>>>>>> {
  Curried { a in curry { b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s in make(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s) } }
}

/// The same for 20 arguments.
///
/// - Parameter make: the function.
public func curry<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, Made>(
  _ make: @escaping (A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T) -> Made
) -> Curried<A, Curried<B, Curried<C, Curried<D, Curried<E, Curried<F, Curried<G, Curried<H, Curried<I, Curried<J, Curried<K, Curried<L, Curried<M, Curried<N, Curried<O, Curried<P, Curried<Q, Curried<R, Curried<S, Curried<T, Made>>>>>>>>>>>>>>>>>>>> {
  Curried { a in curry { b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t in make(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t) } }
}

