// Reads that a page asks for in the same turn: one request, and each is answered as soon as its line is there.
import { type Api, type KeelsonPage, RequestError } from '@keelson/ui'
import type { ReadLine } from '../operations/read-many.ts'

type Read = Api['read']

interface Asked {
  readonly path: string
  readonly signal: AbortSignal | undefined
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** Reads of one request: as many as the server takes, and an address that every proxy takes. */
const MOST = 12

/** Reads of one turn are sent together. One alone goes to its own address, and so do all that bring a token. */
export function readTogether(page: KeelsonPage, read: Read): Read {
  let turn: Asked[] = []
  const send = () => {
    const asked = turn
    turn = []
    while (asked.length > 1) void sendMany(page, asked.splice(0, MOST), alone)
    asked.forEach(alone)
  }
  const alone = ({ path, signal, resolve, reject }: Asked) =>
    void read(path, signal).then(resolve, reject)
  return <T>(path: string, signal?: AbortSignal) =>
    new Promise<T>((resolve, reject) => {
      const one = { path, signal, resolve: resolve as Asked['resolve'], reject }
      // What a token opens is a list of reads: see `embeds.pages/v1`.
      if (page.getToken) return alone(one)
      if (turn.push(one) === 1) setTimeout(send)
    })
}

async function sendMany(
  page: KeelsonPage,
  asked: readonly Asked[],
  alone: (one: Asked) => void
): Promise<void> {
  const refusal = (status: number, body: unknown) => {
    const refused = new RequestError(status, body)
    if (status === 401) refused.signIn = page.page.signIn
    return refused
  }
  try {
    const reads = new URLSearchParams(asked.map(({ path }) => ['read', path]))
    const response = await page.page.fetch(`/api/reads?${reads}`, { signal: abortedWith(asked) })
    // The frame of an assistant calls operations alone.
    if (response.status === 404) return asked.forEach(alone)
    if (!response.ok) throw refusal(response.status, await response.json().catch(String))
    await eachLine(response, ({ at, status, body }) => {
      if (status < 300) asked[at]?.resolve(body)
      else asked[at]?.reject(refusal(status, body))
    })
    // The answer has broken off.
    throw refusal(502, null)
  } catch (error) {
    // Those that were answered are settled.
    for (const { reject } of asked) reject(error)
  }
}

/** Aborted when none of the answers is needed any more. */
function abortedWith(asked: readonly Asked[]): AbortSignal {
  const gone = new AbortController()
  let left = asked.length
  for (const { signal } of asked) signal?.addEventListener('abort', () => --left || gone.abort())
  return gone.signal
}

async function eachLine({ body }: Response, heard: (line: ReadLine) => void): Promise<void> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const piece = await reader?.read()
    if (!piece?.value) return
    const lines = (text + piece.value).split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) heard(JSON.parse(line))
  }
}
