// The ready phase: runs the onReady callbacks of the plugins, then starts jobs and reports ready.
import { within } from '@keelson/sdk'
import { authViewer } from '@keelson/sdk/contracts/auth-viewer'
import { startDeadline, type TimeLeft } from '../schedule/deadline.ts'
import { disableWithoutNeeds, failPlugin } from './failure.ts'
import type { OpenKernel } from './kernel.ts'
import { hostDeadlineMs } from './register.ts'
import type { RunningPlugin } from './running-plugin.ts'
import { failStart, watchSettings } from './supervision.ts'

export async function readyPlugins(kernel: OpenKernel): Promise<void> {
  // Fastify gives all of it one deadline.
  const timeLeft = startDeadline(hostDeadlineMs(kernel))
  for (const running of kernel.running) {
    if (disableWithoutNeeds(kernel, running)) continue
    await readyPlugin(kernel, running, timeLeft)
  }
  const { limits, schedule } = kernel
  await limits.prepare()
  await schedule.start()
  for (const { status } of kernel.running) status.ready()
  kernel.phase = 'ready'
  warnWithoutViewers(kernel)
  await watchSettings(kernel)
  kernel.log.info({ plugins: kernel.states.list().length, role: kernel.role }, 'keelson is ready')
}

/** Without a resolver every viewer and admin route answers 401, which looks like a fault elsewhere. */
function warnWithoutViewers({ options, capabilities, running, log }: OpenKernel): void {
  const isResolved = options.resolveViewer ?? capabilities.isProvided(authViewer.id)
  const needing = running.find(({ plugin }) =>
    plugin.routes.some(({ declared: { auth } }) => auth === 'viewer' || auth === 'admin')
  )
  if (isResolved || needing === undefined) return
  log.warn(
    `no viewer resolver: the viewer and admin routes of ${needing.plugin.id} answer 401; give the kernel resolveViewer, or a plugin that provides auth.viewer/v1`
  )
}

async function readyPlugin(
  kernel: OpenKernel,
  running: RunningPlugin,
  timeLeft: TimeLeft
): Promise<void> {
  try {
    for (const fn of running.onReady) {
      await within(fn(), {
        deadline: {
          ms: Math.max(0, timeLeft()),
          overdue: () => new Error('onReady did not end in time')
        }
      })
    }
    for (const arm of running.owner.arm) arm()
  } catch (cause) {
    const fatal = failPlugin(kernel, running, 'ready', cause)
    if (fatal === undefined) return
    failStart(kernel, fatal)
    throw fatal
  }
}
