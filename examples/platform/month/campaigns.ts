// What the marketers of the shop made in the month: segments, templates, flows, a program, broadcasts.

const MAIL = '/admin/mailer/api'
const everyone = { filters: [{ kind: 'subscriptionStatus', equals: 'subscribed' }] }

/** A request that makes something; a demo that has it answers 409. */
export interface Made {
  readonly method: 'POST' | 'PATCH'
  readonly path: string
  readonly body?: object
}

const segment = (slug: string, name: string, filters: readonly object[]): Made => ({
  method: 'POST',
  path: `${MAIL}/segments`,
  body: { slug, name, segmentDefinition: { filters } }
})

/** Written on the first day, in this order. */
export const FIRST_DAY: readonly Made[] = [
  segment('pro-customers', 'Pro customers', [{ kind: 'fieldEquals', field: 'plan', value: 'pro' }]),
  segment('beta-testers', 'Beta testers', [{ kind: 'hasTag', tag: 'beta' }]),
  segment('german-readers', 'Readers in Germany', [
    { kind: 'fieldEquals', field: 'country', value: 'DE' },
    { kind: 'subscriptionStatus', equals: 'subscribed' }
  ]),
  {
    method: 'POST',
    path: `${MAIL}/templates/newsletter/duplicate`,
    body: { slug: 'newsletter-question', name: 'Monthly notes, asked as a question' }
  },
  {
    method: 'PATCH',
    path: `${MAIL}/templates/newsletter-question/draft`,
    body: { subject: 'Have you seen what we shipped this month?', category: 'notes' }
  },
  { method: 'POST', path: `${MAIL}/templates/newsletter-question/publish` },
  {
    method: 'POST',
    path: `${MAIL}/flows`,
    body: {
      slug: 'after-an-order',
      name: 'After an order',
      description: 'Asks customers two days after an order whether all is well.',
      goal: 'A second order within a month.',
      trigger: { type: 'event', eventName: 'order.placed', once: true }
    }
  },
  {
    method: 'PATCH',
    path: `${MAIL}/flows/after-an-order/draft`,
    body: {
      steps: [
        { type: 'wait', value: 2, unit: 'days' },
        {
          type: 'branch',
          test: { fieldEquals: { field: 'plan', value: 'pro' } },
          ifTrueSteps: [{ type: 'tag', addTags: ['vip'] }],
          ifFalseSteps: [{ type: 'send', templateSlug: 'newsletter' }]
        },
        { type: 'wait', value: 5, unit: 'days' }
      ]
    }
  },
  { method: 'POST', path: `${MAIL}/flows/after-an-order/publish`, body: {} },
  { method: 'POST', path: `${MAIL}/flows/onboarding/resume`, body: {} },
  {
    method: 'POST',
    path: `${MAIL}/programs`,
    body: {
      slug: 'second-steps',
      name: 'Second steps',
      description: 'Brings new customers to their second step, one mail at a time.',
      draft: {
        trigger: { eventName: 'user.signed_up' },
        actions: [
          {
            id: 'invite-a-colleague',
            name: 'Invite a colleague',
            templateSlug: 'newsletter-question',
            priority: 2,
            satisfied: { fact: 'tag:team', equals: true },
            attempts: { max: 1, gapDays: 7 }
          }
        ],
        policy: { minGapDays: 7 },
        holdoutPct: 10
      }
    }
  },
  { method: 'POST', path: `${MAIL}/programs/second-steps/publish` },
  { method: 'POST', path: `${MAIL}/programs/second-steps/enable` }
]

/** A broadcast, and on which day of the month it leaves. */
export interface Planned {
  readonly day: number
  readonly broadcast: { readonly slug: string } & Readonly<Record<string, unknown>>
  /** How many of its addresses have no mailbox any more. */
  readonly bounces?: number
  /** Readers who leave the list, and who report it as spam. */
  readonly leave?: number
  readonly complain?: number
}

const marketing = { templateSlug: 'newsletter', segmentDefinition: everyone }

export const BROADCASTS: readonly Planned[] = [
  {
    day: 2,
    broadcast: {
      ...marketing,
      slug: 'autumn-notes',
      name: 'Autumn notes',
      splitTest: {
        variants: [
          { name: 'Three things', templateSlug: 'newsletter' },
          { name: 'A question', templateSlug: 'newsletter-question' }
        ],
        testPercent: 50,
        winner: 'human_opens',
        decideAfterHours: 4
      }
    }
  },
  {
    day: 9,
    leave: 3,
    complain: 1,
    broadcast: {
      ...marketing,
      slug: 'price-change',
      name: 'New prices from January',
      templateSlug: 'newsletter-question'
    }
  },
  { day: 16, bounces: 7, broadcast: { ...marketing, slug: 'winter-offer', name: 'Winter offer' } },
  {
    day: 23,
    broadcast: { ...marketing, slug: 'webinar', name: 'Webinar invitation', recipientCap: 60 }
  }
]

/** Drafts that wait for a person at the end of the month. */
export const DRAFTS: readonly Made[] = [
  {
    method: 'POST',
    path: `${MAIL}/broadcasts`,
    body: {
      ...marketing,
      slug: 'year-in-review',
      name: 'Year in review',
      segmentDefinition: { filters: [{ kind: 'segment', slug: 'pro-customers' }] }
    }
  }
]
