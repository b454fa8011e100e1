import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

// The code of ServerPrograms.md, to the letter.

enum ServerProgramsArticle {
  final class Note: DatastoreObject {
    @Attribute.NotOptional(unique: true, initial: { UUID() }) var id: UUID
    @Attribute.NotOptional(validate: .length(1...80)) var title: String
    @Attribute.NotOptional var votes: Int = 0
  }

  struct NoSuchNote: Error { var id: UUID }

  struct NewNote: Codable, Sendable {
    var title: String
  }

  struct NoteAnswer: Codable, Sendable {
    var id: UUID
    var title: String
    var votes: Int

    init(_ note: Note) {
      (id, title, votes) = (note.id, note.title, note.votes)
    }
  }

  struct Notes: Sendable {
    let datastore: SwiftDatastore

    func list(limit: Int = 50) async throws -> [NoteAnswer] {
      try await datastore.newContext().perform { context in
        let notes: [Note] = try context.fetch(
          orderBy: [.desc(\.$votes), .asc(\.$title)], limit: limit)
        return notes.map(NoteAnswer.init)
      }
    }

    func create(_ new: NewNote) async throws -> NoteAnswer {
      try await datastore.write { context in
        let note: Note = try context.createObject()
        note.title = new.title
        return NoteAnswer(note)
      }
    }

    func vote(for id: UUID) async throws -> NoteAnswer {
      try await datastore.write { context in
        let note: Note? = try context.fetchFirst(where: \.$id == id)
        guard let note else { throw NoSuchNote(id: id) }
        note.votes += 1
        return NoteAnswer(note)
      }
    }
  }

  struct Request: Sendable {
    var method: String
    var path: [String]
    var body = Data()
  }

  struct Response: Sendable {
    var status: Int
    var body = Data()
  }

  struct Application: Sendable {
    let notes: Notes

    func respond(to request: Request) async -> Response {
      do {
        switch (request.method, request.path) {
        case ("GET", ["notes"]): return try await answer(200, notes.list())
        case ("POST", ["notes"]):
          let new = try JSONDecoder().decode(NewNote.self, from: request.body)
          return try await answer(201, notes.create(new))
        case ("POST", let path) where path.count == 3 && path[0] == "notes" && path[2] == "votes":
          guard let id = UUID(uuidString: path[1]) else { return Response(status: 404) }
          return try await answer(200, notes.vote(for: id))
        default: return Response(status: 404)
        }
      } catch {
        return Response(status: status(of: error), body: Data("\(error)".utf8))
      }
    }

    private func answer(_ status: Int, _ value: some Encodable) throws -> Response {
      try Response(status: status, body: JSONEncoder().encode(value))
    }
  }

  @Suite struct ServerProgramsExamples {
    @Test("A hundred clients vote and read at once; the file has every vote")
    func manyRequests() async throws {
      let folder = try TemporaryDirectory()
      let (url, backup) = (folder.file("notes.sqlite"), folder.file("backup.sqlite"))
      let model = try SwiftDatastoreModel(from: Note.self)
      var options = SwiftDatastore.Options()
      options.synchronous = .full
      let datastore = try await SwiftDatastore.open(dataModel: model, url: url, options: options)
      let watch = datastore.watchForExternalChanges(every: 1)
      let application = Application(notes: Notes(datastore: datastore))

      let made = await application.respond(
        to: Request(method: "POST", path: ["notes"], body: Data(#"{"title": "Tea"}"#.utf8)))
      #expect(made.status == 201)
      let id = try JSONDecoder().decode(NoteAnswer.self, from: made.body).id
      let statuses = await withTaskGroup(of: Int.self) { group in
        for client in 0..<100 {
          group.addTask {
            let path = client.isMultiple(of: 4) ? ["notes"] : ["notes", id.uuidString, "votes"]
            let method = client.isMultiple(of: 4) ? "GET" : "POST"
            return await application.respond(to: Request(method: method, path: path)).status
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.count == 100 && statuses.allSatisfy { $0 == 200 })
      #expect(try await Notes(datastore: datastore).list().map(\.votes) == [75])

      try datastore.backUp(to: backup)
      let copy = try SwiftDatastore(dataModel: model, url: backup, readOnly: true)
      #expect(try await Notes(datastore: copy).list().map(\.votes) == [75])
      withExtendedLifetime((folder, watch)) {}
    }

    @Test("Faults of clients have statuses and sentences of their own")
    func faults() async throws {
      let datastore = try SwiftDatastore(inMemory: SwiftDatastoreModel(from: Note.self))
      let application = Application(notes: Notes(datastore: datastore))
      func post(_ path: [String], _ body: String = "") async -> Response {
        await application.respond(
          to: Request(method: "POST", path: path, body: Data(body.utf8)))
      }
      #expect(await post(["notes"], "{}").status == 400)
      let invalid = await post(["notes"], #"{"title": ""}"#)
      #expect(invalid.status == 422)
      #expect(String(decoding: invalid.body, as: UTF8.self).contains("title"))
      #expect(await post(["notes", UUID().uuidString, "votes"]).status == 404)
      #expect(await post(["nothing"]).status == 404)
    }
  }
}

extension ServerProgramsArticle.Application {
  private typealias NoSuchNote = ServerProgramsArticle.NoSuchNote

  func status(of error: any Error) -> Int {
    switch error {
    case is NoSuchNote: 404
    case is DecodingError: 400
    case is ValidationError: 422  // says which property of which object, and why
    case is ConflictError: 409  // only where `write` does not run again
    case StoreError.locked, StoreError.outcomeUnknown: 503  // try again later
    default: 500
    }
  }
}
