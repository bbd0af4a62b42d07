// Jobs with broadcasts: choose who gets one, send it in waves, watch it, let a stopped one go on, send it again.
import type { Hand } from './hand.ts'
import type { Job, Stage } from './stage.ts'

const STOP = { minSample: 5, hardBounceRatePct: 2 }

/** Types the number of people or mails that the dialog counts. */
async function confirm(hand: Hand, label: string | RegExp, count: number): Promise<void> {
  await hand.type(label, String(count))
  await hand.see('Matches the count.')
}

/** A broadcast whose first mails bounced, and which its stop rule paused. */
async function stopped(stage: Stage): Promise<string> {
  const addresses = stage
    .numbers(60, 12)
    .slice(0, 2)
    .map((number) => `user${number}@example.test`)
  await stage.call('PUT', '/dev/mailbox/unknown-addresses', { addresses })
  const segmentDefinition = await stage.audience('stopped', 60, 12)
  const slug = await stage.started('stopped', {
    segmentDefinition,
    recipientCap: 10,
    stopRules: STOP
  })
  await stage.until(`broadcasts/${slug}`, ({ pauseReason }) => pauseReason?.code === 'stop_rule')
  return slug
}

export const broadcastJobs: readonly Job[] = [
  {
    name: 'Segment',
    async run(hand, stage) {
      await stage.open('segments')
      await hand.press('New segment')
      await hand.type('Name', stage.named('Beta testers on pro'))
      await hand.press('Add filter')
      await hand.type('Tag', 'beta')
      await hand.press('Add filter')
      await hand.choose('Filter 2', 'field equals')
      await hand.type('Field', 'plan')
      await hand.type('Value', 'pro')
      await hand.press('Create segment')
      await hand.see('Segment created')
      await hand.see(/^\d+ contacts match, \d+ may get marketing mail\./)
    }
  },
  {
    name: 'Broadcast in waves with A/B',
    async run(hand, stage) {
      await stage.template('second')
      await stage.audience('waves', 20, 8)
      await stage.open('broadcasts')
      await hand.press('New broadcast')
      await hand.type('Name', stage.named('In waves'))
      await hand.choose(/^Template/, 'Monthly notes')
      await hand.press('Create')
      await hand.page.waitForURL(/\/broadcast\//)
      await hand.press('Add filter')
      await hand.type('Tag', stage.slug('waves'))
      await hand.see('8 recipients')
      await hand.choose('Pace', 'In waves')
      await hand.choose('Counted in', 'people')
      await hand.type('Size of each wave', '4')
      await hand.choose('What is tested', 'A second template')
      await hand.choose('Template B', 'second by')
      await hand.see('8 recipients')
      await hand.press('Schedule')
      await confirm(hand, 'Type the number of people to confirm', 8)
      await hand.press('Send to 8 people')
      await hand.see('Scheduled.')
    }
  },
  {
    name: 'Watch, pause, read results',
    async run(hand, stage) {
      const segmentDefinition = await stage.audience('watched', 20, 8)
      const wavePlan = { people: 6, everyMinutes: 60 }
      const slug = await stage.started('watched', { segmentDefinition, wavePlan })
      await stage.open(`broadcast/${slug}`)
      await hand.see('of 8 handed off')
      await hand.press('Pause')
      await hand.see(/^Paused by admin@acme\.test/)
      await stage.until(`broadcasts/${slug}`, ({ status }) => status === 'paused')
      await hand.press('Resume')
      await confirm(hand, /^Type the number/, 2)
      await hand.press('Resume')
      await hand.see('Broadcast resumed.')
      await hand.press(/^sent \d/)
      await hand.page.waitForURL(/status=sent/)
      await hand.see('Results')
    }
  },
  {
    name: 'Continue after a stop rule',
    isAlone: true,
    async run(hand, stage) {
      await stage.open(`broadcast/${await stopped(stage)}`)
      await hand.see(/^Paused by its stop rule: Hard bounces are at/)
      await hand.press('Resume')
      await hand.type('Limit, %', '50')
      await confirm(hand, /^Type the number/, 2)
      await hand.press('Resume')
      await hand.see('Broadcast resumed.')
    }
  },
  {
    name: 'Resend to non-openers',
    async run(hand, stage) {
      const segmentDefinition = await stage.audience('again', 20, 8)
      await stage.open(`broadcast/${await stage.started('again', { segmentDefinition })}`)
      await hand.press('Resend to non-openers')
      await hand.type('Name', stage.named('Once more'))
      await hand.press('Create')
      await hand.page.waitForURL(/\/broadcast\/once-more/)
      await hand.see('8 recipients')
    }
  }
]
