// The checklist of Gmail, Yahoo and Outlook for each sender domain.

import { adminAccess, MAILER_ADMIN_API as base } from '@keelson/mailer/contracts'
import { type Call, operation, Type } from '@keelson/sdk'
import type { DnsContext } from '../monitoring/check-dns.ts'
import { type AlignmentContext, readAlignments } from '../overview/read-alignments.ts'
import { readSenders, type SenderContext } from '../overview/read-senders.ts'
import { type ReadinessContext, readReadiness } from '../readiness/read-readiness.ts'
import { readinessSchema } from '../readiness/readiness-item.ts'
import { alignmentSchema, sendersSchema } from './report-answers.ts'

const withAlignmentSchema = Type.Object({
  ...readinessSchema.properties,
  alignment: Type.Optional(alignmentSchema),
  senders: Type.Optional(sendersSchema)
})

type Read = ReadinessContext & AlignmentContext & SenderContext & Pick<DnsContext, 'servers'>

/** The checklists. */
export const readReadinessOperation = operation({
  id: 'dmarc.readiness.read',
  method: 'GET',
  base,
  path: '/readiness',
  summary: 'What Gmail, Yahoo and Outlook require of each sender domain, and what is missing',
  access: adminAccess.read,
  agent: true,
  effect: 'read',
  query: Type.Object({
    alignment: Type.Optional(
      Type.Boolean({
        description: 'With what DMARC reports say of each domain, by day, and who sends for it.'
      })
    )
  }),
  answer: Type.Object(
    {
      domains: Type.Array(withAlignmentSchema),
      dnsChecks: Type.Boolean({
        description: 'Whether DNS records are checked. False: the setting `dnsServers` is off.'
      })
    },
    { title: 'Readiness' }
  ),
  async run({ query }, { host }: Call<Read>) {
    const domains = await readReadiness(host)
    const dnsChecks = host.servers !== null
    if (query.alignment !== true) return { domains, dnsChecks }
    const alignments = await readAlignments(host)
    const reported = domains.flatMap(({ domain }) => (alignments.has(domain) ? [domain] : []))
    const senders = await readSenders(host, reported)
    return {
      dnsChecks,
      domains: domains.map((one) => ({
        ...one,
        alignment: alignments.get(one.domain),
        senders: senders.get(one.domain)
      }))
    }
  }
})
