import DatastoreCore
import SwiftDatastore

extension Lane {
  /// Counting the rows that meet a condition.
  static let matchCount = Lane("match count", .latest)
  /// Finding completions for a condition.
  static let completion = Lane("completion", .latest)
  /// Access to the files of filters.
  static let filterFiles = Lane("filter files", .inOrder)
}

extension Effect {
  /// Counts the rows of a query, and all rows if wanted; the count before it ends.
  static func countMatches(_ query: TableQuery, countsAll: Bool) -> Effect {
    .work { runner in
      var queries = [query]
      if countsAll, query.filter != nil { queries.append(query.counting(nil)) }
      let wanted = queries
      runner.perform(in: .matchCount) { runner in
        for query in wanted {
          do {
            let count = try await runner.view.countMatches(query.request(in: runner.schema))
            try Task.checkCancellation()
            runner.send(FilterEvent.counted(query, .success(count)))
          } catch is CancellationError {
            return
          } catch {
            runner.send(FilterEvent.counted(query, .failure(EffectFailure(error))))
          }
        }
      }
    }
  }

  static var stopCounting: Effect { .work { $0.cancel(.matchCount) } }

  /// Finds values to compare with; the search before it ends.
  static func findCompletions(
    _ query: PredicateCompletion.ValueQuery, entity index: EntityIndex
  ) -> Effect {
    .answer(in: .completion) {
      try await $0.values(query, entity: index)
    } then: { state, found in
      // Completions are optional: the condition can be typed without them, and counting the matches reports
      // errors of the store.
      state.changeOverlay(as: FilterState.self) { $0.apply((try? found.get()) ?? [], for: query) }
    }
  }

  /// Finds objects of an entity by their names; the search before it ends.
  static func findObjects(_ index: EntityIndex, named text: String) -> Effect {
    .answer(in: .completion) {
      try await $0.objects(of: $0.schema.entities[index], named: text)
    } then: { state, found in
      state.changeOverlay(as: FilterChoice.self) {
        $0.apply((try? found.get()) ?? [], entity: index, named: text)
      }
      if case .failure(let failure) = found {
        FilterEvent.failed(failure.message).apply(to: &state)
      }
    }
  }

  static var stopFinding: Effect { .work { $0.cancel(.completion) } }

  /// Reads what to filter by: the value of an attribute, the key of a to-one destination, or the number of
  /// members of a to-many relationship.
  static func readFilterValue(
    _ reference: ObjectReference, slot: Slot, isExcluded: Bool
  ) -> Effect {
    .answer { runner in
      guard let object = try await runner.view.load(reference) else {
        throw EffectFailure(message: "This object is no longer in the store.")
      }
      guard object.entity.links[slot]?.kind.isToMany ?? false else { return object[slot] }
      let members = try await runner.view.loadRelatedKeys(of: object, slot: slot)
      return .integer(Int64(members.count))
    } then: { (state: inout BrowserState, result: Result<Value, EffectFailure>) in
      switch result {
      case .success(let value):
        state.quickFilter(reference, slot: slot, value, isExcluded: isExcluded)
      case .failure(let failure): FilterEvent.failed(failure.message).apply(to: &state)
      }
    }
  }

  /// Reads the saved filters and the history.
  static var readFilterMemory: Effect {
    .usingFilterFiles { files, send in
      do {
        await send(.historyRead(try await files.history()))
      } catch {
        await send(.failed(String(describing: error)))
      }
      await send(.savedRead(try await files.saved()))
    }
  }

  static func keepFilterHistory(entity: String, text: String) -> Effect {
    .usingFilterFiles { files, _ in try await files.keepHistory(text, entity: entity) }
  }

  static func saveFilter(_ filter: SavedFilter) -> Effect {
    .usingFilterFiles { files, send in
      await send(.savedRead(try await files.change { $0.save(filter) }))
    }
  }

  static func deleteFilter(_ filter: SavedFilter) -> Effect {
    .usingFilterFiles { files, send in
      await send(.savedRead(try await files.change { $0.delete(filter) }))
    }
  }

