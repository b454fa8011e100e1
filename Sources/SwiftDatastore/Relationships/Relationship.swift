/// The namespace of the relationship wrappers: `ToOne`, `ToOne.Required`, `ToMany` and `ToMany.Ordered`.
///
/// Name the inverse on one side only, with `inverse:`; the library finds the other side.
///
/// The parameters mean the same in each wrapper:
///
/// - `inverse`: the relationship of the other class that leads back.
/// - `isSymmetric`: whether the relationship is its own inverse, which `inverse` cannot express: if a leads
///   to b, b leads to a. Its destination is the class that declares it.
/// - `deleteRule`: what happens to the other side when this object is deleted.
/// - `minimumCount`: the least number of objects in a non-empty relationship when saved; 0 means no limit.
/// - `maximumCount`: the greatest number of objects when saved; 0 means no limit.
/// - `renamedFrom`: the name of the relationship in an older version of the model.
/// - `named`: the name in the file; by default that of the property. With it, you can rename the property in
///   Swift and leave the file unchanged.
/// - `hashModifier`: a text that is part of the entity's version: change it when only the meaning of values
///   has changed.
public enum Relationship {}
