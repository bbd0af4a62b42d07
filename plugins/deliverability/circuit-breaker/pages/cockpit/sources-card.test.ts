// What is said of a source that sends for a domain.
import { test } from 'tap'
import { type SourceVerdict, sourceVerdict } from './sources-card.ts'

const cases: readonly (readonly [string | null, boolean, number, number, SourceVerdict])[] = [
  [null, false, 0, 61, 'unknown'],
  [null, false, 50, 61, 'unknown'],
  [null, false, 100, 100, 'unnamed'],
  ['Own server', false, 9_190, 9_204, 'good'],
  ['Own server', false, 60, 100, 'failing'],
  ['Mailing list', true, 0, 97, 'ignored'],
  [null, false, 0, 0, 'unknown']
]
for (const [label, ignored, aligned, messages, verdict] of cases) {
  test(`${label ?? 'a source without a name'} with ${aligned} of ${messages} aligned is ${verdict}`, async (t) => {
    t.equal(sourceVerdict({ label, ignored, aligned, messages }), verdict)
  })
}
