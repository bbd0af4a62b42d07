// Asks the host for its variables of one mail.
import { within } from '@keelson/sdk'
import type { MailContact } from '../../contracts/mailer-core.ts'
import { RESERVED_ROOTS } from '../../ledger/check-config.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { VarsRequest } from '../../ledger/host-code.ts'

/** What resolving came to. A failure is one of the host: trying again may help. */
export type ResolvedVariables =
  | { readonly ok: true; readonly roots: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly code: 'vars_resolve_failed'; readonly message: string }

const TIMEOUT_MS = 10_000

/** Further roots beside `contact`, `vars` and `event`; empty without an adapter. Reserved ones are left out. */
export async function resolveVariables(
  { config: { varsAdapter } }: Pick<MailerContext, 'config'>,
  contact: MailContact,
  request: VarsRequest,
  { timeoutMs: ms = TIMEOUT_MS }: { readonly timeoutMs?: number } = {}
): Promise<ResolvedVariables> {
  if (varsAdapter === undefined) return { ok: true, roots: {} }
  const overdue = () => new Error(`it did not answer within ${ms / 1000} s`)
  try {
    const work = (async () => varsAdapter.resolve(contact, request))()
    const resolved: unknown = await within(work, { deadline: { ms, overdue } })
    if (typeof resolved !== 'object' || resolved === null) {
      return failed('it did not answer with an object')
    }
    const reserved: readonly string[] = RESERVED_ROOTS
    const entries = Object.entries(resolved).filter(([root]) => !reserved.includes(root))
    return { ok: true, roots: Object.fromEntries(entries) }
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error))
  }
}

const failed = (problem: string): ResolvedVariables => ({
  ok: false,
  code: 'vars_resolve_failed',
  message: `The variables of the host could not be resolved: ${problem}`
})
