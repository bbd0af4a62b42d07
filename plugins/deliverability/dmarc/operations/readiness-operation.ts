// The checklist of Gmail, Yahoo and Outlook for each sender domain.

import { adminAccess, MAILER_ADMIN_API as base } from '@keelson/mailer/contracts'
import { type Call, operation, Type } from '@keelson/sdk'
import { type AlignmentContext, readAlignments } from '../overview/read-alignments.ts'
import { type ReadinessContext, readReadiness } from '../readiness/read-readiness.ts'
import { readinessSchema } from '../readiness/readiness-item.ts'
import { alignmentSchema } from './report-answers.ts'

const withAlignmentSchema = Type.Object({
  ...readinessSchema.properties,
  alignment: Type.Optional(alignmentSchema)
})

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
      Type.Boolean({ description: 'With what DMARC reports say of each domain, by day.' })
    )
  }),
  answer: Type.Object({ domains: Type.Array(withAlignmentSchema) }, { title: 'Readiness' }),
  async run({ query }, { host }: Call<ReadinessContext & AlignmentContext>) {
    const domains = await readReadiness(host)
    if (query.alignment !== true) return { domains }
    const alignments = await readAlignments(host)
    return {
      domains: domains.map((one) => {
        const alignment = alignments.get(one.domain)
        return { ...one, ...(alignment !== undefined && { alignment }) }
      })
    }
  }
})
