// The verdict of a canary: safe only when the run is what the simulation foretold.
import { test } from 'tap'
import { type Lived, type Planned, verdictOf } from './decide-verdict.ts'

const planned: Planned = {
  sends: ['a', 'b'],
  terminal: { kind: 'completed', reason: null },
  reasons: []
}
const mail = (templateSlug: string, status = 'sent') => ({
  id: templateSlug,
  templateSlug,
  status,
  reason: status === 'sent' ? null : 'why'
})
const lived: Lived = {
  isNew: true,
  status: 'completed',
  exitReason: null,
  sends: [mail('a'), mail('b', 'delivered')]
}
const codes = (plan: Planned, run: Lived) => verdictOf(plan, run).map(({ code }) => code)

test('a run that ends and mails as foretold is safe', async (t) => {
  t.same(codes(planned, lived), [])
})

test('each difference is a reason', async (t) => {
  t.same(codes(planned, { ...lived, isNew: false }), ['was_in_it'])
  t.same(codes(planned, { ...lived, status: 'active' }), ['not_finished'])
  t.same(codes(planned, { ...lived, status: 'exited' }), ['other_end'])
  t.same(codes(planned, { ...lived, sends: [mail('b'), mail('a')] }), ['other_sends'])
  const held = { ...lived, sends: [mail('a'), mail('b', 'deferred')] }
  t.match(verdictOf(planned, held), [{ code: 'send_failed', message: /b is deferred: why/ }])
  const closed = { ...planned, reasons: ['The contact is not subscribed.'] }
  t.same(codes(closed, lived), ['would_not_enter'])
})
