// Asks the DNS servers of the settings, a few names at a time.
import { Resolver } from 'node:dns/promises'
import type { DnsAnswer, Lookup } from './dns-answer.ts'

/** Settings of a lookup. */
export interface LookupOptions {
  /** As `192.0.2.1:53`. undefined: those of the system. */
  readonly servers: readonly string[] | undefined
  /** Ends all waiting questions. */
  readonly signal: AbortSignal
  /** Milliseconds for the first try of one server. Default 3000. */
  readonly timeoutMs?: number
}

const ABSENT = new Set(['ENOTFOUND', 'ENODATA'])
const CONCURRENCY = 8

/** A lookup for one run: a name that is asked twice is looked up once. */
export function createLookup({ servers, signal, timeoutMs = 3_000 }: LookupOptions): Lookup {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  signal.addEventListener('abort', () => resolver.cancel(), { once: true })
  const known = new Map<string, Promise<DnsAnswer>>()
  const turn = createTurns(CONCURRENCY)
  return (name) => {
    const answer = known.get(name) ?? turn(() => resolve(resolver, name, signal))
    known.set(name, answer)
    return answer
  }
}

async function resolve(resolver: Resolver, name: string, signal: AbortSignal): Promise<DnsAnswer> {
  if (signal.aborted) return { kind: 'failed', code: 'ECANCELLED' }
  try {
    return { kind: 'answers', addresses: await resolver.resolve4(name) }
  } catch (error) {
    // The message would hold the name, and the name may hold a key.
    const { code = 'EUNKNOWN' } = error as { readonly code?: string }
    return ABSENT.has(code) ? { kind: 'absent' } : { kind: 'failed', code }
  }
}

/** Runs at most `limit` tasks at the same time, in the order they came. */
function createTurns(limit: number) {
  const waiting: (() => void)[] = []
  let running = 0
  const pass = () => {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running < limit) running += 1
    else await new Promise<void>((start) => waiting.push(start))
    return task().finally(pass)
  }
}