  /// Uses the files after all earlier accesses.
  private static func usingFilterFiles(
    of maker: String = #function,
    _ body:
      @escaping @Sendable (FilterFiles, @MainActor (FilterEvent) -> Void) async throws -> Void
  ) -> Effect {
    .work(of: maker) { runner in
      guard let files = runner.service(FilterMemoryFiles.self).files else { return }
      runner.perform(in: .filterFiles) { runner in
        do {
          try await body(files) { runner.send($0) }
        } catch {
          runner.send(FilterEvent.failed(String(describing: error)))
        }
      }
    }
  }
}

/// The files of filters; accesses run one after the other.
private final class FilterMemoryFiles: EffectService {
  /// Nil to keep filters for this run only.
  let files: FilterFiles?

  init(_ runner: EffectRunner) {
    files = runner.environment.filterFiles.map { FilterFiles(saved: $0.saved, history: $0.history) }
  }
}

extension EffectRunner {
  /// The most values or objects that are offered.
  private static let mostFound = 200

  /// The values at a path, of all objects.
  fileprivate func values(
    _ query: PredicateCompletion.ValueQuery, entity index: EntityIndex
  ) async throws -> [FoundValue] {
    let entity = schema.entities[index]
    let resolved = try PredicatePath(query.path, from: entity, in: schema)
    switch resolved.destination {
    case .object(let destination):
      return try await objects(of: destination, named: query.prefix)
    case .attribute(let attribute):
      if query.json != nil { return try await members(query, of: entity) }
      if attribute.type == .data || attribute.type == .coded { return [] }
      // Date parts are not stored.
      if resolved.datePart != nil { return [] }
      let path = entity.resolvingAliases(in: query.path, of: schema)
      guard
        case .object(let owner) = try PredicatePath(
          Array(path.dropLast()), from: entity, in: schema
        ).destination
      else { return [] }
      let names = CaseNames(attribute)
      // These values are written in another form than they are stored in, so all are read.
      let isText = attribute.dates?.isText ?? (attribute.type != .uuid)
      return try await view.answer(
        DistinctValuesQuestion(
          of: attribute.name, entity: owner.index,
          beginningWith: isText || attribute.declaredType != nil && attribute.dateConvention == nil
            ? query.prefix : "",
          limit: Self.mostFound)
      ).map { FoundValue(value: $0, detail: names.name(of: $0) ?? "") }
    }
  }

  /// The members of the JSON at a path in the first rows.
  private func members(
    _ query: PredicateCompletion.ValueQuery, of entity: Entity
  ) async throws -> [FoundValue] {
    let request = FetchRequest(entity: entity.name, limit: Self.mostFound)
    let values = try await view.objects(of: request).map {
      Predicate.Operand.keyPath(query.path).value(of: $0)
    }
    return query.members(in: values).map { FoundValue(value: .text($0)) }
  }

  /// The objects whose names contain a text, or that have it as their key.
  fileprivate func objects(of entity: Entity, named text: String) async throws -> [FoundValue] {
    var request = FetchRequest(entity: entity.name, limit: Self.mostFound)
    var alternatives: [Predicate] = []
    if let number = Int64(text.drop { $0 == "#" }) {
      alternatives.append(.comparison(.init(.keyPath([]), .equal, .value(.integer(number)))))
    }
    for slot in labels[entity.index].attributes {
      let name = entity.properties[slot].name
      request.sortDescriptors.append(SortDescriptor([name], options: .caseInsensitive))
      alternatives.append(
        .comparison(
          .init(
            .keyPath([name]), .contains, .value(.text(text)),
            options: [.caseInsensitive, .diacriticInsensitive])))
    }
    if !text.isEmpty { request.predicate = .or(alternatives) }
    let found = try await view.objects(of: request)
    let names = try await names(of: found, as: entity.index)
    return found.map { object in
      FoundValue(
        value: .key(object.key),
        detail: names[object.key] ?? DisplayName.placeholder(key: object.key))
    }
  }
}
