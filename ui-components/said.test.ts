// What the server says, in the language of the page.
import { test } from 'tap'
import { createFormat } from './format.ts'
import { saidWords } from './said.ts'

const TEXTS: Readonly<Record<string, string>> = {
  'said.late': '{count} Mails warten seit {since}.',
  'said.ask': 'Den Anbieter fragen.'
}
const words = {
  format: createFormat('de'),
  t: (key: string, values: Readonly<Record<string, string | number>> = {}) =>
    (TEXTS[key] ?? key).replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
}

test('sentences are worded by their codes, with times as the page writes them', async (t) => {
  const said = [
    { code: 'late', facts: { count: 3, since: '2026-11-21T14:02:11.000Z' } },
    { code: 'ask' }
  ]
  t.equal(
    saidWords({ message: 'English.', said }, words),
    '3 Mails warten seit 21. Nov. 2026, 14:02:11. Den Anbieter fragen.'
  )
})

const SPAM = [{ code: 'spam', facts: { rate: 0.4, date: '2026-11-20' } }]
const english = '0.4% at Gmail on 2026-11-20, read at 2026-11-21T14:02:11Z.'
const read = [{ code: 'read', facts: { at: '2026-11-21T14:02:11Z' } }]

test('a date is written as the page writes dates, in English sentences of the server too', async (t) => {
  const german = { ...words, t: (_key: string, { date = '' } = {}) => `Am ${date}.` }
  t.equal(saidWords({ message: english, said: SPAM }, german), 'Am 20. Nov. 2026.')
  t.equal(
    saidWords(
      { message: english, said: [...SPAM, ...read] },
      { ...words, format: createFormat('en-GB') }
    ),
    '0.4% at Gmail on 20 Nov 2026, read at 21 Nov 2026, 14:02:11.'
  )
  const west = { ...words, format: createFormat('en-GB', 'America/Los_Angeles') }
  t.match(saidWords({ message: english, said: SPAM }, west), 'on 20 Nov 2026,')
})

test('a message stays English as a whole when one of its sentences has no words', async (t) => {
  for (const said of [undefined, null, [], [{ code: 'ask' }, { code: 'other' }]])
    t.equal(saidWords({ message: 'English.', said }, words), 'English.')
})
