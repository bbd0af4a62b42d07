// A plugin that fails: the error in the kernel's words, and what its failure means for the start.
import { KeelsonError } from '@keelson/sdk'
import { errors } from '../errors/errors.ts'
import { redactError } from '../errors/redact.ts'
import type { Phase } from '../health/plugin-state.ts'
import type { OpenKernel } from './kernel.ts'
import type { RunningPlugin } from './running-plugin.ts'

/**
 * Notes the failure. Returns the error that ends the start, or undefined when the host goes on
 * without the plugin (`onFailure: disable`).
 */
export function failPlugin(
  kernel: OpenKernel,
  running: RunningPlugin,
  phase: Phase,
  cause: unknown
): KeelsonError | undefined {
  const { plugin, status, log } = running
  const error = explain(kernel, plugin.id, phase, cause)
  withdraw(kernel, running, error)
  if (plugin.onFailure === 'abort') return error
  status.fail(phase, error)
  log.error({ err: error, code: error.code, phase }, `plugin ${plugin.id} failed and is left out`)
  return undefined
}

/** An error of the kernel is kept; any other becomes the cause of one. */
function explain(kernel: OpenKernel, plugin: string, phase: Phase, raised: unknown): KeelsonError {
  // The host may print the error and its cause: what they quote of the config must not be there.
  const cause = redactError(raised, (text) => kernel.redact(text))
  if (KeelsonError.is(cause) && cause.plugin === plugin) return cause
  const text = cause instanceof Error ? cause.message : String(cause)
  const reason = text.replace(/\.$/, '')
  const details = { plugin, phase, reason, cause }
  switch (phase) {
    case 'register':
      return errors.KRN_REGISTER_FAILED(details)
    case 'ready':
      return errors.KRN_READY_FAILED(details)
    default:
      return errors.KRN_PREPARE_FAILED(details)
  }
}

/** Disables a plugin whose need is down; says whether it did. */
export function disableWithoutNeeds(kernel: OpenKernel, running: RunningPlugin): boolean {
  const { plugin, status, log } = running
  if (status.downReason !== undefined) return true
  const needed = plugin.needs.find((id) => kernel.states.of(id)?.downReason !== undefined)
  if (needed === undefined) return false
  const state = kernel.states.of(needed)?.state.state ?? 'away'
  const error = errors.KRN_DEPENDENCY_DOWN({ plugin: plugin.id, needed, state })
  status.disable(error)
  withdraw(kernel, running, error)
  log.warn({ code: error.code }, `plugin ${plugin.id} is disabled: ${needed} is ${state}`)
  return true
}

/** Removes the capabilities, jobs and queues of the plugin. */
function withdraw(kernel: OpenKernel, { plugin, stop }: RunningPlugin, error: KeelsonError): void {
  stop.abort(error)
  kernel.capabilities.withdraw(plugin.id)
  kernel.schedule.withdraw(plugin.id)
}
