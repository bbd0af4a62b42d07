// A read that several wait for ends when the last of them has given up.
import { test } from 'tap'
import { createSharedReads } from './shared-reads.ts'

/** Ends as it is told to, and never else. */
const endless = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })

test('a read ends with the last who waits for it', async (t) => {
  const shared = createSharedReads(700, () => 0)
  const [one, other] = [new AbortController(), new AbortController()]
  let told: AbortSignal | undefined
  const read = (signal: AbortSignal) => {
    told = signal
    return endless(signal)
  }
  const answers = [one, other].map(({ signal }) => shared.share('a', read, signal))
  one.abort(new Error('gone'))
  t.equal(told?.aborted, false)
  other.abort(new Error('gone too'))
  for (const answer of answers) await t.rejects(answer, { message: 'gone too' })
  t.equal(await shared.share('a', async () => 'read again'), 'read again')
})

test('a read goes on for one who waits without a signal', async (t) => {
  const shared = createSharedReads(700, () => 0)
  const gone = new AbortController()
  let finish: (answer: string) => void = () => undefined
  const read = () =>
    new Promise<string>((resolve) => {
      finish = resolve
    })
  const answers = [shared.share('a', read, gone.signal), shared.share('a', read)]
  gone.abort()
  finish('done')
  t.same(await Promise.all(answers), ['done', 'done'])
})
