// The checklist of Gmail, Yahoo and Outlook for each sender domain.

import { adminAccess, MAILER_ADMIN_API as base } from '@keelson/mailer/contracts'
import { type Call, operation, Type } from '@keelson/sdk'
import { type ReadinessContext, readReadiness } from '../readiness/read-readiness.ts'
import { readinessSchema } from '../readiness/readiness-item.ts'

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
  answer: Type.Object({ domains: Type.Array(readinessSchema) }, { title: 'Readiness' }),
  run: async (_input, { host }: Call<ReadinessContext>) => ({ domains: await readReadiness(host) })
})
