// What the tag of a mail says, in both languages.
import { test } from 'tap'
import { statusWord, type TaggedSend } from './status-tag.ts'
import german from './texts.de.json' with { type: 'json' }
import english from './texts.en.json' with { type: 'json' }

const at = '2026-11-21T14:02:11.000Z'
const cases: readonly (readonly [TaggedSend, string, string])[] = [
  [{ status: 'delivered' }, 'delivered', 'zugestellt'],
  [{ status: 'opened', humanOpenedAt: at }, 'opened', 'geöffnet'],
  [{ status: 'opened' }, 'opened by a machine', 'geöffnet (Maschine)'],
  [{ status: 'clicked', humanClickedAt: at }, 'clicked', 'geklickt'],
  [{ status: 'clicked', humanOpenedAt: at }, 'clicked by a machine', 'geklickt (Maschine)'],
  [{ status: 'complained' }, 'complained', 'beschwert']
]

for (const [send, inEnglish, inGerman] of cases)
  test(`a mail ${JSON.stringify(send)} is said to be ${inEnglish}`, async (t) => {
    const words = (texts: object) => (key: string) =>
      (texts as Readonly<Record<string, string>>)[key] ?? key
    t.equal(statusWord(send, words(english)), inEnglish)
    t.equal(statusWord(send, words(german)), inGerman)
  })
