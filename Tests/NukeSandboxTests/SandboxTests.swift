import Testing

/// All that runs workers: one after the other, since each keeps processors busy.
@Suite("The sandbox", .serialized, .timeLimit(.minutes(5)))
enum SandboxTests {}
