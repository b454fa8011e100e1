import DatastoreCore
import SwiftDatastore

/// The label of an entity's objects: the properties whose values make up their names, in order.
///
/// A label comes from the user, or is guessed: an attribute called `name` or the like; name and surname of a
/// person; a number such as that of an invoice; or else the first text that is neither a time nor an
/// identifier. An address is the name only of objects without to-one relationships, and a row that only joins
/// others is named after the objects that it joins. Without any of these an object is named by its key.
struct ObjectLabel: Hashable, Sendable {
  /// A property of the label.
  struct Part: Hashable, Sendable {
    let slot: Slot
    /// The format of the values; nil for a to-one relationship, which has the name of its object.
    let format: ValueFormat?
    /// The destination of a to-one relationship.
    let destination: EntityIndex?
  }

  private(set) var parts: [Part]

  /// Creates a label from some properties; names that are neither attributes nor to-one relationships are
  /// left out.
  init(_ names: [String], of entity: Entity) {
    self.init(names.compactMap { entity.slot(named: $0) }, of: entity)
  }

  private init(_ slots: [Slot], of entity: Entity) {
    parts = slots.compactMap { slot in
      if let attribute = entity.properties[slot].attribute {
        return Part(slot: slot, format: ValueFormat(attribute), destination: nil)
      }
      guard let link = entity.links[slot], link.kind == .toOne else { return nil }
      return Part(slot: slot, format: nil, destination: link.destination)
    }
  }

  /// Guesses the label from the schema.
  init(found entity: Entity) {
    let attributes = zip(entity.slots, entity.properties).compactMap { slot, property in
      property.attribute.map { (slot: slot, attribute: $0) }
    }
    let named = attributes.filter {
      $0.attribute.type == .string || $0.attribute.type == .undefined
    }
    func slot(_ words: [String]) -> Slot? {
      words.lazy.compactMap { word in
        named.first { $0.attribute.name.lowercased().filter { $0 != "_" && $0 != " " } == word }?
          .slot
      }.first
    }
    if let whole = slot(Self.wholeNames) {
      self.init([whole], of: entity)
    } else if let first = slot(Self.firstNames), let last = slot(Self.lastNames) {
      self.init([first, last], of: entity)
    } else if let best = slot(Self.names) {
      self.init([best], of: entity)
    } else if let best = named.first(where: { $0.attribute.ends(in: ["name", "title"], entity) })
      ?? attributes.first(where: { $0.attribute.ends(in: ["number"], entity) })
    {
      self.init([best.slot], of: entity)
    } else if let best = slot(Self.shortNames) {
      self.init([best], of: entity)
    } else {
      let toOnes = entity.relationshipSlots.filter { entity.links[$0]?.kind == .toOne }
      let texts = named.filter { pair in
        pair.attribute.type == .string && !pair.attribute.isMoment
          && !pair.attribute.isIdentifier(of: entity)
      }
      if let text = texts.first(where: { !$0.attribute.isAddress(of: entity) })
        ?? (toOnes.isEmpty ? texts.first : nil)
      {
        self.init([text.slot], of: entity)
      } else {
        self.init(toOnes.count >= 2 ? Array(toOnes.prefix(3)) : [], of: entity)
      }
    }
  }

  private static let wholeNames = ["fullname", "displayname"]
  private static let firstNames = [
    "firstname", "givenname", "forename", "name", "vorname", "prénom",
  ]
  private static let lastNames = ["surname", "lastname", "familyname", "nachname"]
  private static let names =
    ["name", "title", "label"] + lastNames + ["firstname", "caption", "subject"]
  private static let shortNames = ["code", "email"]

  /// The attributes of the label, which names are sorted and searched by.
  var attributes: [Slot] { parts.filter { $0.destination == nil }.map(\.slot) }

  /// The label without one property. A member shown with its owner needs no relationship to the owner in its
  /// name.
  func besides(_ slot: Slot?) -> ObjectLabel {
    var label = self
    if let slot { label.parts.removeAll { $0.slot == slot } }
    return label
  }

  /// The name of an object.
  ///
  /// - Parameters:
  ///   - value: returns the value of a property; for a relationship, the key of the object.
  ///   - related: returns the name of a related object, if known.
  func text(
    key: RowKey, value: (Slot) -> Value, related: (_ entity: EntityIndex, _ key: RowKey) -> String?
  ) -> String {
    text { part in
      let value = value(part.slot)
      if value.isNull { return nil }
      if let destination = part.destination {
        guard case .integer(let number) = value else { return nil }
        return related(destination, RowKey(number))
          ?? DisplayName.placeholder(key: RowKey(number))
      }
      if case .text(let text) = value {
        return DisplayName.isName(text) ? DisplayName.name(value, key: key) : nil
      }
      return part.format?.cell(value).text
    } ?? DisplayName.placeholder(key: key)
  }

  /// Joins the shown values of the properties to a name; nil if there are none.
  func text(of shown: (Part) -> String?) -> String? {
    let texts = parts.compactMap(shown)
    guard !texts.isEmpty else { return nil }
    return texts.joined(separator: parts.contains { $0.destination != nil } ? " · " : " ")
  }
}

extension AttributeDescription {
  /// Whether the attribute's name ends in one of some words, and the attribute is not an address:
  /// `invoice_number`, not `phoneNumber`.
  fileprivate func ends(in endings: Set<String>, _ entity: Entity) -> Bool {
    let words = DateNames.words(of: name)
    return words.last.map(endings.contains) ?? false && !isAddress(of: entity)
  }

  /// Whether the values are addresses. These do not name objects, except for the `city` of cities.
  fileprivate func isAddress(of entity: Entity) -> Bool {
    let words = DateNames.words(of: name)
    let table = entity.name.lowercased()
    guard
      ![table, table.hasSuffix("s") ? String(table.dropLast()) : table].contains(name.lowercased())
    else { return false }
    return words.contains(where: Self.addresses.contains)
  }

  private static let addresses: Set<String> = [
    "address", "street", "house", "city", "town", "district", "zip", "postal", "postcode",
    "country", "state",
    "region", "phone", "telephone", "mobile", "fax", "url", "website",
  ]

  /// Whether the values are times, which do not name objects.
  fileprivate var isMoment: Bool {
    if dateConvention != nil || type == .date || type == .calendarDate { return true }
    let declared = declaredType?.uppercased() ?? ""
    if declared.contains("DATE") || declared.contains("TIME") { return true }
    let lowercased = name.lowercased()
    return ["_at", "_on", "date", "time", "timestamp"].contains(where: lowercased.hasSuffix)
      || name.hasSuffix("At") || lowercased.hasPrefix("date")
  }
}

/// The labels of all entities.
struct Labels: Hashable, Sendable {
  private var labels: ByEntity<ObjectLabel>

  /// - Parameter annotations: the user's annotations of the file.
  init(_ schema: Schema, _ annotations: SchemaAnnotations? = nil) {
    labels = ByEntity(
      schema.entities.map { entity in
        let said = annotations?.label(of: entity.name).map { ObjectLabel($0, of: entity) }
        // A label is void if none of its properties exists any more.
        if let said, !said.parts.isEmpty { return said }
        return ObjectLabel(found: entity)
      })
  }

  subscript(entity: EntityIndex) -> ObjectLabel { labels[entity] }
}
