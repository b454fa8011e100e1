import DatastoreCore
import DatastoreImport
import Gates
import SwiftDatastore

/// The files that the rows of a copy were read from.
struct RowOrigins: Hashable, Sendable {
  /// The sources by table name.
  private var sources: [String: LoadSource] = [:]
  /// The files that saving writes, by table name.
  private var files: [String: SourceFile] = [:]

  init(_ sources: [LoadSource], _ files: [String: SourceFile]) {
    for source in sources {
      if case .entity(let content) = source.content { self.sources[content.entity] = source }
    }
    self.files = files
  }

  /// Reads the cells of a table as its file spells them.
  ///
  /// - Parameters:
  ///   - columns: the columns of the table, by their names in the store; nil for anything else.
  ///   - table: the name of the table.
  /// - Returns: nil if no file fills the table, or if another program has changed the file.
  /// - Throws: `ImportError`, `StoreError`.
  func texts(
    of columns: [String?], in table: String, of store: any StoreEngine
  ) throws -> SourceTexts? {
    guard !sources.isEmpty, let url = store.url else { return nil }
    // Annotations, such as that a column refers to another table, are not part of the file itself.
    let plain = try SwiftDatastore.store(opening: url, readOnly: true)
    defer { try? plain.close() }
    let entity = plain.schema.entities.first { plain.information(about: $0).table == table }
    guard let entity, var source = sources[entity.name] else { return nil }
    var memory = RewriteMemory()
    if let file = files[entity.name] {
      guard let unchanged = file.unchanged else { return nil }
      (source, memory) = unchanged
    }
    var slots: [String: Slot] = [:]
    for slot in entity.slots where entity.properties[slot].attribute != nil {
      if let column = plain.storedColumns(of: slot, in: entity).first { slots[column.name] = slot }
    }
    return try SourceTexts(
      of: source, as: entity, columns: columns.map { $0.flatMap { slots[$0] } }, memory: memory,
      areEdited: true)
  }
}

extension BrowserState {
  /// The files of the shown copy's rows.
  var rowOrigins: RowOrigins { RowOrigins(sourceFiles.read, sourceFiles.files) }
}
