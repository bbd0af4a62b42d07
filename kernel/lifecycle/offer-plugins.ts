// What the kernel provides as kernel.plugins/v1: the plugins of a running host, and the way to change them.
import {
  type InstalledPlugin,
  type KernelPlugins,
  kernelPlugins,
  type PluginAsks
} from '@keelson/sdk/contracts/kernel-plugins'
import { changePlugin, isKept, readFields } from '../changes/change-plugin.ts'
import { listRevisions, newestRevision, type Revision } from '../changes/revisions.ts'
import { usedBy } from '../platform/agreement.ts'
import { installedPackages } from '../platform/installed-packages.ts'
import { type KnownPlugin, type Platform, pluginsOf } from '../platform/platform.ts'
import { toKnown, validatePlatform } from '../platform/validate.ts'
import type { OpenKernel } from './kernel.ts'
import { configSource } from './validate.ts'

export function offerPlugins(kernel: OpenKernel): void {
  kernel.capabilities.provide('kernel', kernelPlugins, createPlugins(kernel))
}

function createPlugins(kernel: OpenKernel): KernelPlugins {
  const { storage, seams } = kernel
  const { db } = storage
  const base = configSource(kernel)
  const wanted = rememberWanted(kernel)
  return {
    async state() {
      const [newest, [last]] = await Promise.all([newestRevision(db), listRevisions(db, 1)])
      return {
        isServed: kernel.supervisor !== undefined,
        running: kernel.revision,
        wanted: newest?.revision ?? 0,
        ...(last !== undefined && { last }),
        plugins: await installed(kernel, await wanted(newest))
      }
    },
    fields: (plugin) => readFields({ base, db }, plugin),
    async change(actor, request) {
      const source = { base, db, clock: seams.clock, mayLockOut: false }
      const added = await changePlugin(source, actor, request)
      if (added === undefined) return undefined
      kernel.log.info(
        { revision: added.revision, plugin: request.plugin, by: actor.name },
        `plugin ${request.plugin}: ${added.action}`
      )
      return added
    },
    history: () => listRevisions(db)
  }
}

/** The platform as the newest settings want it; what this process runs where they are no platform. */
function rememberWanted(kernel: OpenKernel): (newest?: Revision) => Promise<Platform> {
  let known = { revision: kernel.revision, platform: kernel.platform as Platform }
  return async (newest) => {
    const { revision, changes } = newest ?? { revision: 0, changes: {} }
    if (known.revision !== revision) {
      const made = validatePlatform({ ...configSource(kernel), changes })
      known = { revision, platform: await made.catch(() => kernel.platform) }
    }
    return known.platform
  }
}

async function installed(
  { platform, states }: OpenKernel,
  wanted: Platform
): Promise<InstalledPlugin[]> {
  const up = pluginsOf(wanted)
  const packages = await installedPackages(platform.baseDir)
  const { prefix } = platform.addresses
  const unnamed = packages.map(({ folder, manifest }) =>
    toKnown(manifest, { folder, entry: {} }, prefix)
  )
  const all = [...pluginsOf(platform), ...off(platform), ...up, ...off(wanted), ...unnamed]
  const byId = new Map(all.toReversed().map((known) => [known.id, known]))
  return [...byId.values()]
    .map((known): InstalledPlugin => {
      const { id, manifest } = known
      const { state = 'disabled', reason, remedy } = states.of(id)?.state ?? {}
      return {
        id,
        name: manifest.name,
        version: manifest.version,
        description: manifest.description,
        state: state === 'starting' ? 'disabled' : state,
        ...(reason !== undefined && { reason }),
        ...(remedy !== undefined && { remedy }),
        enabled: up.some((each) => each.id === id),
        isKept: isKept(known),
        neededBy: up.filter(({ needs }) => needs.includes(id)).map((each) => each.id),
        asks: asksOf(known)
      }
    })
    .toSorted((a, b) => a.name.localeCompare(b.name))
}

const off = ({ disabled }: Platform): KnownPlugin[] => disabled.flatMap(({ known }) => known ?? [])

function asksOf({ manifest }: KnownPlugin): PluginAsks {
  const { routes = [], jobs = [], collections = [], pages = [], network = [] } = manifest
  return {
    uses: usedBy(manifest).map(({ capability }) => capability),
    network,
    permissions: [...new Set(routes.flatMap(({ permission }) => permission ?? []))],
    routes: routes.length,
    jobs: jobs.length,
    collections: collections.length,
    pages: pages.length
  }
}
