// W3C trace context, read and written.
import { test } from 'tap'
import { readTraceparent, traceContext, writeTraceparent } from './trace-context.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'

test('a valid header goes on with the trace of its caller', async (t) => {
  const context = traceContext(`00-${traceId}-${spanId}-01`)
  t.equal(context.traceId, traceId)
  t.equal(context.parentId, spanId)
  t.match(context.spanId, /^[0-9a-f]{16}$/)
  t.not(context.spanId, spanId)
  t.equal(context.isSampled, true)
})

test('without a header, with two, or with a wrong one a trace begins', async (t) => {
  const wrong = [
    undefined,
    [`00-${traceId}-${spanId}-01`],
    '',
    `ff-${traceId}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId}-${spanId}-01-more`
  ]
  for (const header of wrong) {
    const context = traceContext(header)
    t.match(context.traceId, /^[0-9a-f]{32}$/)
    t.not(context.traceId, traceId)
    t.equal(context.parentId, undefined)
  }
})

test('a later version may carry more', async (t) => {
  t.equal(readTraceparent(`01-${traceId}-${spanId}-00-more`)?.traceId, traceId)
})

test('what is written can be read', async (t) => {
  for (const flags of ['00', '01']) {
    const context = traceContext(`00-${traceId}-${spanId}-${flags}`)
    t.match(readTraceparent(writeTraceparent(context)), {
      traceId,
      spanId: context.spanId,
      isSampled: context.isSampled
    })
  }
})

test('ids differ', async (t) => {
  const ids = new Set(Array.from({ length: 2000 }, () => traceContext(undefined).spanId))
  t.equal(ids.size, 2000)
})
