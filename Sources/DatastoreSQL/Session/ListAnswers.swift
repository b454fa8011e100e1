import Basics
package import DatastoreCore

// The keys of lists and their sections.

extension CountQuestion: RenderedQuestion {
  package func answer(in session: some SQLSession) throws -> Int {
    try session.asking(request) { builder, _ in
      try session.rows(builder.count(request)).first?.first?.wholeNumber ?? 0
    }
  }
}

extension KeysQuestion: RenderedQuestion {
  package func answer(in session: some SQLSession) throws -> [RowKey] {
    try session.keys(request)
  }
}

extension KeyListQuestion: RenderedQuestion {
  package func answer(in session: some SQLSession) throws -> KeyList {
    guard let path else { return KeyList(ofOneSection: try session.keyList(request)) }
    return try session.asking(request) { builder, entity in
      try session.look(at: path, of: entity, for: builder)
      return try session.sections(builder.grouped(request, by: path), of: entity)
    }
  }
}

extension SectionsQuestion: RenderedQuestion {
  package func answer(in session: some SQLSession) throws -> [KeyList.Section] {
    try session.asking(request) { builder, entity in
      try session.look(at: path, of: entity, for: builder)
      return try session.rows(builder.sections(request, by: path)).map {
        .init(value: $0[0], count: $0[1].wholeNumber)
      }
    }
  }
}

extension KeysetQuestion: RenderedQuestion {
  package func answer(in session: some SQLSession) throws -> Bool {
    let builder = QueryBuilder(session.mapping)
    let entity = try builder.entity(named: request.entity)
    let mapped = session.mapping.entities[entity.index]
    // A condition that SQL cannot express is evaluated for all rows.
    guard mapped.kind.isTable, case .rowid = mapped.key, let query = try? builder.keys(request)
    else { return false }
    return try session.reading(entity) { try session.findsInOrder(query) }
  }
}

extension RelatedCountsQuestion: RenderedQuestion {
  package func answer(in session: some SQLSession) throws -> [RowKey: Int] {
    let entity = session.schema.entities[entity]
    guard let link = entity.links[slot], link.kind.isToMany else {
      trap("only to-many relationships lead to many objects")
    }
    return try session.reading(entity) {
      Dictionary(
        try session.memberCounts(link, of: keys).map { ($0.key, $0.count) },
        uniquingKeysWith: { first, _ in first })
    }
  }
}
