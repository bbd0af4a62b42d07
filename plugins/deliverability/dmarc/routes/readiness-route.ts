// The checklist of Gmail, Yahoo and Outlook for each sender domain.
import { Type } from '@keelson/sdk'
import { type AdminRoute, adminRoute } from '@keelson/sdk/contracts/mailer-admin-api'
import { type ReadinessContext, readReadiness } from '../readiness/read-readiness.ts'
import { readinessSchema } from '../readiness/readiness-item.ts'

/** Prepares the route. */
export const readinessRoute = (context: ReadinessContext): AdminRoute =>
  adminRoute({
    method: 'GET',
    path: '/readiness',
    summary: 'What Gmail, Yahoo and Outlook require of each sender domain, and what is missing.',
    schema: { response: { 200: Type.Object({ domains: Type.Array(readinessSchema) }) } },
    handler: async () => ({ body: { domains: await readReadiness(context) } })
  })
