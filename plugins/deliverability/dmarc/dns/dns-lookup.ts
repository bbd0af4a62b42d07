// Asks the configured DNS servers; their answer is a value.
import { Resolver } from 'node:dns/promises'

/** What servers say about a name. */
export type DnsAnswer<T> =
  | { readonly kind: 'found'; readonly values: readonly T[] }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly code: string }

/** Questions. The names of TXT records come with their parts joined. */
export interface Dns {
  txt(name: string): Promise<DnsAnswer<string>>
  mx(name: string): Promise<DnsAnswer<string>>
  /** IPv4 or IPv6. */
  addresses(name: string): Promise<DnsAnswer<string>>
  /** The names of an address. */
  names(ip: string): Promise<DnsAnswer<string>>
}

export interface DnsOptions {
  /** As `192.0.2.1:53`. Default: those of the system. */
  readonly servers?: readonly string[] | undefined
  /** Ends all waiting questions. */
  readonly signal: AbortSignal
}

const ABSENT = new Set(['ENOTFOUND', 'ENODATA'])

/** The questions of one run: a name that is asked twice is looked up once. */
export function createDns({ servers, signal }: DnsOptions): Dns {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  signal.addEventListener('abort', () => resolver.cancel(), { once: true })
  const known = new Map<string, Promise<DnsAnswer<string>>>()
  const ask = (type: string, name: string, question: () => Promise<readonly string[]>) => {
    const key = `${type} ${name}`
    const answer = known.get(key) ?? answerOf(question)
    known.set(key, answer)
    return answer
  }
  return {
    txt: (name) =>
      ask('TXT', name, async () =>
        (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
      ),
    mx: (name) =>
      ask('MX', name, async () => (await resolver.resolveMx(name)).map((one) => one.exchange)),
    names: (ip) => ask('PTR', ip, () => resolver.reverse(ip)),
    async addresses(name) {
      const four = await ask('A', name, () => resolver.resolve4(name))
      return four.kind === 'absent' ? ask('AAAA', name, () => resolver.resolve6(name)) : four
    }
  }
}

async function answerOf(question: () => Promise<readonly string[]>): Promise<DnsAnswer<string>> {
  try {
    return { kind: 'found', values: await question() }
  } catch (error) {
    const { code = 'EUNKNOWN' } = error as { readonly code?: string }
    return ABSENT.has(code) ? { kind: 'absent' } : { kind: 'failed', code }
  }
}
