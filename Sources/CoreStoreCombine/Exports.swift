// Code that was written for CoreStore imports Combine beside it, and nothing else.
@_exported public import SwiftDatastoreCombine
