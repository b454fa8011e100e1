import DatastoreCore
import SwiftDatastore

/// What runs for the filter, one piece of work of each kind.
struct FilterWork {
  /// Where filters are kept; nil keeps them for this run only.
  let files: FilterFiles?
  var counting: Int?
  var finding: Int?
  /// The last use of the files: they come one after the other.
  var lastUse: Task<Void, Never>?
}

extension EffectRunner {
  /// More values or objects are not offered.
  private static let mostFound = 200

  func start(_ effect: FilterEffect) {
    switch effect {
    case .count(let query, let countsAll): countMatches(query, countsAll: countsAll)
    case .stopCounting: cancel(filterWork.counting)
    case .findValues(let query, let entity): findValues(query, entity: entity)
    case .findObjects(let entity, let text): findObjects(entity: entity, named: text)
    case .stopFinding: cancel(filterWork.finding)
    case .readValue(let object, let slot, let isExcluded):
      readValue(object, slot: slot, isExcluded: isExcluded)
    case .readMemory: readMemory()
    case .keepHistory(let entity, let text):
      useFiles { files, _ in try await files.keepHistory(text, entity: entity) }
    case .save(let filter):
      useFiles { files, send in
        await send(.savedRead(try await files.change { $0.save(filter) }))
      }
    case .delete(let filter):
      useFiles { files, send in
        await send(.savedRead(try await files.change { $0.delete(filter) }))
      }
    }
  }

  private func countMatches(_ query: TableQuery, countsAll: Bool) {
    cancel(filterWork.counting)
    var queries = [query]
    if countsAll, query.filter != nil { queries.append(query.counting(nil)) }
    filterWork.counting = perform { runner in
      for query in queries {
        do {
          let count = try await runner.view.countMatches(query.request(in: runner.schema))
          try Task.checkCancellation()
          runner.send(.filter(.counted(query, .success(count))))
        } catch is CancellationError {
          return
        } catch {
          let failure = CountFailure(message: String(describing: error))
          runner.send(.filter(.counted(query, .failure(failure))))
        }
      }
    }
  }

  private func findValues(_ query: PredicateCompletion.ValueQuery, entity index: Int) {
    cancel(filterWork.finding)
    filterWork.finding = perform { runner in
      do {
        let found = try await runner.values(query, entity: index)
        try Task.checkCancellation()
        runner.send(.filter(.valuesFound(query, found)))
      } catch {
        // Values are offered where that is possible; the condition can be typed without them, and
        // counting its matches reports what is wrong with the store.
        runner.send(.filter(.valuesFound(query, [])))
      }
    }
  }

  /// The values that may stand beside a path, whatever object they belong to.
  private func values(
    _ query: PredicateCompletion.ValueQuery, entity index: Int
  ) async throws -> [FoundValue] {
    let entity = schema.entities[index]
    let resolved = try PredicatePath(query.path, from: entity, in: schema)
    switch resolved.destination {
    case .object(let destination):
      return try await objects(of: destination, named: query.prefix)
    case .attribute(let attribute):
      if attribute.type == .data || attribute.type == .coded { return [] }
      let path = entity.resolvingAliases(in: query.path, of: schema)
      guard
        case .object(let owner) = try PredicatePath(
          Array(path.dropLast()), from: entity, in: schema
        ).destination
      else { return [] }
      let names = CaseNames(attribute)
      // How these are written is not how they are stored, so they are all read.
      let isPlain = attribute.type != .date && attribute.type != .uuid
      return try await view.distinctValues(
        of: attribute.name, entity: owner.index,
        beginningWith: isPlain || attribute.declaredType != nil ? query.prefix : "",
        limit: Self.mostFound
      ).map { FoundValue(value: $0, detail: names.name(of: $0) ?? "") }
    }
  }

  private func findObjects(entity index: Int, named text: String) {
    cancel(filterWork.finding)
    filterWork.finding = perform { runner in
      do {
        let found = try await runner.objects(of: runner.schema.entities[index], named: text)
        try Task.checkCancellation()
        runner.send(.filter(.objectsFound(entity: index, named: text, found)))
      } catch is CancellationError {
        return
      } catch {
        runner.send(.filter(.objectsFound(entity: index, named: text, [])))
        runner.send(.filter(.failed(String(describing: error))))
      }
    }
  }

  /// Objects whose names contain a text, or whose key it is.
  private func objects(of entity: Entity, named text: String) async throws -> [FoundValue] {
    let slot = DisplayName.slot(of: entity)
    var request = FetchRequest(entity: entity.name, limit: Self.mostFound)
    var alternatives: [Predicate] = []
    if let key = Int64(text.drop { $0 == "#" }) {
      alternatives.append(.comparison(.init(.keyPath([]), .equal, .value(.integer(key)))))
    }
    if let slot {
      let name = entity.properties[slot].name
      request.sortDescriptors = [SortDescriptor([name], options: .caseInsensitive)]
      alternatives.append(
        .comparison(
          .init(
            .keyPath([name]), .contains, .value(.text(text)),
            options: [.caseInsensitive, .diacriticInsensitive])))
    }
    if !text.isEmpty { request.predicate = .or(alternatives) }
    return try await view.objects(of: request).map { object in
      FoundValue(
        value: .integer(object.key),
        detail: DisplayName.name(slot.map { object[$0] } ?? .null, key: object.key))
    }
  }

  private func readValue(_ reference: ObjectReference, slot: Int, isExcluded: Bool) {
    perform { runner in
      do {
        let objects = try await runner.view.load(entity: reference.entity, keys: [reference.key])
        guard let object = objects.first else {
          runner.send(.filter(.failed("This object is not there any more.")))
          return
        }
        var value = object[slot]
        if object.entity.links[slot]?.kind.isToMany ?? false {
          let members = try await runner.view.loadRelatedKeys(of: object, slot: slot)
          value = .integer(Int64(members.count))
        }
        runner.send(
          .filter(.valueRead(reference, slot: slot, value, isExcluded: isExcluded)))
      } catch is CancellationError {
        return
      } catch {
        runner.send(.filter(.failed(String(describing: error))))
      }
    }
  }

  private func readMemory() {
    useFiles { files, send in
      do {
        await send(.historyRead(try await files.history()))
      } catch {
        await send(.failed(String(describing: error)))
      }
      await send(.savedRead(try await files.saved()))
    }
  }

  /// Uses the files when everything before has been done with them.
  private func useFiles(
    _ body:
      @escaping @Sendable (FilterFiles, @MainActor (FilterEvent) -> Void) async throws -> Void
  ) {
    guard let files = filterWork.files else { return }
    let before = filterWork.lastUse
    let number = perform { runner in
      await before?.value
      do {
        try await body(files) { runner.send(.filter($0)) }
      } catch {
        runner.send(.filter(.failed(String(describing: error))))
      }
    }
    filterWork.lastUse = task(number)
  }
}
