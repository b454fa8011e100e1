/// The namespace of the relationship wrappers: `ToOne`, `ToMany` and `ToMany.Ordered`.
///
/// The inverse is named on one side only, with `inverse:`; the other side is found by itself.
public enum Relationship {}
