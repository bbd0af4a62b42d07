// Mails of a process that was killed: what its journal says of each becomes of it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { newSend, recordingSends } from '../../test/recording-sends.ts'
import { keyOf, lineOf, markLine } from '../journal/journal-lines.ts'
import { ownMark } from '../journal/process-mark.ts'
import { queueSends } from './queue-sends.ts'

const own = ownMark()
const NAME = '0123456789abcdef'
const skip = own === undefined

/** c1 was accepted, c2 on its way, c3 refused, c4 recorded ahead; c5 has another journal. */
async function killed(t: Test) {
  const folder = t.testdir({})
  const opened = await recordingSends(t, { config: { handOverJournalDir: folder } })
  const { context } = opened
  await queueSends(
    context,
    ['c1', 'c2', 'c3', 'c4', 'c5'].map((id) => newSend(id))
  )
  const idOf = async (id: string) => keyOf((await opened.rowOf(id))._id, 1)
  const at = context.clock.now()
  const { sends } = context.collections
  const attempt = { number: 1, at, provider: 'recording', messageId: '<m@acme.test>' }
  const sending = {
    handoff: 'sending',
    status: 'sending',
    handedAt: at,
    firstAttemptAt: at
  } as const
  await sends.updateMany({}, { $set: { ...sending, attempt: { ...attempt, journal: NAME } } })
  await sends.updateOne({ externalId: 'c5' }, { $set: { 'attempt.journal': 'f'.repeat(16) } })
  const lines = [
    lineOf(await idOf('c1'), { kind: 'open' }),
    lineOf(await idOf('c1'), { kind: 'accepted', providerMessageId: 'p1' }),
    lineOf(await idOf('c2'), { kind: 'open' }),
    lineOf(await idOf('c3'), { kind: 'open' }),
    lineOf(await idOf('c3'), { kind: 'refused' })
  ]
  const ended = { machine: own?.machine ?? '', pid: 2 ** 30, began: 1 }
  writeFileSync(join(folder, NAME), markLine(ended) + lines.join(''))
  return opened
}

test('what was accepted is sent, what did not leave goes now, what was on its way is unknown', {
  skip
}, async (t) => {
  const opened = await killed(t)
  const { sent, run, context } = opened
  await run()
  t.match(await opened.rowOf('c1'), { status: 'sent', providerMessageId: 'p1', sentAt: Date })
  t.match(await opened.rowOf('c2'), { status: 'unknown' })
  t.match(await opened.rowOf('c3'), { status: 'sent', attempt: { number: 1 } })
  t.match(await opened.rowOf('c4'), { status: 'sent', attempt: { number: 1 } })
  t.match(await opened.rowOf('c5'), { status: 'unknown' })
  t.same(sent.map(({ to }) => to).toSorted(), ['c3@example.test', 'c4@example.test'])
  const outcomes = await context.collections.outcomes.find({ type: 'accepted' }).toArray()
  t.equal(outcomes.length, 3, 'the feed has those that were sent')
})

test('a mail that did not leave and is held now looks as before its attempt', {
  skip
}, async (t) => {
  const opened = await killed(t)
  const { sends } = opened.context.collections
  await sends.updateOne({ externalId: 'c4' }, { $set: { templateSlug: 'none' } })
  await opened.run()
  const row = await opened.rowOf('c4')
  t.match(row, { status: 'failed', exitReason: 'template_missing' })
  t.same([row.attempt, row.handedAt, row.firstAttemptAt], [undefined, undefined, undefined])
})
