import DatastoreCore

/// The command of a shell that writes what the table shows.
enum QueryCommandText {
  /// `datastore query FILE ENTITY …`, with everything quoted as a shell reads it.
  ///
  /// Sections become the first key of the order; where all are folded, the groups with their numbers of rows.
  static func command(for table: TableState, of file: String, in schema: Schema) -> String {
    let entity = schema.entities[table.query.entity]
    var words = ["datastore", "query", file, entity.name]
    let conditions = [table.query.scope, table.query.filter].compactMap { $0 }
    if let condition = conditions.count > 1 ? .and(conditions) : conditions.first {
      words += ["--where", condition.formatted(entity: entity, in: schema)]
    }
    let group = table.query.groupBy.map { Predicate.Operand.keyPath($0).description }
    if let group, table.isGrouped, table.areAllSectionsFolded {
      words += ["--group-by", group, "--columns", "\(group), count", "--order-by", group]
      return words.map(quoted).joined(separator: " ")
    }
    let columns = table.arrangement.shown.map { Self.column(table.columns[$0]) }
    words += ["--columns", columns.joined(separator: ", ")]
    var order = table.query.order.map(\.description)
    if let path = table.query.groupBy, let group {
      let leads = table.query.order.firstIndex { $0.leadsSections(by: path) }
      if leads != 0 { order.insert(group, at: 0) }
    }
    if !order.isEmpty { words += ["--order-by", order.joined(separator: ", ")] }
    return words.map(quoted).joined(separator: " ")
  }

  /// What a column shows: related objects by their names.
  private static func column(_ column: TableColumn) -> String {
    column.isToMany
      ? Predicate.Operand.count([column.name]).description
      : Predicate.Operand.keyPath(column.shownPath).description
  }

  /// A word of a shell.
  static func quoted(_ word: String) -> String {
    let plain = word.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: "_-./:,@+".utf8.contains(byte)
      }
    }
    return plain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}

extension TableState {
  /// Whether only the headers of sections are shown.
  var areAllSectionsFolded: Bool {
    !list.sections.isEmpty && lines.count == list.sections.count
  }
}

extension BrowserState {
  /// Copies the command that writes what the table shows.
  mutating func copyCommand() -> [Effect] {
    guard let table else { return [] }
    let text = QueryCommandText.command(
      for: table, of: storePath ?? storeName, in: schema)
    message = Message(text: "Copied: \(text)", severity: .success)
    return [.putOnClipboard(text)]
  }
}
