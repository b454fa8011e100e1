import SwiftDatastore
import SwiftDatastoreTerminal

final class Contact: DatastoreObject {
  @Attribute.NotOptional(indexed: true) var name: String
  @Attribute.NotOptional(indexed: true) var letter: String
  @Attribute.Optional var phone: String?
  @Attribute.Optional var email: String?

  func fill(_ texts: [String]) {
    (name, phone, email) = (texts[0], texts[1], texts[2])
    letter = name.prefix(1).uppercased()
  }
}

final class ContactBook: TerminalView {
  @ListState var contacts: ListSnapshot<Contact>
  let datastore: SwiftDatastore
  let all = From<Contact>().orderBy(.asc(\.$letter), .asc(\.$name)).sectionBy(\.$letter)

  init(_ datastore: SwiftDatastore) {
    self.datastore = datastore
    _contacts = ListState(datastore.sharedViewContext, all)
  }

  var body: [any Widget] {
    Columns(2, 3) {
      Table(
        $contacts, title: "Contacts", columns: [TableColumn { $0.$name }], placeholder: "None.")
      Pane("Details") {
        ObjectReader($contacts.selection) { contact in
          Fields(["Name": contact.$name, "Phone": contact.$phone, "Email": contact.$email])
        }
      }
    }
  }

  var commands: [Command] {
    let id = $contacts.selection?.objectID
    return [
      Command("a", label: "add") { [self] in try await edit(nil, on: $0) },
      Command("e", "enter", label: "edit", isEnabled: id != nil) { [self] in
        try await edit(id, on: $0)
      },
      Command("d", label: "delete", isEnabled: id != nil) { [self] terminal in
        guard let id, await terminal.confirm("Delete this contact?") else { return }
        try await datastore.write { try $0.deleteObject($0.object(with: id) as Contact) }
      },
      Command("/", label: "search") { [self] terminal in
        guard let texts = await terminal.ask("Search", ["Name": ""]) else { return }
        try await $contacts.publisher.refetch(
          texts[0].isEmpty ? all : all.where(\.$name ?= texts[0]))
      },
      Command("q", label: "quit") { $0.quit() },
    ]
  }

  func edit(_ id: DatastoreObjectID?, on terminal: TerminalApplication) async throws {
    let old = id == nil ? nil : $contacts.selected
    let texts = await terminal.ask(
      old?.$name ?? "New contact",
      ["Name": old?.$name ?? "", "Phone": old?.$phone ?? "", "Email": old?.$email ?? ""])
    guard let texts else { return }
    let edited = try await datastore.write { context in
      let contact: Contact =
        if let id { try context.object(with: id) } else { try context.createObject() }
      contact.fill(texts)
      return contact.objectID
    }
    $contacts.select(edited)
  }
}

let model = try SwiftDatastoreModel(from: Contact.self)
let datastore = try SwiftDatastore(dataModel: model, storeName: "contacts", storingType: .app)
let watch = datastore.watchForExternalChanges()
let theme = CommandLine.arguments.dropFirst().first.flatMap { TerminalTheme(named: $0) }
try await TerminalApplication(ContactBook(datastore), theme: theme ?? .standard).run()
