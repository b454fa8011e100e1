import DatastoreCore
import Foundation

/// A schema as JSON, for programs: `{"entities":[{"name":…,"attributes":[…],"relationships":[…]}]}`.
struct JSONSchemaText {
  let text: String

  init(_ outline: SchemaOutline) {
    let entities = outline.entities.map(Self.node)
    let output = ExportOutput()
    Node.object([
      ("version", outline.version.map(Node.text) ?? .null), ("entities", .list(entities)),
      ("changedByOtherTools", .list(outline.differences.map(Node.text))),
      ("leftOut", .list(outline.notes.map(Node.text))),
      ("modelRemarks", .list(outline.remarks.map(Node.text))),
      ("migrations", .list(outline.migrations.map(Self.node))),
      ("suggestedRelationships", .list(outline.suggestions.map(Self.node))),
    ]).write(to: output, depth: 0)
    output.append(UInt8(ascii: "\n"))
    text = String(decoding: output.contents, as: UTF8.self)
  }

  private static func node(_ migration: MigrationRecord) -> Node {
    .object([
      ("date", .text(migration.date)), ("program", .text(migration.program)),
      ("from", migration.fromVersion.map(Node.text) ?? .null),
      ("to", migration.toVersion.map(Node.text) ?? .null),
      ("seconds", .value(.real(migration.seconds))),
      (
        "rows",
        .object(
          migration.rows.sorted { $0.key < $1.key }.map {
            (name: $0.key, node: .value(.integer(Int64($0.value))))
          })
      ),
    ])
  }

  private static func node(_ entity: EntityOutline) -> Node {
    let description = entity.description
    var members: [(name: String, node: Node)] = [
      ("name", .text(entity.name)), ("kind", .text(entity.kind)),
      ("readOnly", .boolean(description.isReadOnly)),
      ("parent", description.parent.map(Node.text) ?? .null),
      ("abstract", .boolean(description.isAbstract)),
      ("renamedFrom", description.renamedFrom.map(Node.text) ?? .null),
      ("hashModifier", description.hashModifier.map(Node.text) ?? .null),
    ]
    members.append(("attributes", .list(entity.attributes.map(node))))
    members.append(("relationships", .list(entity.relationships.map(node))))
    members.append(
      ("uniqueness", .list(description.uniqueness.map { .list($0.map(Node.text)) })))
    members.append(("modelIndexes", .list(description.indexes.map(node))))
    members.append(("indexes", .list(entity.indexes.map(node))))
    return .object(members + (entity.details.map(Self.members) ?? []))
  }

  private static func node(_ index: IndexInformation) -> Node {
    .object([
      ("name", .text(index.name)),
      ("columns", .list(index.columns.map { $0.map(Node.text) ?? .null })),
      ("unique", .boolean(index.isUnique)), ("partial", .boolean(index.isPartial)),
    ])
  }

  /// The members for what a third-party file declares of a table.
  private static func members(
    _ details: TableDetails
  ) -> [(name: String, node: Node)] {
    [
      ("columns", .list(details.columns.map(node))),
      ("withoutRowid", .boolean(details.isWithoutRowid)),
      ("strict", .boolean(details.isStrict)),
      ("checks", .list(details.checks.map(Node.text))),
      (
        "triggers",
        .list(
          details.triggers.map { .object([("name", .text($0.name)), ("sql", .text($0.sql))]) })
      ),
      ("sql", details.sql.map(Node.text) ?? .null),
    ]
  }

  private static func node(_ suggestion: RelationshipSuggestion) -> Node {
    .object([
      ("table", .text(suggestion.table)), ("column", .text(suggestion.column)),
      ("referencedTable", .text(suggestion.reference.table)),
      ("referencedColumn", .text(suggestion.reference.column)),
      ("values", .value(.integer(Int64(suggestion.valueCount)))),
      ("found", .value(.integer(Int64(suggestion.foundCount)))),
      ("complete", .boolean(suggestion.isComplete)),
      ("decision", suggestion.decision.map { .text($0.rawValue) } ?? .null),
    ])
  }

  private static func node(_ column: TableDetails.Column) -> Node {
    .object([
      ("name", .text(column.name)), ("declaredType", .text(column.declaredType)),
      ("notNull", .boolean(column.isNotNull)),
      ("primaryKey", column.keyPosition.map { .value(.integer(Int64($0))) } ?? .null),
      ("default", column.defaultText.map(Node.text) ?? .null),
      ("generated", .boolean(column.isGenerated)),
      (
        "references",
        .list(
          column.references.map {
            .object([("target", .text($0.target)), ("onDelete", .text($0.onDelete))])
          })
      ),
    ])
  }

  private static func node(_ index: IndexDescription) -> Node {
    .list(
      index.columns.map {
        .object([("property", .text($0.property)), ("descending", .boolean($0.isDescending))])
      })
  }

