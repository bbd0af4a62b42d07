// The sentences of what a broadcast waits for.
import { createFormat } from '@keelson/ui'
import { test } from 'tap'
import { WAIT_REASONS } from '../../campaigns/broadcasts/waits-of-broadcast.ts'
import texts from './watch/texts.en.json' with { type: 'json' }
import { waitWords } from './words.ts'

const format = createFormat('en-GB', 'UTC')
const since = '2026-11-23T09:00:00.000Z'
const t = (key: string, values: Readonly<Record<string, string | number>> = {}) => {
  const text: unknown = (texts as Readonly<Record<string, unknown>>)[key]
  const chosen = typeof text === 'object' ? (text as { other: string }).other : text
  return String(chosen ?? key).replace(/\{(\w+)\}/g, (_, name: string) => `${values[name]}`)
}

const isNoWave = ({ reason }: { readonly reason: string }): boolean => reason !== 'wave'
const WAVE_CAUSES = ['time', 'mails', 'stop_rule', 'gate', 'manual']

test('each wait is one sentence with its number', async (tap) => {
  const until = '2026-11-24T08:00:00.000Z'
  const more = { message: 'Out of order.', provider: 'smtp' }
  const waits = [
    ...WAIT_REASONS.map((reason) => ({ reason, cause: 'quiet_hours' })).filter(isNoWave),
    ...WAVE_CAUSES.map((cause) => ({ reason: 'wave' as const, cause })),
    { reason: 'wave' as const }
  ]
  for (const { reason, ...cause } of waits) {
    const words = waitWords(
      { reason, count: 310, since, until, ...more, ...cause },
      {},
      { t, format }
    )
    tap.match(words, /^310 /, reason)
    tap.notMatch(words, /undefined|\{|broadcast\.wait/, reason)
  }
})

test('a window says why mail waits', async (tap) => {
  const window = { reason: 'window', count: 2, since, until: '2026-11-24T08:00:00.000Z' } as const
  const say = (cause: string) => waitWords({ ...window, cause }, {}, { t, format })
  tap.match(say('time_zone'), /zones of their recipients/)
  tap.match(say('warm_up'), /warm-up/)
  tap.match(say('quiet_hours'), /leftOut\.why\.quiet_hours/)
})
