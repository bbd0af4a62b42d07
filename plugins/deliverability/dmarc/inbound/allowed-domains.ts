// Which domains reports may be about. Pure.
import { readDomain } from '../aggregate/read-values.ts'

/** The domains of the config; without them the sender domains, each with its parents of two labels or more. */
export function allowedDomains(
  configured: readonly string[] | undefined,
  senderDomains: readonly string[]
): ReadonlySet<string> {
  const named = configured ?? senderDomains.flatMap(withParents)
  return new Set(named.flatMap((domain) => readDomain(domain) ?? []))
}

function withParents(domain: string): readonly string[] {
  const labels = domain.split('.')
  const count = Math.max(1, labels.length - 1)
  return Array.from({ length: count }, (_, at) => labels.slice(at).join('.'))
}
