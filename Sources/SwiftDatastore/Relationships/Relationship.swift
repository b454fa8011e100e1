/// The namespace of the relationship wrappers: `ToOne`, `ToOne.Required`, `ToMany` and `ToMany.Ordered`.
///
/// The inverse is named on one side only, with `inverse:`; the other side is found by itself.
///
/// What they say of a property means the same in each of them:
///
/// - `inverse`: the relationship of the other class that leads back.
/// - `isSymmetric`: whether it is its own inverse, which `inverse` cannot say: when a leads to b, b leads to
///   a. It leads to objects of the class that declares it.
/// - `deleteRule`: what happens to the other side when this object is deleted.
/// - `minimumCount`: fewest objects a non-empty relationship may hold when saved; 0 means no limit.
/// - `maximumCount`: most objects it may hold when saved; 0 means no limit.
/// - `renamedFrom`: the name it had in an older version of the model.
/// - `named`: the name that it has in the file; its own unless it is said. The property can then be renamed
///   in Swift, and the file stays as it is.
/// - `hashModifier`: a text that makes the entity another version, where only the meaning of values has
///   changed.
public enum Relationship {}
