import DatastoreCore
import DatastoreSQL

extension Affinity {
  /// What a column of this affinity makes of a value that is stored in it.
  func converted(_ value: Value) -> Value {
    switch (self, value) {
    case (.text, .integer(let integer)): .text(String(integer))
    case (.integer, .text(let text)), (.numeric, .text(let text)):
      Int64(text).map { .integer($0) } ?? Double(text).map { .real($0) } ?? value
    case (.integer, .real(let real)), (.numeric, .real(let real)):
      Int64(exactly: real).map { .integer($0) } ?? value
    case (.real, .integer(let integer)): .real(Double(integer))
    default: value
    }
  }
}
