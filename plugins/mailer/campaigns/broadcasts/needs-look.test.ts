// The recipients of a broadcast that a person should look at.
import { test } from 'tap'
import { recorded } from '../../test/sent-mail.ts'
import { listRecipients, type Recipients } from './read-broadcasts.ts'
import { openBench, people } from './test/broadcast-bench.ts'

test('recipients that need a look are listed by what is wrong, page by page', async (t) => {
  const bench = await openBench(t, { contacts: people(6) })
  const { context } = bench
  await bench.schedule()
  await bench.drain()
  const { sends } = context.collections
  const at = context.clock.now()
  const one = (externalId: string, facts: object) =>
    sends.updateOne({ externalId }, recorded(facts))
  await one('c000', { bouncedAt: at, bounceType: 'hard' })
  await one('c001', { handoff: 'unknown' })
  await one('c002', { bouncedAt: at, bounceType: 'soft' })
  await one('c003', { complainedAt: at })
  const { _id } = await bench.read()
  const listed: string[] = []
  let after: string | undefined
  do {
    const page = { needsLook: true, limit: 1, ...(after !== undefined && { after }) }
    const found: Recipients = await listRecipients(context, _id, page)
    listed.push(...found.recipients.map(({ externalId }) => externalId))
    after = found.nextCursor
  } while (after !== undefined)
  t.same(listed, ['c001', 'c000', 'c002', 'c003'])
})
