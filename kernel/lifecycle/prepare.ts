// The prepare phase: storage made as declared and each plugin's own `prepare`, layer by layer.
import { type KeelsonError, within } from '@keelson/sdk'
import { errors } from '../errors/errors.ts'
import type { PlatformPlugin } from '../platform/platform.ts'
import type { StoragePlan } from '../storage/plan.ts'
import { disableWithoutNeeds, failPlugin } from './failure.ts'
import { createPrepareHost } from './host.ts'
import { hostSeamsOf, type OpenKernel } from './kernel.ts'
import { openPlugin, type RunningPlugin } from './running-plugin.ts'

/** Opens the plugins in their order and prepares those of a layer side by side. */
export async function prepareLayers(kernel: OpenKernel, plan: StoragePlan): Promise<void> {
  for (const layer of kernel.platform.layers) {
    const opened = layer.map((plugin) => openRunning(kernel, plugin))
    const outcomes = await Promise.all(
      opened.map((running) => preparePlugin(kernel, running, plan))
    )
    const fatal = outcomes.find((error) => error !== undefined)
    if (fatal !== undefined) throw fatal
  }
}

export function openRunning(kernel: OpenKernel, plugin: PlatformPlugin): RunningPlugin {
  const { states, seams, log, running } = kernel
  const opened = openPlugin(plugin, {
    storage: kernel.storage,
    log,
    clock: seams.clock,
    status: states.add(plugin.id, plugin.manifest.version),
    outboundMock: seams.outboundMock
  })
  running.push(opened)
  return opened
}

/** Returns the error that ends the start, if this plugin's failure does. */
export async function preparePlugin(
  kernel: OpenKernel,
  running: RunningPlugin,
  plan: StoragePlan
): Promise<KeelsonError | undefined> {
  if (disableWithoutNeeds(kernel, running)) return undefined
  const { plugin, log, stop } = running
  const { seams, storage } = kernel
  try {
    const applied = seams.applyPlan(storage.db, plan, {
      clock: seams.clock,
      log,
      signal: AbortSignal.any([stop.signal, kernel.stop.signal]),
      only: plugin.id
    })
    await within(applied, { signal: kernel.stop.signal })
    await ownPrepare(kernel, running)
    return undefined
  } catch (cause) {
    if (kernel.stop.signal.aborted) return kernel.stop.signal.reason
    const fatal = failPlugin(kernel, running, 'prepare', cause)
    // The others of the layer need not go on for a host that will not start.
    if (fatal !== undefined) kernel.stop.abort(fatal)
    return fatal
  }
}

async function ownPrepare(kernel: OpenKernel, running: RunningPlugin): Promise<void> {
  const { plugin } = running
  const { prepare } = plugin.definition
  if (prepare === undefined) return
  const ms = kernel.seams.deadlines.prepare
  const host = createPrepareHost(running, hostSeamsOf(kernel))
  await within(prepare(host, plugin.settings.all as never), {
    deadline: {
      ms,
      overdue: () => errors.KRN_PREPARE_TIMEOUT({ plugin: plugin.id, seconds: ms / 1000 })
    },
    signal: kernel.stop.signal
  })
}
