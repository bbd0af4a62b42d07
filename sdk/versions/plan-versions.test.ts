// Drafts and versions as values: what is stored, refused, or unchanged.
import fc from 'fast-check'
import { test } from 'tap'
import { clashOf, isUnchanged, nextVersion, storedDraft } from './plan-versions.ts'

const anyRow = fc.record({ version: fc.nat(5), revision: fc.option(fc.nat(5), { nil: undefined }) })

test('a change that was planned on another revision is refused', async (t) => {
  const table = [
    [{}, {}, undefined],
    [{}, { ifRevision: 0 }, undefined],
    [{ revision: 3 }, { ifRevision: 3, since: 3 }, undefined],
    [{ revision: 3 }, { ifRevision: 2 }, 'draft_conflict'],
    [{ revision: 3 }, { since: 2 }, 'conflict'],
    [{ revision: 3 }, { ifRevision: 2, since: 2 }, 'draft_conflict']
  ] as const
  for (const [row, expected, clash] of table) t.equal(clashOf(row, expected), clash)
})

test('a draft that equals what is published is not stored, and makes no version', async (t) => {
  const property = fc.property(anyRow, fc.jsonValue(), (row, draft) => {
    const isSame = isUnchanged(row, draft, structuredClone(draft))
    return isSame === row.version > 0 && !isUnchanged(row, [draft], draft)
  })
  t.doesNotThrow(() => fc.assert(property))
  t.equal(storedDraft({ version: 1 }, { steps: [] }, { steps: [] }), null)
  t.same(storedDraft({ version: 0 }, { steps: [] }, { steps: [] }), { steps: [] })
  t.same(storedDraft({ version: 1 }, {}, { notes: 'later' }), { notes: 'later' })
})

test('versions count up from one', async (t) => {
  const now = new Date(0)
  t.same(nextVersion({ version: 0 }, { now, by: 'human:ann' }), {
    version: 1,
    publishedAt: now,
    publishedBy: 'human:ann'
  })
})
