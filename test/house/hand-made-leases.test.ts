// A lease that is made by hand is found, and the list of exceptions only gets shorter.
import { test } from 'tap'

// Seen from test/dist/house.
const file = new URL('../../../.build/hand-made-leases.mjs', import.meta.url)
const { handMadeLeases, OWN_CLAIMS } = (await import(file.href)) as {
  handMadeLeases(
    modules: readonly { readonly path: string; readonly text: string }[],
    own?: Readonly<Record<string, string>>
  ): string[]
  OWN_CLAIMS: Readonly<Record<string, string>>
}

const found = (text: string) => handMadeLeases([{ path: 'plugins/shop/close-till.ts', text }], {})

for (const [name, text] of [
  ['a field of a row', 'interface TillRow { readonly claimedUntil?: Date }'],
  ['a field that is written', '{ $set: { lockedUntil: later } }'],
  ['a lease in a field', '{ $set: { tillLease: { id, until } } }'],
  [
    'a time that is asked for and moved on in one write',
    'await tills.findOneAndUpdate(\n{ dueAt: { $lte: now } },\n{ $set: { dueAt: new Date(now.getTime() + MINUTE_MS) } }\n)'
  ],
  [
    'the same in an update with a condition more',
    'await tills.updateOne(\n{ _id, $or: [{ busy: { $exists: false } }, { busy: { $lte: now } }] },\n{ $set: { busy: new Date(end) } }\n)'
  ]
] as const) {
  test(`a lease made by hand is found: ${name}`, async (t) => {
    t.match(found(text), [/^plugins\/shop\/close-till\.ts: .* use host\.lease/])
  })
}

for (const [name, text] of [
  ['the lease of the platform', "await host.lease('till', { seconds: 60 }, ({ keep }) => keep())"],
  ['its type in a context', 'readonly lease: TakeLease'],
  ['a time that is only asked for', 'tills.find({ dueAt: { $lte: now } })'],
  ['a time that is set', 'tills.updateOne({ _id }, { $set: { closedAt: now } })']
] as const) {
  test(`no lease: ${name}`, async (t) => {
    t.same(found(text), [])
  })
}

test('an exception has a reason, and one that is not needed is to go', async (t) => {
  const path = 'plugins/shop/close-till.ts'
  const own = { [path]: 'tills are a queue' }
  t.same(handMadeLeases([{ path, text: 'claimedUntil: Date' }], own), [])
  t.match(handMadeLeases([{ path, text: '' }], own), [/delete the exception/])
  t.ok(Object.values(OWN_CLAIMS).every((reason) => reason.length > 10))
})
