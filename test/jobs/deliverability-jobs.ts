// Jobs with sender domains: which one has trouble and why, reports, lists, letting held mail go.
import { MOST_CALLS, takenBy } from '../e2e/every-page.ts'
import type { GivenFile } from './hand.ts'
import type { Job, Stage } from './stage.ts'

const DAY_MS = 86_400_000

/** A DMARC report of yesterday about one source that fails. */
function report(stage: Stage, ip: string, name = 'report'): GivenFile {
  const to = Math.floor(Date.now() / 1000)
  const id = stage.slug(name)
  const record = `<record><row><source_ip>${ip}</source_ip><count>40</count><policy_evaluated><disposition>none</disposition><dkim>fail</dkim><spf>fail</spf></policy_evaluated></row><identifiers><header_from>acme.test</header_from></identifiers><auth_results><spf><domain>acme.test</domain><result>fail</result></spf></auth_results></record>`
  const head = `<report_metadata><org_name>example.org</org_name><email>dmarc@example.org</email><report_id>${id}</report_id><date_range><begin>${to - DAY_MS / 1000}</begin><end>${to}</end></date_range></report_metadata>`
  const text = `<?xml version="1.0"?><feedback>${head}<policy_published><domain>acme.test</domain><p>none</p><pct>100</pct></policy_published>${record}</feedback>`
  return { name: `${id}.xml`, mimeType: 'text/xml', buffer: Buffer.from(text) }
}

/** Trips the sender domain with addresses that do not exist. */
async function tripped(stage: Stage): Promise<void> {
  const addresses = stage.numbers(1, 6).map((number) => `user${number}@example.test`)
  await stage.call('PUT', '/dev/mailbox/unknown-addresses', { addresses })
  const segmentDefinition = { filters: [{ kind: 'subscriptionStatus', equals: 'subscribed' }] }
  await stage.started('tripping', { segmentDefinition })
  await stage.until('health', ({ buckets }) => JSON.stringify(buckets).includes('"tripped"'))
}

export const deliverabilityJobs: readonly Job[] = [
  {
    name: 'Which domain has trouble, why, and resume it',
    isAlone: true,
    async run(hand, stage) {
      await tripped(stage)
      await stage.open('deliverability')
      await hand.see('No')
      await hand.see(/Hard bounces .* limit/)
      const { calls } = await takenBy(hand.page)
      if (calls > MOST_CALLS) throw new Error(`the cockpit of a tripped domain made ${calls} calls`)
      // With the number of mails that are held, where there are any.
      await hand.press(/^Resume( all .*)?$/)
      const question = hand.page.locator('keelson-confirm, keelson-dialog')
      await hand.press(question.getByRole('button', { name: /^Resume/ }))
      await hand.see(/is resumed/)
    }
  },
  {
    name: 'Upload DMARC reports at once, label a source',
    async run(hand, stage) {
      const ip = { mouse: '203.0.113.1', keyboard: '203.0.113.2', touch: '203.0.113.3' }[stage.way]
      await stage.open('dmarc')
      await hand.file(/^Upload reports/, report(stage, ip), report(stage, ip, 'second'))
      await hand.see('2 reports stored')
      await hand.press(new RegExp(`^Label ${ip.replaceAll('.', '[.]')}: unknown`))
      await hand.see(`Label ${ip}`)
      await hand.type('Label', stage.named('Newsletter service'))
      await hand.press('Save')
      await hand.see(`${ip} is labelled`)
    }
  },
  {
    name: 'Check block lists, DNS',
    async run(hand, stage) {
      await stage.open('block-lists')
      await hand.press('Check now')
      await hand.see(/^\d+ checks? done, 0 listed/)
      await hand.see('not listed')
      await stage.open('deliverability')
      await hand.press('Check DNS')
      await hand.see('DNS records checked')
    }
  }
]
