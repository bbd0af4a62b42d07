// Jobs with flows: build one, simulate it, let people in, stop it, change it while it runs.
import type { Hand } from './hand.ts'
import type { Job, Stage } from './stage.ts'

/** Adds a step behind the one that is open. */
async function append(hand: Hand, kind: RegExp): Promise<void> {
  if (hand.way === 'keyboard') {
    await hand.key('Escape')
    await hand.key('a')
  } else {
    // On a phone the form of a step covers the canvas.
    if (hand.way === 'touch') await hand.press('Close')
    await hand.press('Add a step at the end')
  }
  await hand.press(kind)
  await hand.page.waitForURL(/[?&]step=/)
}

/** A flow with these steps, published. */
async function published(
  stage: Stage,
  name: string,
  steps: readonly object[],
  eventName = stage.slug(name)
): Promise<string> {
  const slug = stage.slug(name)
  const trigger = { type: 'event', eventName, once: true }
  await stage.call('POST', 'flows', { slug, name: stage.named(name), trigger })
  await stage.call('PATCH', `flows/${slug}/draft`, { steps })
  await stage.call('POST', `flows/${slug}/publish`, { enable: true })
  return slug
}

/** A visit that another hand makes enters the flow, too. */
const PAUSE = /^Pause with \d+ (person|people) in the flow\?/
const WAITING = [{ type: 'wait', value: 5, unit: 'days' }]

/** Lets a customer in who has not visited the shop today: an event counts once a day. */
async function enter(stage: Stage, slug: string, externalId: string): Promise<void> {
  await stage.call('POST', '/shop/visits', { externalId })
  const isIn = (runs: readonly { externalId: string }[]) =>
    runs.some((run) => run.externalId === externalId)
  await stage.until(`flows/${slug}/runs`, isIn)
}

/** A live flow that a visit starts, with one person in it. */
async function withPerson(stage: Stage, name: string, from: number): Promise<string> {
  const slug = await published(stage, name, WAITING, 'app.opened')
  const [number = 0] = stage.numbers(from, 1)
  await enter(stage, slug, `u${number}`)
  return slug
}

/** What became of the people in a flow. */
const runsOf = async (
  stage: Stage,
  slug: string
): Promise<readonly { readonly status: string }[]> => stage.call('GET', `flows/${slug}/runs`)

export const flowJobs: readonly Job[] = [
  {
    name: 'Welcome flow, 7 steps',
    async run(hand, stage) {
      await stage.open('flows')
      await hand.press('New flow')
      await hand.type('Name', stage.named('Welcome'))
      await hand.type('Event', 'user.signed_up')
      await hand.press('Create flow')
      await hand.page.waitForURL(/\/flow\/welcome-by-/)
      await hand.press('Add step')
      await hand.press(/^Send mail/)
      await hand.choose('Template', 'Monthly notes')
      await append(hand, /^Wait ?Minutes/)
      await hand.type('Amount', '3')
      await append(hand, /^Branch/)
      await hand.type(hand.page.locator('.rule input').first(), 'beta')
      await append(hand, /^Tag/)
      await hand.type('Add tags (comma separated)', 'welcomed')
      await append(hand, /^Wait for event/)
      await hand.type('Event', 'order.placed')
      await append(hand, /^Send mail/)
      await hand.choose('Template', 'Monthly notes')
      await append(hand, /^Exit/)
      await stage.until(`flows/${stage.slug('welcome')}`, ({ draft }) => draft?.steps.length === 7)
    }
  },
  {
    name: 'Simulate for a contact',
    async run(hand, stage) {
      await stage.open('flow/onboarding')
      await hand.press('Simulate')
      await hand.type(hand.page.getByPlaceholder('Contact ID or address'), 'u10')
      await hand.press('Run')
      await hand.see(/Completes|Ends|Exits/)
    }
  },
  {
    name: 'Enable, who is in it',
    async run(hand, stage) {
      const slug = stage.slug('entered')
      const trigger = { type: 'event', eventName: 'app.opened', once: true }
      await stage.call('POST', 'flows', { slug, name: stage.named('Entered'), trigger })
      await stage.call('PATCH', `flows/${slug}/draft`, { steps: WAITING })
      await stage.open(`flow/${slug}`)
      await hand.press('Publish v1')
      await hand.see('Publish version 1')
      await hand.press('Publish v1')
      await hand.see('Live v1')
      const [number = 0] = stage.numbers(12, 1)
      await enter(stage, slug, `u${number}`)
      await hand.press('Runs')
      const address = `user${number}@example.test`
      await hand.press(hand.page.locator('tr[data-id]').filter({ hasText: address }))
      await hand.see('Stop run')
    }
  },
  {
    name: 'Pause; edit a live flow with people in it, who finish',
    async run(hand, stage) {
      const slug = await withPerson(stage, 'edited', 100)
      await stage.open(`flow/${slug}`)
      await hand.press(hand.page.locator('[data-path="0"]'))
      await hand.type('Amount', '2')
      await hand.press('Close')
      await hand.press('Publish v2')
      await hand.see('Publish version 2')
      await hand.see(/runs? in progress keeps? the version/)
      await hand.press('Publish v2')
      await hand.see('Live v2')
      await hand.press('More')
      await hand.press('Pause')
      await hand.see(PAUSE)
      await hand.check('Let people finish')
      await hand.press('Pause')
      await hand.see('Paused v2')
      const runs = await runsOf(stage, slug)
      if (runs.some(({ status }) => status !== 'active')) throw new Error(JSON.stringify(runs))
    }
  },
  {
    name: 'Stop everybody in a flow now',
    async run(hand, stage) {
      const slug = await withPerson(stage, 'emptied', 110)
      await stage.open(`flow/${slug}`)
      await hand.press('More')
      await hand.press('Pause')
      await hand.see(PAUSE)
      await hand.check('Stop everybody now')
      await hand.press('Pause')
      await hand.see('Paused v1')
      await stage.until(`flows/${slug}/runs`, (runs: readonly { status: string }[]) =>
        runs.every(({ status }) => status === 'exited')
      )
    }
  }
]
