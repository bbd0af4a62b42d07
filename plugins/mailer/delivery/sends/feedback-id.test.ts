// The Feedback-ID of marketing mail.
import { test } from 'tap'
import { feedbackId } from './feedback-id.ts'

const templateSlug = 'news'

test('a Feedback-ID names campaign, template and origin, and the sender last', async (t) => {
  const sender = /^[0-9a-f]{12}$/
  const origins = [
    [{ broadcastSlug: 'may' }, 'may:news:broadcast'],
    [{ flowSlug: 'welcome' }, 'welcome:news:flow'],
    [{ campaign: { kind: 'program', slug: 'activation' } }, 'activation:news:program'],
    [{}, 'single:news:single']
  ] as const
  for (const [origin, expected] of origins) {
    const fields = feedbackId({ templateSlug, ...origin } as never, 'acme.test').split(':')
    t.equal(fields.slice(0, 3).join(':'), expected)
    t.match(fields[3], sender)
    t.equal(fields.length, 4)
  }
})

test('the sender is the same in all mail of a domain, and another for another domain', async (t) => {
  const senderOf = (domain: string, flowSlug: string) =>
    feedbackId({ templateSlug, flowSlug }, domain).split(':')[3]
  t.equal(senderOf('acme.test', 'a'), senderOf('acme.test', 'b'))
  t.not(senderOf('acme.test', 'a'), senderOf('other.test', 'a'))
})
