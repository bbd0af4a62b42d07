// Does jobs by mouse, by keyboard and by touch alone, side by side on one demo, and prints what each took.
import { browserOptions, closeBrowser, openPage } from '@keelson/ui/testing'
import tap, { test } from 'tap'
import { startFreshDemo } from '../hosts/fresh-demo.ts'
import { startDnsAnswers } from './dns-answers.ts'
import { Hand, WAYS, type Way } from './hand.ts'
import { lookOf } from './looks.ts'
import { type Job, Stage } from './stage.ts'

/** Signs in one person for each way. */
async function openStages() {
  const env = {
    KEELSON_DNS_SERVERS: await startDnsAnswers(tap),
    KEELSON_OAUTH_RATE_MAX: '10000'
  }
  const { url } = await startFreshDemo(tap, env)
  const open = async (way: Way) => {
    const { page } = await openPage(tap, lookOf(way))
    // Three pages share the cores with the demo.
    page.setDefaultTimeout(30_000)
    const hand = new Hand(page, way)
    const stage = new Stage(url, hand)
    await stage.signIn()
    return { hand, stage }
  }
  return Promise.all(WAYS.map(open))
}

/** Defines the tests of these jobs, and one that prints their table. */
export async function doJobs(jobs: readonly Job[]): Promise<void> {
  tap.teardown(closeBrowser)
  const stages = browserOptions.skip === undefined ? await openStages() : []
  const table = new Map<string, readonly number[]>()
  for (const { name, isAlone, run } of jobs) {
    test(`${name}: by mouse, by keyboard and by touch`, {
      ...browserOptions,
      timeout: 150_000
    }, async (t) => {
      const doIt = async ({ hand, stage }: (typeof stages)[number]) => {
        await run(hand, stage)
        t.pass(hand.way)
        return hand.takeActs()
      }
      const acts: number[] = []
      if (isAlone === true) for (const each of stages) acts.push(await doIt(each))
      else acts.push(...(await Promise.all(stages.map(doIt))))
      table.set(name, acts)
    })
  }
  test('every job was done', browserOptions, (t) => {
    t.same(
      [...table.keys()],
      jobs.map(({ name }) => name)
    )
    t.comment('| job | clicks | keys | taps |')
    t.comment('| --- | --- | --- | --- |')
    for (const [name, acts] of table) t.comment(`| ${name} | ${acts.join(' | ')} |`)
    t.end()
  })
}
