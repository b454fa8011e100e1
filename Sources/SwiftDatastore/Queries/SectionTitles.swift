/// How the sections of a list are called, where that is not the value that makes them. Equal only to itself,
/// as closures cannot be compared.
final class SectionTitles: Sendable, EqualByIdentity {
  let title: @Sendable (String) -> String?

  init(_ title: @escaping @Sendable (String) -> String?) { self.title = title }
}
