// The operations that tell rows and people apart: what reaches the store, and what is refused.
import { test } from 'tap'
import { ask, dashboardApp, fakeStore, NOW, PERSON } from './fake-store.ts'

const WEEK = { from: new Date(NOW.getTime() - 7 * 86_400_000), to: NOW }

test('each of them reaches the store in the scope of the viewer, with range and caps', async (t) => {
  const cases = [
    [
      '/breakdown?by=attr:source&alsoBy=service&kind=event&measure=sum:load_ms&interval=day&limit=5',
      'breakdown',
      {
        ...WEEK,
        by: 'attr:source',
        alsoBy: 'service',
        filters: { kind: 'event' },
        measure: 'sum:load_ms',
        interval: 'day',
        limit: 5
      }
    ],
    [
      '/breakdown?by=release&newest=10000&contains=1.3',
      'breakdown',
      {
        ...WEEK,
        by: 'release',
        filters: {},
        measure: 'count',
        limit: 50,
        newest: 10_000,
        contains: '1.3'
      }
    ],
    [
      '/durations?by=attr:route&service=web&limit=900',
      'durations',
      { ...WEEK, by: 'attr:route', filters: { service: 'web' }, limit: 50 }
    ],
    [
      '/breakdown?by=service&limit=900',
      'breakdown',
      { ...WEEK, by: 'service', filters: {}, measure: 'count', limit: 900 }
    ],
    [
      '/breakdown?by=service&limit=900&interval=day',
      'breakdown',
      { ...WEEK, by: 'service', filters: {}, measure: 'count', limit: 50, interval: 'day' }
    ],
    [
      '/issues?sort=people&contains=card',
      'issues',
      { ...WEEK, filters: {}, limit: 200, sort: 'people', contains: 'card' }
    ],
    [
      '/issues?name=app.error&attrs=code:E_1&exclude=service:web&interval=day&limit=900',
      'issues',
      {
        ...WEEK,
        filters: {
          name: 'app.error',
          attrs: new Map([['code', 'E_1']]),
          exclude: [{ field: 'service', value: 'web' }]
        },
        interval: 'day',
        limit: 900
      }
    ],
    ['/issues?limit=5000', 'issues', { ...WEEK, filters: {}, limit: 1000 }],
    [
      '/usage?by=billedTo&sums=cost_usd,tokens',
      'usageTotals',
      { ...WEEK, by: 'billedTo', filters: {}, sums: ['cost_usd', 'tokens'], limit: 50 }
    ],
    [
      '/retention?anchor=signed_up&activity=daily_active&interval=week',
      'retention',
      { ...WEEK, anchor: 'signed_up', activity: 'daily_active', interval: 'week', limit: 5000 }
    ],
    [
      '/funnel/people?stages=a,b&stage=b&outcome=missed',
      'funnelPeople',
      { ...WEEK, stages: ['a', 'b'], stage: 'b', outcome: 'missed', limit: 5000, most: 500 }
    ],
    [
      '/funnel/people?stages=a,b&stage=b&limit=50&cohort=900',
      'funnelPeople',
      { ...WEEK, stages: ['a', 'b'], stage: 'b', limit: 900, most: 50 }
    ],
    [
      '/funnel/events?steps=a,b&order=any&window=7d&by=attr:x&did=c&didNot=d',
      'eventFunnel',
      {
        ...WEEK,
        filters: { did: 'c', didNot: 'd' },
        steps: ['a', 'b'],
        order: 'any',
        by: 'attr:x',
        windowMs: 604_800_000
      }
    ],
    [
      '/retention/events?first=a&again=b&interval=day',
      'eventRetention',
      { ...WEEK, filters: {}, first: 'a', again: 'b', interval: 'day' }
    ],
    [
      '/metrics/series?metric=m&measure=p95&by=attr:x&interval=hour',
      'metricSeries',
      { ...WEEK, filters: {}, metric: 'm', measure: 'p95', by: 'attr:x', interval: 'hour' }
    ]
  ] as const
  for (const [path, op, params] of cases) {
    const store = fakeStore()
    const { status } = await ask(await dashboardApp(store), PERSON, 'GET', path)
    t.equal(status, 200, path)
    t.same(store.asked, [{ op, scope: 'acme', params }], path)
  }
})

test('what is missing or cannot be read is refused and named', async (t) => {
  const app = await dashboardApp(fakeStore())
  const cases = [
    ['/breakdown', /^by is missing/],
    ['/durations', /^by is missing/],
    ['/breakdown?by=name&interval=year', /^interval /],
    ['/breakdown?by=name&measure=median:x', /^measure /],
    ['/breakdown?by=name&limit=0', /^limit /],
    ['/usage', /^by is missing/],
    ['/usage?by=meter&sums=a,b,c,d,e,f,g,h,i', /^sums /],
    ['/usage?by=meter&from=never', /^invalid time range$/],
    ['/retention?activity=x', /^anchor is missing/],
    ['/retention?anchor=x', /^activity is missing/],
    ['/retention?anchor=x&activity=y&interval=hour', /^interval /],
    ['/funnel/events?steps=a&window=7', /^window /],
    ['/funnel/events', /^steps required$/],
    ['/breakdown?by=name&didNot=x', /^didNot needs did$/],
    ['/metrics/series', /^metric required$/],
    ['/funnel/people?stage=a', /^funnel stages required$/],
    ['/funnel/people?stages=a', /^stage is missing/],
    ['/funnel/people?stages=a&stage=a&outcome=lost', /^outcome /]
  ] as const
  for (const [path, error] of cases) {
    const answer = await ask(app, PERSON, 'GET', path)
    t.equal(answer.status, 400, path)
    t.match(answer.body['error'], error, path)
  }
})
