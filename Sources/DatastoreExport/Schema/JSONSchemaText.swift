import DatastoreCore
import Foundation

/// A schema as JSON, for programs: `{"entities":[{"name":…,"attributes":[…],"relationships":[…]}]}`.
struct JSONSchemaText {
  let text: String

  init(_ outline: SchemaOutline) {
    let entities = outline.entities.map { entity -> Node in
      .object(
        [
          ("name", .text(entity.name)), ("kind", .text(entity.kind)),
          ("readOnly", .boolean(entity.description.isReadOnly)),
          ("parent", entity.description.parent.map(Node.text) ?? .null),
          ("abstract", .boolean(entity.description.isAbstract)),
          ("attributes", .list(entity.attributes.map(Self.node))),
          ("relationships", .list(entity.relationships.map(Self.node))),
          (
            "uniqueness",
            .list(entity.description.uniqueness.map { .list($0.map(Node.text)) })
          ),
          (
            "indexes",
            .list(
              entity.indexes.map { index in
                .object([
                  ("name", .text(index.name)),
                  ("columns", .list(index.columns.map { $0.map(Node.text) ?? .null })),
                  ("unique", .boolean(index.isUnique)), ("partial", .boolean(index.isPartial)),
                ])
              })
          ),
        ] + (entity.details.map(Self.members) ?? []))
    }
    let output = ExportOutput()
    Node.object([
      ("entities", .list(entities)),
      ("changedByOtherTools", .list(outline.differences.map(Node.text))),
      ("suggestedRelationships", .list(outline.suggestions.map(Self.node))),
    ]).write(to: output, depth: 0)
    output.append(UInt8(ascii: "\n"))
    text = String(decoding: output.contents, as: UTF8.self)
  }

  /// What a third-party file says of a table.
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

  private static func node(_ attribute: AttributeDescription) -> Node {
    .object([
      ("name", .text(attribute.name)), ("type", .text(attribute.type.rawValue)),
      ("declaredType", attribute.declaredType.map(Node.text) ?? .null),
      ("dates", attribute.dates.map { .text($0.name) } ?? .null),
      ("optional", .boolean(attribute.isOptional)), ("unique", .boolean(attribute.isUnique)),
      ("indexed", .boolean(attribute.isIndexed)), ("readOnly", .boolean(attribute.isReadOnly)),
      ("default", .value(attribute.defaultValue)),
      (
        "cases",
        attribute.cases.map { cases in
          Node.list(cases.map { .object([("name", .text($0.name)), ("value", .value($0.value))]) })
        } ?? .null
      ),
    ])
  }

  private static func node(_ relationship: RelationshipDescription) -> Node {
    .object([
      ("name", .text(relationship.name)), ("kind", .text(relationship.kind.rawValue)),
      ("destination", .text(relationship.destination)),
      ("inverse", relationship.inverse.map(Node.text) ?? .null),
      ("deleteRule", .text(relationship.deleteRule.rawValue)),
      ("minimumCount", .value(.integer(Int64(relationship.minimumCount)))),
      ("maximumCount", .value(.integer(Int64(relationship.maximumCount)))),
      ("readOnly", .boolean(relationship.isReadOnly)),
    ])
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
