import DatastoreCore

/// The user's settings for the columns of one entity's table. They refer to columns by name, so that they
/// survive a change of the file.
struct ColumnSettings: Hashable, Sendable, Codable {
  /// All columns from left to right; empty for the default order.
  var order: [String] = []
  /// The columns that the user has shown or hidden.
  var shown: [String: Bool] = [:]
  /// The widths that the user has set, in cells.
  var widths: [String: Int] = [:]
  /// The last of the frozen columns, which stay while the others scroll sideways.
  var frozenThrough: String?
  /// The number formats of columns.
  var numbers: [String: NumberFormat] = [:]
  /// The pictures that columns draw from their values.
  var pictures: [String: ColumnPicture] = [:]
  /// The column whose numbers section headers show as a sparkline.
  var sparkline: String?
  /// The aggregates of columns for the footer and the section headers.
  var totals: [String: Predicate.Aggregate] = [:]
  /// The derived columns, in the order of their definition.
  var derived: [DerivedColumn] = []

  /// The narrowest and the widest width of a column.
  static let widths = 3...200

  /// Whether all settings have their defaults.
  var isDefault: Bool { self == ColumnSettings() }
}

/// Decodes files of earlier versions, which lack some keys or use others.
extension ColumnSettings {
  private enum FormerKeys: CodingKey { case grouped }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    order = try values.decodeIfPresent([String].self, forKey: .order) ?? order
    shown = try values.decodeIfPresent([String: Bool].self, forKey: .shown) ?? shown
    widths = try values.decodeIfPresent([String: Int].self, forKey: .widths) ?? widths
    frozenThrough = try values.decodeIfPresent(String.self, forKey: .frozenThrough)
    numbers = try values.decodeIfPresent([String: NumberFormat].self, forKey: .numbers) ?? numbers
    let former = try decoder.container(keyedBy: FormerKeys.self)
    for name in try former.decodeIfPresent([String].self, forKey: .grouped) ?? [] {
      numbers[name] = .grouped
    }
    pictures =
      try values.decodeIfPresent([String: ColumnPicture].self, forKey: .pictures) ?? pictures
    sparkline = try values.decodeIfPresent(String.self, forKey: .sparkline)
    totals =
      try values.decodeIfPresent([String: Predicate.Aggregate].self, forKey: .totals) ?? totals
    derived = try values.decodeIfPresent([DerivedColumn].self, forKey: .derived) ?? derived
  }
}

/// The columns of a table in the order in which they are shown.
struct ColumnArrangement: Hashable, Sendable {
  /// The indices of all columns, including hidden ones.
  private(set) var all: [Int] = []
  /// The indices of the shown columns.
  private(set) var shown: [Int] = []
  /// The number of frozen columns among the shown ones.
  private(set) var frozen = 0
  /// The number of columns that the user has hidden.
  private(set) var hiddenByHand = 0

  /// - Parameter defaults: the settings of columns that the user has not set.
  init(_ columns: [TableColumn], _ settings: ColumnSettings, _ defaults: ColumnDefaults) {
    let places = Dictionary(
      (settings.order.isEmpty ? defaults.order(columns) : settings.order).enumerated()
        .map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    // Columns that are new in the file come after those with a place in the order.
    all = columns.indices.sorted { left, right in
      let (a, b) = (places[columns[left].name] ?? .max, places[columns[right].name] ?? .max)
      return (a, left) < (b, right)
    }
    shown = all.filter { index in
      settings.shown[columns[index].name]
        ?? !(columns[index].slot.map(defaults.hidden.contains) ?? false)
    }
    // A table without any column could not be repaired by hand.
    if shown.isEmpty { shown = all }
    hiddenByHand = columns.count { settings.shown[$0.name] == false }
    if let last = all.firstIndex(where: { columns[$0].name == settings.frozenThrough }) {
      let leading = Set(all[...last])
      frozen = shown.count { leading.contains($0) }
    }
  }

  /// The place of a column among the shown ones; nil if it is hidden.
  func position(of column: Int) -> Int? { shown.firstIndex(of: column) }
}

/// The settings of an entity's columns that the user has not set.
struct ColumnDefaults: Hashable, Sendable {
  /// The slots of columns that are hidden by default.
  var hidden: Set<Slot> = []
  /// Whether identifiers keep their place in the file's order; if not, they come after the other columns.
  var keepsIdentifiersInPlace = false

  /// The names of all columns from left to right.
  func order(_ columns: [TableColumn]) -> [String] {
    if keepsIdentifiersInPlace { return columns.map(\.name) }
    return (columns.filter { !$0.isIdentifier } + columns.filter(\.isIdentifier)).map(\.name)
  }
}

/// The column settings of all entities.
struct TableSettings: Hashable, Sendable {
  /// The settings by the name of the entity.
  var columns: [String: ColumnSettings] = [:]
  /// The slots of to-many relationships whose members are counted quickly. The columns of others are hidden
  /// by default, since each screen of them reads a whole table.
  var quickCounts: ByEntity<Set<Slot>> = []
  /// Whether identifiers keep their place in the file's order.
  var keepsIdentifiersInPlace = false
  /// The labels of objects; nil for those of the schema.
  var labels: Labels?

  func defaults(of entity: Entity) -> ColumnDefaults {
    let quick = quickCounts.indices.contains(entity.index) ? quickCounts[entity.index] : []
    let toMany = entity.relationshipSlots.filter { entity.links[$0]?.kind.isToMany ?? false }
    return ColumnDefaults(
      hidden: Set(toMany).subtracting(quick), keepsIdentifiersInPlace: keepsIdentifiersInPlace)
  }
}
