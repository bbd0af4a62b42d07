// Declared but not supplied: what `register` has left out.
import type { KeelsonError } from '@keelson/sdk'
import { errors } from '../errors/errors.ts'
import type { RunningPlugin } from './running-plugin.ts'

/**
 * The first thing that plugin.json declares and `register` did not give. Routes, jobs and queues may also
 * come once every plugin is registered.
 */
export function missingParts(running: RunningPlugin): KeelsonError | undefined {
  const later = running.onRegistered.length > 0
  const missing = missingCapability(running)
  return later ? missing : (missingRoute(running) ?? missingHandler(running) ?? missing)
}

function missingRoute({ plugin, owner }: RunningPlugin): KeelsonError | undefined {
  const missing = plugin.routes.find(({ key }) => !owner.registered.has(key))
  if (missing === undefined) return undefined
  const { key: route, path } = missing
  return errors.KRN_ROUTE_MISSING({ plugin: plugin.id, route, path })
}

function missingHandler({ plugin, supplied }: RunningPlugin): KeelsonError | undefined {
  const { id, manifest } = plugin
  for (const [at, { name, inParts }] of (manifest.jobs ?? []).entries()) {
    if (inParts === true || supplied.jobs.has(name)) continue
    return errors.KRN_JOB_MISSING({ plugin: id, job: name, path: `jobs[${at}]` })
  }
  for (const [at, { name }] of (manifest.queues ?? []).entries()) {
    if (supplied.queues.has(name)) continue
    return errors.KRN_QUEUE_MISSING({ plugin: id, queue: name, path: `queues[${at}]` })
  }
  return undefined
}

function missingCapability({ plugin, supplied }: RunningPlugin): KeelsonError | undefined {
  const { id, manifest } = plugin
  const at = (manifest.provides ?? []).findIndex((capability) => !supplied.provides.has(capability))
  const capability = manifest.provides?.[at]
  if (capability === undefined) return undefined
  return errors.KRN_PROVIDE_MISSING({ plugin: id, capability, path: `provides[${at}]` })
}
