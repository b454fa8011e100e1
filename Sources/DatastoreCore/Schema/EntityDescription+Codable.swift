/// Inheritance and further options are encoded only if present, and default to none when decoding: files keep
/// the description that they were made with.
extension EntityDescription {
  private enum CodingKeys: String, CodingKey {
    case name, properties, uniqueness, parent, isAbstract, renamedFrom, isReadOnly, aliases, indexes
    case hashModifier
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      name: try container.decode(String.self, forKey: .name),
      properties: try container.decode([PropertyDescription].self, forKey: .properties),
      uniqueness: try container.decode([[String]].self, forKey: .uniqueness),
      parent: try container.decodeIfPresent(String.self, forKey: .parent),
      isAbstract: try container.decodeIfPresent(Bool.self, forKey: .isAbstract) ?? false,
      renamedFrom: try container.decodeIfPresent(String.self, forKey: .renamedFrom),
      isReadOnly: try container.decode(Bool.self, forKey: .isReadOnly),
      aliases: try container.decode([String: [String]].self, forKey: .aliases),
      indexes: try container.decodeIfPresent([IndexDescription].self, forKey: .indexes) ?? [],
      hashModifier: try container.decodeIfPresent(String.self, forKey: .hashModifier))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(properties, forKey: .properties)
    try container.encode(uniqueness, forKey: .uniqueness)
    try container.encodeIfPresent(parent, forKey: .parent)
    if isAbstract { try container.encode(true, forKey: .isAbstract) }
    try container.encodeIfPresent(renamedFrom, forKey: .renamedFrom)
    try container.encode(isReadOnly, forKey: .isReadOnly)
    try container.encode(aliases, forKey: .aliases)
    if !indexes.isEmpty { try container.encode(indexes, forKey: .indexes) }
    try container.encodeIfPresent(hashModifier, forKey: .hashModifier)
  }
}
