import SwiftDatastore
import SwiftDatastoreFar
import Testing

// The code of FarFiles.md, to the letter. It is compiled, and not run: no test has that host. A file at the
// other end of a pipe is opened in `FarLibraryTests`.

extension ModelsArticle {
  @Suite struct FarFilesExamples {
    private func open() throws -> SwiftDatastore {
      let model = try ModelsArticle.model()
      let datastore = try SwiftDatastore(
        dataModel: model, far: .ssh(host: "app@example.org", path: "/var/lib/app/app.sqlite"))
      return datastore
    }

    @Test func waysHaveNames() {
      let ways = [
        FarLocation.ssh(host: "app@example.org", port: 2222, path: "/var/lib/app/app.sqlite"),
        .ssh(host: "host", path: "notes.sqlite"),
        .command("docker exec -i web", path: "/data/app.sqlite"),
      ]
      #expect(
        ways.map(\.description) == [
          "ssh://app@example.org:2222/var/lib/app/app.sqlite", "ssh://host/~/notes.sqlite",
          "/data/app.sqlite (docker exec -i web)",
        ])
    }
  }
}
