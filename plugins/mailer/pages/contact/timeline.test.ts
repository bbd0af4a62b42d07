import { test } from 'tap'
import {
  type ContactDetail,
  type ContactSend,
  entriesByDay,
  momentsOf,
  timelineOf
} from './timeline.ts'

const send = (fields: Partial<ContactSend>): ContactSend =>
  ({ _id: 's', status: 'sent', queuedAt: '2026-11-20T10:00:00.000Z', ...fields }) as ContactSend
const contact = (fields: Partial<ContactDetail>): ContactDetail =>
  ({
    subscription: null,
    recentEvents: [],
    recentLeftOut: [],
    recentNotEntered: [],
    recentSends: [],
    activeRuns: [],
    endedRuns: [],
    consent: [],
    reach: { categories: [{ id: 'news', label: 'Newsletter' }] },
    planned: [],
    ...fields
  }) as unknown as ContactDetail

test('a mail carries what became of it in order, machines marked as such', async (t) => {
  const moments = momentsOf(
    send({
      deliveredAt: '2026-11-20T10:00:02.000Z',
      opens: [
        { openedAt: '2026-11-20T11:00:00.000Z' },
        { openedAt: '2026-11-20T10:00:04.000Z', machine: ['proxy'] }
      ],
      clickedLinks: [
        { url: 'https://a.test/', linkId: 'l', clickedAt: '2026-11-20T11:00:09.000Z' }
      ],
      unsubscribedAt: '2026-11-21T00:00:00.000Z'
    })
  )
  t.same(
    moments.map(({ what, machine, detail }) => [what, machine !== undefined, detail]),
    [
      ['delivered', false, undefined],
      ['opened', true, undefined],
      ['opened', false, undefined],
      ['clicked', false, 'https://a.test/'],
      ['unsubscribed', false, undefined]
    ]
  )
})

test('mails that wait come first, then everything by time, the newest first', async (t) => {
  const entries = timelineOf(
    contact({
      recentSends: [
        send({ _id: 'old', sentAt: '2026-11-20T10:00:05.000Z' }),
        send({ _id: 'held', status: 'held', queuedAt: '2026-11-19T00:00:00.000Z' })
      ],
      planned: [
        send({ _id: 'held', status: 'held', queuedAt: '2026-11-19T00:00:00.000Z' }),
        send({ _id: 'later', status: 'queued', dueAt: '2026-11-24T00:00:00.000Z' })
      ],
      recentEvents: [
        { _id: 'e', name: 'order.placed', occurredAt: '2026-11-20T12:00:00.000Z' }
      ] as unknown as ContactDetail['recentEvents'],
      recentLeftOut: [
        { broadcast: 'news', reason: 'not_subscribed', at: '2026-11-19T09:00:00.000Z' },
        { broadcast: 'sale', reason: 'policy', at: '2026-11-19T09:00:00.000Z' }
      ] as unknown as ContactDetail['recentLeftOut'],
      activeRuns: [
        {
          _id: 'r',
          enteredAt: '2026-11-18T12:00:00.000Z',
          nextActionAt: '2026-11-22T12:00:00.000Z'
        }
      ] as unknown as ContactDetail['activeRuns'],
      consent: [
        { at: '2026-11-15T08:03:00.000Z', what: 'asked' },
        { at: '2026-11-15T08:03:02.000Z', what: 'confirmed' },
        { at: '2026-11-15T09:00:00.000Z', what: 'categoryOff', category: 'news' }
      ]
    })
  )
  t.same(
    entries.map(({ id }) => id),
    [
      'send later',
      'next r',
      'send held',
      'event e',
      'send old',
      'leftOut news',
      'run r',
      'consent 2 categoryOff',
      'consent 1 confirmed',
      'consent 0 asked'
    ]
  )
  t.same(
    entries.flatMap(({ consent }) => consent?.category ?? []),
    ['Newsletter']
  )
  t.same(
    entries.map(({ isPlanned }) => isPlanned),
    [true, true, true, false, false, false, false, false, false, false]
  )
})

test('days follow each other, what is planned has none', async (t) => {
  const entries = timelineOf(
    contact({
      recentSends: [
        send({ _id: 'a', sentAt: '2026-11-20T10:00:00.000Z' }),
        send({ _id: 'b', sentAt: '2026-11-20T09:00:00.000Z' }),
        send({ _id: 'c', sentAt: '2026-11-18T09:00:00.000Z' })
      ],
      planned: [send({ _id: 'q', status: 'queued' })]
    })
  )
  t.same(
    entriesByDay(entries, (at) => at.slice(0, 10)).map(({ day, entries: own }) => [
      day,
      own.map(({ id }) => id)
    ]),
    [
      [undefined, ['send q']],
      ['2026-11-20', ['send a', 'send b']],
      ['2026-11-18', ['send c']]
    ]
  )
})

test('a run that ended is listed when it began and when it ended, with the reason', async (t) => {
  const run = {
    _id: 'r',
    flowSlug: 'onboarding',
    flowVersion: 1,
    status: 'exited' as const,
    path: '1',
    enteredAt: '2026-11-20T10:00:00.000Z',
    exitedAt: '2026-11-21T10:00:00.000Z',
    exitReason: 'flow_stopped'
  }
  t.match(timelineOf(contact({ endedRuns: [run] })), [
    { at: run.exitedAt, isPlanned: false, isEnd: true, run: { exitReason: 'flow_stopped' } },
    { at: run.enteredAt, isPlanned: false, run: { flowSlug: 'onboarding' } }
  ])
})
