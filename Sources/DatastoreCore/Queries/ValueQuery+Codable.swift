/// Encodes the names in a grouping's schema; the rest of the schema follows from the columns.
extension ValueQuery.Grouping: Codable {
  private enum CodingKeys: String, CodingKey {
    case keys, columns, groups, condition, window
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      keys: try container.decode([QueryColumn].self, forKey: .keys),
      columns: try container.decode([QueryColumn].self, forKey: .columns),
      schema: try Schema(container.decode([EntityDescription].self, forKey: .groups)),
      condition: try container.decodeIfPresent(Predicate.self, forKey: .condition),
      window: try container.decodeIfPresent(ValueQuery.Window.self, forKey: .window))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(keys, forKey: .keys)
    try container.encode(columns, forKey: .columns)
    try container.encode(schema.entities.map(\.description), forKey: .groups)
    try container.encodeIfPresent(condition, forKey: .condition)
    try container.encodeIfPresent(window, forKey: .window)
  }
}
