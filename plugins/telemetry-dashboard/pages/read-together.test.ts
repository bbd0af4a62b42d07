// Reads of one turn as a page asks for them: one request, and what becomes of each.
import { type Api, type KeelsonPage, RequestError } from '@keelson/ui'
import { test } from 'tap'
import { readTogether } from './read-together.ts'

/** A page whose fetch is answered by hand; reads that go to their own address answer with it. */
function openReads(token?: () => string) {
  const asked: { path: string; signal: AbortSignal; answer(response: Response): void }[] = []
  const alone: string[] = []
  const page = {
    getToken: token,
    page: {
      signIn: '/sign-in',
      fetch: (path: string, { signal }: { signal: AbortSignal }) =>
        new Promise<Response>((answer) => asked.push({ path, signal, answer }))
    }
  }
  const single = async (path: string) => {
    alone.push(path)
    return path
  }
  const read = readTogether(page as unknown as KeelsonPage, single as Api['read'])
  return { read, asked, alone }
}

const turn = () => new Promise((resolve) => setTimeout(resolve))
const line = (at: number, status: number, body: unknown) =>
  `${JSON.stringify({ at, status, body })}\n`

test('reads of one turn go in one request, and each has its own answer', async (t) => {
  const { read, asked } = openReads()
  const all = Promise.allSettled([read('/api/a?x=1'), read('/api/b'), read('/api/c')])
  await turn()
  t.equal(asked.length, 1)
  t.same(new URL(asked[0]?.path ?? '', 'http://x').searchParams.getAll('read'), [
    '/api/a?x=1',
    '/api/b',
    '/api/c'
  ])
  const refused = { error: 'validation_failed', message: 'No.' }
  asked[0]?.answer(new Response(line(2, 200, 'C') + line(0, 200, 'A') + line(1, 400, refused)))
  const [a, b, c] = await all
  t.same(
    [a, c],
    [
      { status: 'fulfilled', value: 'A' },
      { status: 'fulfilled', value: 'C' }
    ]
  )
  t.match(b, { status: 'rejected', reason: { status: 400, message: 'No.' } })
})

test('an answer is there before the slower ones, in however many pieces it comes', async (t) => {
  const { read, asked } = openReads()
  const [first, second] = [read('/api/a'), read('/api/b')]
  await turn()
  const body = new TransformStream<Uint8Array, Uint8Array>()
  const writer = body.writable.getWriter()
  const write = (text: string) => void writer.write(new TextEncoder().encode(text))
  asked[0]?.answer(new Response(body.readable))
  const text = line(1, 200, 'B')
  write(text.slice(0, 7))
  write(text.slice(7))
  t.equal(await second, 'B')
  write(line(0, 200, 'A'))
  t.equal(await first, 'A')
})

test('one read, and reads with a token, go to their own address', async (t) => {
  const one = openReads()
  t.equal(await one.read('/api/a'), '/api/a')
  const shared = openReads(() => 'kse_x')
  await Promise.all([shared.read('/api/a'), shared.read('/api/b')])
  t.same([one.asked, shared.asked, shared.alone], [[], [], ['/api/a', '/api/b']])
})

test('where there is no such address, each goes to its own', async (t) => {
  const { read, asked } = openReads()
  const both = Promise.all([read('/api/a'), read('/api/b')])
  await turn()
  asked[0]?.answer(new Response('{}', { status: 404 }))
  t.same(await both, ['/api/a', '/api/b'])
})

test('what the request is refused with, each is refused with', async (t) => {
  const { read, asked } = openReads()
  const both = Promise.allSettled([read('/api/a'), read('/api/b')])
  await turn()
  asked[0]?.answer(Response.json({ error: 'unauthenticated' }, { status: 401 }))
  for (const one of await both) {
    t.match(one, { status: 'rejected', reason: { status: 401, signIn: '/sign-in' } })
    t.ok(one.status === 'rejected' && one.reason instanceof RequestError)
  }
})

test('a request that breaks off fails those that it has not answered', async (t) => {
  const { read, asked } = openReads()
  const both = Promise.allSettled([read('/api/a'), read('/api/b')])
  await turn()
  asked[0]?.answer(new Response(line(0, 200, 'A')))
  t.match(await both, [{ value: 'A' }, { status: 'rejected', reason: { status: 502 } }])
})

test('the request ends when none of its reads is needed any more, and not before', async (t) => {
  const { read, asked } = openReads()
  const [one, two] = [new AbortController(), new AbortController()]
  for (const { signal } of [one, two]) void read('/api/a', signal)
  await turn()
  one.abort()
  t.notOk(asked[0]?.signal.aborted)
  two.abort()
  t.ok(asked[0]?.signal.aborted)
})
