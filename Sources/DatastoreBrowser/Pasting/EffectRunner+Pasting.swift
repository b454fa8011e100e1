import Basics
import DatastoreCore
import SwiftDatastore
import TerminalUI

extension Lane {
  static let pasting = Lane("pasting", .latest)
}

extension Effect {
  /// Finds the objects that pasted fields name.
  static func findPasted(_ plan: PastePlan) -> Effect {
    .answer(in: .pasting) {
      try await $0.found(plan)
    } then: {
      $0.apply(pasted: $1)
    }
  }

  /// Reads the rows at some places of the list, which the fields are pasted into, and finds the objects that
  /// the fields name.
  ///
  /// - Parameter shown: those of the rows that have been read already, as they are shown.
  static func findTargets(
    of plan: PastePlan, fetch: Int, _ places: [Int], shown: [RowKey: ObjectReference]
  ) -> Effect {
    .answer(in: .pasting) {
      try await $0.found(try await $0.aimed(plan, fetch: fetch, places, shown: shown))
    } then: {
      $0.apply(pasted: $1)
    }
  }
}

extension BrowserState {
  fileprivate mutating func apply(pasted plan: Result<PastePlan, EffectFailure>) {
    switch plan {
    case .success(let plan): changeOverlay(as: PasteScreen.self) { $0.apply(plan) }
    case .failure(let failure):
      changeOverlay(as: PasteScreen.self) { $0.stopLookingUp() }
      tell(failure.message, .error)
    }
  }
}

extension EffectRunner {
  /// The plan with its target rows.
  fileprivate func aimed(
    _ plan: PastePlan, fetch: Int, _ places: [Int], shown: [RowKey: ObjectReference]
  ) async throws -> PastePlan {
    guard let feed = list, feed.number == fetch, let first = places.first, let last = places.last
    else { throw StagingRefusal("The table shows other rows now; paste again.") }
    try await feed.controller.readKeys(first..<last + 1)
    let keys = feed.controller.list.keys
    let references = try await self.shown(
      places.filter { $0 < keys.count }.compactMap { keys.readKey(at: $0) }.map {
        shown[$0] ?? ObjectReference(entity: plan.entity, key: $0)
      })
    let entity = schema.entities[plan.entity]
    let objects = try await load(references)
    let names = try await names(of: objects, as: plan.entity)
    var contents: [Slot: [CellContent]] = [:]
    for case let slot? in plan.slots {
      contents[slot] = try await self.contents(
        objects.map { $0.shownValue(at: slot) }, slot, entity)
    }
    let marks = Marks(.ascii)
    let targets = zip(references, objects).enumerated().map { row, pair in
      PastePlan.Target(
        object: pair.0, name: names[pair.1.key] ?? DisplayName.placeholder(key: pair.1.key),
        old: contents.keys.reduce(into: [:]) { $0[$1] = pair.1[$1] },
        shown: contents.mapValues { $0[row].shown(marks).text },
        refusals: contents.keys.reduce(into: [:]) { $0[$1] = reasonNotWritable(pair.1, $1) })
    }
    return PastePlan(
      plan.rows, plan.decimalMark, slots: plan.slots, of: entity, owner: [:], into: targets)
  }

  fileprivate func found(_ plan: PastePlan) async throws -> PastePlan {
    var plan = plan
    let entity = schema.entities[plan.entity]
    for (slot, names) in plan.names {
      guard let link = entity.links[slot] else { continue }
      let referred = referred(by: slot, in: entity)
      var known: [String: Result<RowKey, PasteRefusal>] = [:]
      for (row, name) in names.sorted(by: { $0.key < $1.key }) {
        if known[name] == nil {
          known[name] = try await object(named: name, link.destination, referred: referred)
        }
        if let found = known[name] { plan.apply(found, slot: slot, row: row) }
      }
    }
    return plan
  }

  /// The object of a field: the one that a foreign key with this value refers to, or the only one of this
  /// name.
  ///
  /// - Parameter referred: the attribute whose values the foreign key holds; nil for the key of the row.
  private func object(
    named name: String, _ index: EntityIndex, referred: AttributeDescription?
  ) async throws -> Result<RowKey, PasteRefusal> {
    let entity = schema.entities[index]
    if let referred {
      if let value = try? ValueForm(referred).parse(name) {
        var request = FetchRequest(entity: entity.name, limit: 1)
        request.predicate = .comparison(
          Predicate.Comparison(.keyPath([referred.name]), .equal, .value(value)))
        if let found = try await view.loadObjects(request).first { return .success(found.key) }
      }
    } else if let key = Int64(name) {
      return .success(RowKey(key))
    }
    let parts = labels[index].attributes
    let words = parts.count > 1 ? Array(name.words()).map(String.init) : [name]
    var request = FetchRequest(entity: entity.name, limit: 200)
    // Finds all objects with an attribute equal to one of the words; the whole name then decides.
    request.predicate = .or(
      parts.flatMap { slot in
        (words + [name]).map { word in
          .comparison(
            Predicate.Comparison(
              .keyPath([entity.properties[slot].name]), .equal, .value(.text(word))))
        }
      })
    guard !parts.isEmpty else {
      let reason =
        referred.map { "there is no \(entity.name) with the \($0.name) “\(name)”" }
        ?? "objects of \(entity.name) have no names; write a key such as #12"
      return .failure(PasteRefusal(reason: reason))
    }
    let found = try await view.loadObjects(request)
    let called = try await names(of: found, as: index).filter { $0.value == name }
    guard let key = called.keys.first else {
      return .failure(PasteRefusal(reason: "there is no \(entity.name) “\(name)”"))
    }
    guard called.count == 1 else {
      return .failure(
        PasteRefusal(
          reason:
            "\(called.count) objects of \(entity.name) are called “\(name)”; write a key such as "
            + "#\(key)"))
    }
    return .success(key)
  }
}
