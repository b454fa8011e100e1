import Foundation

/// Python as an oracle from outside.
package enum PythonProgram {
  /// Runs a script, which reads JSON from its standard input and writes JSON to its standard output.
  ///
  /// - Throws: `Failed` with what it says on standard error; what starting it, or reading its answer, throws.
  package static func answer<Question: Encodable, Answer: Decodable>(
    to question: Question, _ script: String
  ) throws -> Answer {
    let folder = try TemporaryDirectory()
    let path = try folder.write(script, to: "script.py")
    let input = folder.file("in")
    try JSONEncoder().encode(question).write(to: input)
    let (output, errors) = (folder.file("out"), folder.file("err"))
    let status = try spawn(
      "/bin/sh", ["-c", "exec python3 \"$0\" < \"$1\"", path, input.path], output: output,
      errors: errors)
    guard status == 0 else {
      throw Failed(description: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }
    return try JSONDecoder().decode(Answer.self, from: Data(contentsOf: output))
  }

  package struct Failed: Error, CustomStringConvertible {
    package let description: String
  }
}
