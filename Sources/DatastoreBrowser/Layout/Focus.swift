/// The panel that keys go to.
enum Focus: Int, Hashable, Sendable, CaseIterable {
  case entities
  case table
  case detail
}
