// Settings in words: every one has its section and its words, values have units, and what is usual is said.
import { createFormat } from '@keelson/ui'
import { test } from 'tap'
import { fileSettings } from '../../ledger/schema.ts'
import { linesOf } from './setting-lines.ts'
import { SECTIONS } from './setting-sections.ts'
import de from './setting-texts.de.json' with { type: 'json' }
import en from './setting-texts.en.json' with { type: 'json' }

const catalog: Readonly<Record<string, unknown>> = en
const told = {
  format: createFormat('en'),
  t: (key: string, values: Readonly<Record<string, string | number>> = {}) => {
    const text = catalog[key] ?? key
    const form = typeof text === 'string' ? text : (text as { other: string }).other
    return form.replaceAll(/\{(\w+)\}/g, (_all, name) => String(values[name]))
  }
}

test('each setting without a secret is in one section and has words in each language', (t) => {
  const shown = Object.values(SECTIONS).flat() as string[]
  const settings = Object.entries(fileSettings).flatMap(([name, schema]) =>
    (schema as { secret?: boolean }).secret === true ? [] : [name]
  )
  t.same(shown.toSorted(), settings.toSorted())
  for (const texts of [en, de] as readonly Readonly<Record<string, unknown>>[])
    for (const name of shown)
      t.ok(texts[`setting.of.${name}`] && texts[`setting.what.${name}`], name)
  t.end()
})

const cases: readonly (readonly [string, unknown, unknown, object])[] = [
  ['trackOpens', true, true, [{ value: 'on', usual: true }]],
  ['trackOpens', false, true, [{ value: 'off', usual: 'on' }]],
  ['softBounceSuppressionDays', 90, 90, [{ value: '90 days', usual: true }]],
  ['providerPatienceHours', 2, 72, [{ value: '2 hours', usual: '72 hours' }]],
  ['broadcastConfirmationThreshold', 50, 1_000, [{ value: '50 people', usual: '1000 people' }]],
  ['senderAddress', null, null, [{ value: 'not set', isSet: false }]],
  ['linkDomains', ['a.test', 'b.test'], null, [{ value: 'a.test, b.test' }]],
  ['fromDefaults', { name: 'Acme', email: 'a@acme.test' }, null, [{ value: 'Acme <a@acme.test>' }]],
  ['categories', [{ id: 'news', label: 'Newsletter' }], null, [{ value: 'Newsletter' }]],
  [
    'senderDomains',
    { 'acme.test': { kind: 'both' } },
    null,
    [{ part: 'acme.test', value: 'marketing and transactional' }]
  ],
  [
    'broadcastStopRules',
    { enabled: true, hardBounceRatePct: 3 },
    { enabled: true, hardBounceRatePct: 2 },
    [
      { part: 'Stop by themselves', value: 'on', usual: true },
      { part: 'Hard bounces', value: '3%', usual: '2%' }
    ]
  ],
  [
    'broadcastStopRules',
    { hardBounceRatePct: 3 },
    { enabled: true },
    [
      { part: 'Hard bounces', value: '3%' },
      { part: 'Stop by themselves', value: 'on', usual: true }
    ]
  ],
  ['contactPolicy', null, null, [{ value: 'not set', isSet: false }]],
  [
    'contactPolicy',
    { maxPerRollingDays: { days: 7, count: 3 } },
    null,
    [
      { part: 'Limit counted over', value: '7 days' },
      { part: 'Mails at most', value: '3 mails' }
    ]
  ]
]
for (const [name, value, usual, lines] of cases) {
  test(`${name} ${JSON.stringify(value)} is said in words`, async (t) => {
    t.match(linesOf({ name, value, default: usual }, told), lines)
  })
}
