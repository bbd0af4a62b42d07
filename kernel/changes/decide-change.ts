// Whether a platform may become another one: what must not stop, and what must start. Pure.
import type { KeelsonError } from '@keelson/sdk'
import { errors } from '../errors/errors.ts'
import { type Platform, pluginsOf } from '../platform/platform.ts'

/** The platform before and after, as it was validated. */
export interface Step {
  readonly plugin: string
  readonly before: Pick<Platform, 'layers'>
  readonly after: Pick<Platform, 'layers' | 'disabled'>
}

/** Why the change is refused; undefined when it may be made. */
export function refusalOf({ plugin, before, after }: Step): KeelsonError | undefined {
  const up = new Set(pluginsOf(after).map(({ id }) => id))
  const stopped = pluginsOf(before)
    .map(({ id }) => id)
    .filter((id) => id !== plugin && !up.has(id))
  if (stopped.length > 0) return errors.KRN_CHANGE_NEEDED({ plugin, list: stopped.join(', ') })
  const down = after.disabled.find(({ id }) => id === plugin)
  if (down === undefined || down.reason.code === 'KRN_SWITCHED_OFF') return undefined
  return changeRefused(plugin, down.reason)
}

/** The refusal of a change for what is wrong with the platform that it would make. */
export function changeRefused(plugin: string, cause: KeelsonError): KeelsonError {
  const { message, remedy } = cause
  const reason = message.slice(0, message.length - remedy.length).trim()
  return errors.KRN_CHANGE_REFUSED({ plugin, reason, advice: remedy, cause })
}
