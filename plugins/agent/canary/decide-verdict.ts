// Whether a run did what its simulation foretold, and its mails left. Pure.

/** What the simulation says. */
export interface Planned {
  /** Templates, in their order. */
  readonly sends: readonly string[]
  readonly terminal: { readonly kind: string; readonly reason: string | null }
  /** Why the contact would not enter. */
  readonly reasons: readonly string[]
}

/** What happened. */
export interface Lived {
  /** False when the flow runs once and the contact was in it. */
  readonly isNew: boolean
  readonly status: string
  readonly exitReason: string | null
  readonly sends: readonly {
    readonly id: string
    readonly templateSlug: string
    readonly status: string
    readonly reason: string | null
  }[]
}

/** Why it is not safe. */
export interface VerdictReason {
  readonly code:
    | 'would_not_enter'
    | 'was_in_it'
    | 'not_finished'
    | 'other_end'
    | 'other_sends'
    | 'send_failed'
  readonly message: string
}

/** Statuses of a mail that a provider took. */
const TAKEN = ['sent', 'delivered', 'opened', 'clicked']

/** Every reason against; empty when it is safe. */
export function verdictOf(planned: Planned, lived: Lived): readonly VerdictReason[] {
  if (!lived.isNew) {
    const message = 'The flow runs once and the contact was in it; reset the contact first.'
    return [{ code: 'was_in_it', message }]
  }
  return [
    ...planned.reasons.map((message) => ({ code: 'would_not_enter', message }) as const),
    ...endReasons(planned, lived),
    ...sendReasons(planned, lived)
  ]
}

function endReasons({ terminal }: Planned, lived: Lived): readonly VerdictReason[] {
  if (!['completed', 'exited'].includes(lived.status)) {
    return [{ code: 'not_finished', message: `The run is ${lived.status}.` }]
  }
  if (terminal.kind === lived.status) return []
  const message = `The simulation ends ${terminal.kind}, and the run ${lived.status}: ${lived.exitReason ?? 'no reason'}.`
  return [{ code: 'other_end', message }]
}

function sendReasons({ sends: expected }: Planned, { sends }: Lived): readonly VerdictReason[] {
  const reasons: VerdictReason[] = sends
    .filter(({ status }) => !TAKEN.includes(status))
    .map(({ id, templateSlug, status, reason }) => ({
      code: 'send_failed',
      message: `The mail ${id} of ${templateSlug} is ${status}${reason === null ? '' : `: ${reason}`}.`
    }))
  const made = sends.map(({ templateSlug }) => templateSlug)
  if (made.join('\n') !== expected.join('\n')) {
    const message = `The simulation sends ${expected.join(', ') || 'nothing'}, and the run ${made.join(', ') || 'nothing'}.`
    reasons.unshift({ code: 'other_sends', message })
  }
  return reasons
}
