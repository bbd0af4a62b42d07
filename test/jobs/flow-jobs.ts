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
async function published(stage: Stage, name: string, steps: readonly object[]): Promise<string> {
  const slug = stage.slug(name)
  const trigger = { type: 'event', eventName: slug, once: true }
  await stage.call('POST', 'flows', { slug, name: stage.named(name), trigger })
  await stage.call('PATCH', `flows/${slug}/draft`, { steps })
  await stage.call('POST', `flows/${slug}/publish`, { enable: true })
  return slug
}

/** An event of a customer counts once a day. */
const VISITORS = { mouse: 'u12', keyboard: 'u13', touch: 'u14' } as const
const WAITING = [{ type: 'wait', value: 5, unit: 'days' }]

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
      const visitor = VISITORS[stage.way]
      await stage.call('POST', '/shop/visits', { externalId: visitor })
      const isIn = (runs: readonly { externalId: string }[]) =>
        runs.some(({ externalId }) => externalId === visitor)
      await stage.until(`flows/${slug}/runs`, isIn)
      await hand.press('Runs')
      const address = `${visitor.replace('u', 'user')}@example.test`
      await hand.press(hand.page.locator('tr[data-id]').filter({ hasText: address }))
      await hand.see('Stop run')
    }
  },
  {
    name: 'Pause; edit a live flow',
    async run(hand, stage) {
      const slug = await published(stage, 'edited', WAITING)
      await stage.open(`flow/${slug}`)
      await hand.press(hand.page.locator('[data-path="0"]'))
      await hand.type('Amount', '2')
      await hand.press('Close')
      await hand.press('Publish v2')
      await hand.see('Publish version 2')
      await hand.press('Publish v2')
      await hand.see('Live v2')
      await hand.press('More')
      await hand.press('Pause')
      await hand.see('Paused v2')
    }
  }
]
