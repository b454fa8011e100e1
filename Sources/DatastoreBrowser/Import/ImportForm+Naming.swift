import DatastoreCore
import Foundation
import TerminalUI

/// The name of a new table, typed in its line of the form.
extension ImportForm {
  /// Starts to edit the name of the new table.
  mutating func beginNaming() {
    guard case .newTable(let name) = target else { return }
    naming = TextField(text: name)
    namingFault = nil
  }

  /// Applies the typed name, or shows its fault.
  mutating func acceptName(in schema: Schema) {
    guard let naming else { return }
    let name = naming.text.trimmingCharacters(in: .whitespaces)
    namingFault = Self.fault(ofName: name, in: schema)
    guard namingFault == nil else { return }
    target = .newTable(name)
    self.naming = nil
  }

  /// Cancels the editing of the name.
  mutating func cancelNaming() {
    naming = nil
    namingFault = nil
  }

  mutating func press(_ key: Key, in state: inout BrowserState) {
    if naming?.handle(key) == true { namingFault = nil }
  }

  mutating func paste(_ text: String, in state: inout BrowserState) {
    guard naming != nil else { return }
    naming?.insert(text)
    namingFault = nil
  }

  /// Why a table cannot have a name, as a sentence; nil if it can.
  static func fault(ofName name: String, in schema: Schema) -> String? {
    if name.isEmpty { return "A table needs a name." }
    if name.lowercased().hasPrefix("sqlite_") {
      return "Names that begin with sqlite_ are SQLite's own."
    }
    let isTaken = schema.entities.contains { $0.name.lowercased() == name.lowercased() }
    return isTaken
      ? "There is a table “\(name)” already; pick it under “Into” to import into it." : nil
  }

  /// A free name for a new table: the wanted one, with a number if necessary.
  static func freeName(_ wanted: String, in schema: Schema) -> String {
    let taken = Set(schema.entities.map { $0.name.lowercased() })
    guard taken.contains(wanted.lowercased()) else { return wanted }
    return (2...).lazy.map { "\(wanted)_\($0)" }.first { !taken.contains($0.lowercased()) }
      ?? wanted
  }
}
