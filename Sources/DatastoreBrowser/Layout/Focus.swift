/// The panel that receives the keys.
enum Focus: Int, Hashable, Sendable, CaseIterable {
  case entities
  case table
  case detail
}
