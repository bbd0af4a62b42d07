// createDashboard: document 1's router as a Fastify plugin, for a host without the kernel.
import { fileURLToPath } from 'node:url'
import { definePlugin } from '@keelson/sdk'
import {
  createQueries,
  type Queries,
  type QueryLimits,
  type SlowQuery,
  type Telemetry
} from '@keelson/telemetry'
import { standaloneShell } from '@keelson/ui/server'
import type { FastifyPluginAsync } from 'fastify'
import { checkOptions } from './check-options.ts'
import type { SubjectAdapter } from './contracts.ts'
import { errors } from './errors.ts'
import { resolveLimits } from './limits.ts'
import { dashboardOperations } from './operations/dashboard-operations.ts'
import { serveApi, type ViewerAdapter } from './operations/serve-api.ts'
import manifest from './plugin.json' with { type: 'json' }
import { configuredViews } from './views/configured-views.ts'
import type { ViewSpec } from './views/view.ts'

/** Folders of built files. */
export interface AssetFolders {
  /** The folder of the dashboard's `plugin.json`. Default: the installed package. */
  readonly plugin?: string
  /** `dist/browser` of @keelson/ui. Default: in the installed package. */
  readonly ui?: string
}

export interface DashboardOptions {
  /** The instance that is read: the result of `createTelemetry`. */
  readonly telemetry: Telemetry
  /** The path at which the browser sees the dashboard. Default: the prefix it is registered with. */
  readonly mountPath?: string
  /** Who is looking. Its answer is the scope of every read. */
  readonly viewerAdapter: ViewerAdapter
  /** Friendly names of subjects. Without it pages show raw refs. */
  readonly subjectAdapter?: SubjectAdapter
  readonly views?: readonly ViewSpec[]
  /** Caps of the reads in place of the defaults. */
  readonly queryLimits?: Partial<QueryLimits>
  /** Called for every read that took longer than half a second. */
  readonly onSlowQuery?: (slow: SlowQuery) => void
  /** Of all dates, and of the days, weeks and months of charts: an IANA name. Default `UTC`. */
  readonly timeZone?: string
  /** Name of the dashboard above its navigation. Default `Telemetry`. */
  readonly title?: string
  /** Where the browser finds the API's parent, when it is not `mountPath`: a path or an address. */
  readonly apiBase?: string
  /** Where the built browser files are. Default: in the installed packages. */
  readonly assets?: AssetFolders
  /** The reads. Default: made from `telemetry`. */
  readonly queries?: Queries
}

/** The plugin on the host of the store; routers are made by the factory. */
const plainPlugin = definePlugin({
  manifest,
  operations: dashboardOperations,
  register: () => undefined
})

/** A path without a slash at its end; the root is the empty text. */
function readMountPath(mountPath: string): string {
  const path = mountPath === '/' ? '' : mountPath.replace(/\/$/, '')
  if (path !== '' && !/^(\/[^/?#\s]+)+$/.test(path)) {
    throw errors.TDB_MOUNT_PATH_INVALID({ mountPath })
  }
  return path
}

/**
 * Makes the dashboard's router. Register it where it is mounted:
 * `await app.register(createDashboard({ telemetry, mountPath: '/telemetry', viewerAdapter }), { prefix: '/telemetry' })`.
 *
 * @throws TDB_VIEWER_ADAPTER_MISSING, TDB_TELEMETRY_MISSING, TDB_OPTION_INVALID, TDB_LIMIT_INVALID,
 * TDB_VIEW_INVALID, TDB_MOUNT_PATH_INVALID, TDB_VIEWS_MISSING
 */
export function createDashboard(options: DashboardOptions): FastifyPluginAsync {
  if (typeof options?.viewerAdapter?.resolveViewer !== 'function') {
    throw errors.TDB_VIEWER_ADAPTER_MISSING()
  }
  if (typeof options.telemetry !== 'object' || options.telemetry === null) {
    throw errors.TDB_TELEMETRY_MISSING()
  }
  checkOptions(options)
  const { telemetry, onSlowQuery } = options
  const { host } = telemetry
  if (host === undefined) throw errors.TDB_VIEWS_MISSING()
  const limits = resolveLimits(options.queryLimits)
  const context = {
    telemetry,
    queries:
      options.queries ??
      createQueries({ telemetry, limits, ...(onSlowQuery !== undefined && { onSlowQuery }) }),
    limits,
    savedViews: host.add(plainPlugin).collection('telemetry_views'),
    views: configuredViews(options.views),
    subjectAdapter: options.subjectAdapter
  }
  const given = options.mountPath === undefined ? undefined : readMountPath(options.mountPath)
  return async (app) => {
    const mountPath = given ?? app.prefix
    // Without its indexes the dashboard works, slower: a database that is away does not stop the app.
    app.addHook('onReady', () =>
      host
        .open()
        .catch((err) => app.log.warn({ err }, 'the indexes of saved views could not be made'))
    )
    await app.register(serveApi(context, options.viewerAdapter))
    await app.register(
      standaloneShell({
        mountPath,
        apiBase: options.apiBase,
        title: options.title ?? 'Telemetry',
        timeZone: options.timeZone,
        folder: options.assets?.plugin ?? fileURLToPath(new URL('..', import.meta.url)),
        browserFolder: options.assets?.ui
      })
    )
  }
}