  private static func names(
    _ renamedFrom: String?, _ storedName: String?, _ hashModifier: String?
  ) -> [(name: String, node: Node)] {
    [("renamedFrom", renamedFrom), ("storedName", storedName), ("hashModifier", hashModifier)]
      .map { ($0, $1.map(Node.text) ?? .null) }
  }

  private static func node(_ attribute: AttributeDescription) -> Node {
    .object(
      [
        ("name", .text(attribute.name)), ("type", .text(attribute.type.rawValue)),
        ("declaredType", attribute.declaredType.map(Node.text) ?? .null),
        ("dates", attribute.dates.map { .text($0.name) } ?? .null),
        ("optional", .boolean(attribute.isOptional)), ("unique", .boolean(attribute.isUnique)),
        ("indexed", .boolean(attribute.isIndexed)),
        ("searchable", .boolean(attribute.isSearchable)),
        ("readOnly", .boolean(attribute.isReadOnly)),
        ("default", .value(attribute.defaultValue)),
        (
          "cases",
          attribute.cases.map { cases in
            Node.list(
              cases.map { .object([("name", .text($0.name)), ("value", .value($0.value))]) })
          } ?? .null
        ), ("rules", .list(attribute.rules.map(node))),
        ("coder", attribute.coder.map(Node.text) ?? .null),
      ] + names(attribute.renamedFrom, attribute.storedName, attribute.hashModifier))
  }

  private static func node(_ rule: ValidationRule) -> Node {
    func count(_ number: Int?) -> Node { number.map { .value(.integer(Int64($0))) } ?? .null }
    return switch rule {
    case .range(let minimum, let maximum):
      .object([
        ("rule", .text("range")), ("minimum", minimum.map(Node.value) ?? .null),
        ("maximum", maximum.map(Node.value) ?? .null),
      ])
    case .length(let minimum, let maximum):
      .object([
        ("rule", .text("length")), ("minimum", count(minimum)), ("maximum", count(maximum)),
      ])
    case .matches(let pattern):
      .object([("rule", .text("matches")), ("pattern", .text(pattern))])
    case .email: .object([("rule", .text("email"))])
    }
  }

  private static func node(_ relationship: RelationshipDescription) -> Node {
    .object(
      [
        ("name", .text(relationship.name)), ("kind", .text(relationship.kind.rawValue)),
        ("destination", .text(relationship.destination)),
        ("inverse", relationship.inverse.map(Node.text) ?? .null),
        ("optional", .boolean(relationship.isOptional)),
        ("deleteRule", .text(relationship.deleteRule.rawValue)),
        ("minimumCount", .value(.integer(Int64(relationship.minimumCount)))),
        ("maximumCount", .value(.integer(Int64(relationship.maximumCount)))),
        ("readOnly", .boolean(relationship.isReadOnly)),
      ] + names(relationship.renamedFrom, relationship.storedName, relationship.hashModifier))
  }

  private indirect enum Node {
    case null
    case boolean(Bool)
    case text(String)
    case value(Value)
    case list([Node])
    case object([(name: String, node: Node)])

    func write(to output: ExportOutput, depth: Int) {
      switch self {
      case .null: output.append("null")
      case .boolean(let boolean): output.append(boolean ? "true" : "false")
      case .text(var text): text.withUTF8 { output.append(jsonText: $0) }
      case .value(let value): write(value, to: output)
      case .list(let nodes):
        Self.write(nodes.map { (nil, $0) }, "[", "]", to: output, depth)
      case .object(let members):
        Self.write(members.map { ($0.name, $0.node) }, "{", "}", to: output, depth)
      }
    }

    private func write(_ value: Value, to output: ExportOutput) {
      switch value {
      case .null: output.append("null")
      case .integer(let integer): output.append(integer: integer, as: .integer64)
      case .real(let real): output.append(real: real, as: .double)
      case .text(var text): text.withUTF8 { output.append(jsonText: $0) }
      case .blob(let data):
        output.append(UInt8(ascii: "\""))
        data.withUnsafeBytes { output.append(base64: $0.assumingMemoryBound(to: UInt8.self)) }
        output.append(UInt8(ascii: "\""))
      }
    }

    private static func write(
      _ members: [(name: String?, node: Node)], _ open: String, _ close: String,
      to output: ExportOutput, _ depth: Int
    ) {
      output.append(open)
      for (index, member) in members.enumerated() {
        output.append(index == 0 ? "\n" : ",\n")
        output.append(String(repeating: "  ", count: depth + 1))
        if var name = member.name {
          name.withUTF8 { output.append(jsonText: $0) }
          output.append(": ")
        }
        member.node.write(to: output, depth: depth + 1)
      }
      if !members.isEmpty { output.append("\n" + String(repeating: "  ", count: depth)) }
      output.append(close)
    }
  }
}
