// What the operations of the agent API are served with, and what they share.
import type {
  MailerCore,
  MailerOperations,
  MailerWorkbench,
  MailHealth
} from '@keelson/mailer/contracts'
import { type Access, type Call, type Clock, isRefused, type Operation, Type } from '@keelson/sdk'
import type { Boundary } from './boundary/test-contacts.ts'

/** What operations work with. */
export interface AgentHost {
  readonly core: MailerCore
  readonly operations: MailerOperations
  readonly workbench: MailerWorkbench
  readonly clock: Clock
  readonly boundary: Boundary
  readonly version: string
  /** Of the circuit breaker; null without one. */
  health(): Promise<MailHealth | null>
}

/** Who acts, and with what. */
export type Acting = Pick<Call<AgentHost>, 'host' | 'actor'>

/** Who may call: agent tokens, which have scopes. */
export const access = {
  read: { auth: 'machine', scopes: ['mail:read'] },
  write: { auth: 'machine', scopes: ['mail:write'] }
} as const satisfies Readonly<Record<string, Access>>

/** Bytes of a body with a whole document, or with the values of one. */
export const DOCUMENT_BYTES = 8 * 1024 * 1024

/** One parameter of an address. */
const parameter = Type.String({ minLength: 1, maxLength: 320 })
export const slugParams = Type.Object({ slug: parameter })
export const idParams = Type.Object({ id: parameter })
export const contactParams = Type.Object({ externalId: parameter })
export const emailParams = Type.Object({ email: parameter })

/** A time in a body. */
export const timeInput = Type.String({ maxLength: 64, description: 'ISO 8601.' })
/** The id of a contact in a body. */
export const contactIdInput = Type.String({ minLength: 1, maxLength: 256 })
/** Values by name in a body. */
export const valuesInput = Type.Record(Type.String(), Type.Unknown())
/** An operation whose change the mailer does not record itself: the audit log has it under `action`. */
export function audited(action: string, operation: Operation<AgentHost>): Operation<AgentHost> {
  return {
    ...operation,
    async run(input, call) {
      const result = await operation.run(input, call)
      if (isRefused(result)) return result
      const { externalId = '' } = (input.body ?? {}) as { readonly externalId?: string }
      const [id = externalId] = Object.values((input.params ?? {}) as Record<string, string>)
      const resource = { collection: 'agent', ...(id !== '' && { id }) }
      await call.host.core.as(call.actor).audit({ action, resource })
      return result
    }
  }
}
