import Basics
import DatastoreCore

/// One record of a file that links objects.
private struct PreparedLink {
  let from: Value
  let fromPosition: SourcePosition
  let to: Value
  let toPosition: SourcePosition
}

extension LoadSession {
  /// Loads a file whose records are pairs of existing objects.
  func load(_ source: LoadSource, _ links: ImportManifest.LinkContent, _ entity: Entity) throws {
    guard let slot = entity.slot(named: links.relationship), let link = entity.links[slot] else {
      throw LoadError.unfit(
        nil,
        reason: "\(source.name) is to fill the relationship “\(links.relationship.shownInMessage)” "
          + "of \(entity.name), which has none of that name")
    }
    let destination = graph.schema.entities[link.destination]
    guard destination.name == links.destination else {
      throw LoadError.unfit(
        nil,
        reason: "\(source.name) links \(entity.name) with \(links.destination), but "
          + "“\(links.relationship)” leads to \(destination.name)")
    }
    let fromPlace = keys.place(of: entity, referredBy: links.fromReferred)
    let toPlace = keys.place(of: destination, referredBy: links.toReferred)
    try read(
      source,
      prepare: { record in
        let (from, to) = (record.column(links.from), record.column(links.to))
        return PreparedLink(
          from: try linkKey(record, from, fromPlace), fromPosition: record.position(of: from),
          to: try linkKey(record, to, toPlace), toPosition: record.position(of: to))
      },
      apply: { rows in
        try lookUp(rows.map { KeyValues($0.from) }, at: fromPlace)
        try lookUp(rows.map { KeyValues($0.to) }, at: toPlace)
        for row in rows {
          do {
            let object = try linked(row.from, fromPlace, row.fromPosition)
            let other = try linked(row.to, toPlace, row.toPosition)
            if link.kind.isToMany {
              object.addRelated(other, at: slot)
            } else {
              object.setRelated(other, at: slot)
            }
            report.linked += 1
          } catch let fault as LoadFault {
            try skipRow(fault)
          }
        }
      })
  }

  private func linkKey(
    _ record: ImportRecord, _ column: String, _ place: LoadKey
  ) throws -> Value {
    guard let value = record[column], value != .null else {
      throw LoadFault(record.position(of: column), "“\(column.shownInMessage)” has no value")
    }
    do {
      return try value.key(of: keys.types(of: place)[0], reading)
    } catch {
      throw LoadFault(
        record.position(of: column), "\(column.shownInMessage): \(error.reason)")
    }
  }

  private func linked(
    _ value: Value, _ place: LoadKey, _ position: SourcePosition
  ) throws -> ManagedObject {
    guard let entry = indexes[place]?[KeyValues(value)] else {
      throw LoadFault(position, danglingReason(KeyValues(value), at: place))
    }
    return graph.object(entity: place.entity, key: entry.key)
  }
}

extension ImportRecord {
  /// The name of a field as the record writes it: case is ignored for ASCII letters if it has none of the
  /// name itself.
  fileprivate func column(_ name: String) -> String {
    if self[name] != nil { return name }
    return fields.first { $0.name.caselessKey == name.caselessKey }?.name ?? name
  }
}
