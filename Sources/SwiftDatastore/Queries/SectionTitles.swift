/// Names for the sections of a list, made from their values. Equal only to itself, because closures cannot be
/// compared.
final class SectionTitles: Sendable, EqualByIdentity {
  let title: @Sendable (String) -> String?

  init(_ title: @escaping @Sendable (String) -> String?) { self.title = title }
}
