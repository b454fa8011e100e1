/// The namespace of the attribute wrappers: `NotOptional`, `Optional`, `Enum`, `Coded` and `Virtual`.
///
/// The wrapper of a stored attribute holds nothing but a number, its *slot*. It reaches the object it
/// is in through the static `_enclosingInstance` subscript, and the value through the object's
/// packed row, so reading a property is an array access.
public enum Attribute {}
