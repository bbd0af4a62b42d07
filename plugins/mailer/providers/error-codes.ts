// The codes of an error and of what caused it.

/** Of several addresses that were tried, the codes of each. */
export function codesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return []
  const { code, syscall, cause } = error as NodeJS.ErrnoException
  const each = error instanceof AggregateError ? error.errors : []
  // A system call that connects or resolves failed before anything was written.
  const own = syscall === 'connect' || syscall === 'getaddrinfo' ? 'ECONNREFUSED' : code
  return [...(typeof own === 'string' ? [own] : []), ...[cause, ...each].flatMap(codesOf)]
}
