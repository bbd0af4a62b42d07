// The checklist of Gmail, Yahoo and Outlook for each sender domain.
import { Type } from '@keelson/sdk'
import { type AdminRoute, adminRoute } from '@keelson/sdk/contracts/mailer-admin-api'
import { type ReadinessContext, readReadiness } from '../readiness/read-readiness.ts'

const text = Type.String()
const state = Type.Enum(['met', 'warn', 'failed', 'unknown'])

export const readinessSchema = Type.Object({
  domains: Type.Array(
    Type.Object({
      domain: text,
      state,
      items: Type.Array(
        Type.Object({
          id: text,
          label: text,
          state,
          message: text,
          hint: Type.Optional(text),
          fix: Type.Optional(Type.Object({ name: text, type: Type.Literal('TXT'), value: text })),
          requiredBy: Type.Array(Type.Enum(['gmail', 'yahoo', 'outlook']), {
            description: 'Empty: recommended.'
          })
        }),
        { description: 'What needs work comes first.' }
      )
    })
  )
})

/** Prepares the route. */
export const readinessRoute = (context: ReadinessContext): AdminRoute =>
  adminRoute({
    method: 'GET',
    path: '/readiness',
    summary: 'What Gmail, Yahoo and Outlook require of each sender domain, and what is missing.',
    schema: { response: { 200: readinessSchema } },
    handler: async () => ({ body: { domains: await readReadiness(context) } })
  })
