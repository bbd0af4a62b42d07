// The calls to the shop that a story makes, and how its customers read their mail.
import { test } from 'tap'
import { requestsOfReader } from './mail-readers.ts'
import { chanceFrom } from './random.ts'
import { shopCalls } from './shop-calls.ts'
import { tellStory } from './story.ts'

const records = tellStory(chanceFrom(7), {
  from: new Date('2026-03-02T09:00:00Z'),
  to: new Date('2026-03-02T15:00:00Z'),
  visitorsPerHour: 100,
  userPrefix: 't-'
})

test('sign-ups and orders of a story become calls for customers who exist', (t) => {
  const calls = shopCalls(records, 7)
  const count = (path: string) => calls.filter((call) => call.path === path).length
  const told = (name: string) => records.filter((record) => record.name === name).length
  t.equal(count('/sign-ups'), told('account.signed_up'))
  t.equal(count('/orders'), told('order.placed'))
  t.ok(count('/orders') > 0 && count('/visits') > 0)
  for (const { body } of calls) {
    t.match(body['externalId'], /^u([1-9]|[1-9]\d|1\d\d|200)$/)
  }
  t.end()
})

test('the same seed makes the same orders, another seed others', (t) => {
  t.same(shopCalls(records, 7), shopCalls(records, 7))
  const idsOf = (seed: number) =>
    shopCalls(records, seed).flatMap(({ body }) => body['orderId'] ?? [])
  t.same(
    idsOf(8).filter((id) => idsOf(7).includes(id)),
    []
  )
  t.end()
})

test('some readers open a mail, fewer follow its link, and none more than it holds', (t) => {
  const html =
    '<img src="http://x.test/m/open/1.a.png"><a href="http://x.test/m/click/1/2/3?a=1&amp;b=2">Go</a>'
  const read = Array.from({ length: 200 }, (_, at) =>
    requestsOfReader({ to: [`user${at}@example.test`], subject: 'Hello', html })
  )
  const opened = read.filter(([address]) => address === 'http://x.test/m/open/1.a.png').length
  const clicked = read.filter(
    ([, address]) => address === 'http://x.test/m/click/1/2/3?a=1&b=2'
  ).length
  t.ok(opened > clicked && clicked > 0 && opened < 200, `${opened} opened, ${clicked} clicked`)
  t.same(requestsOfReader({ to: ['user1@example.test'], subject: '', html: '' }), [])
  t.end()
})
