// The health of plugins: what a check answers, and what `/health/plugins` says of a plugin.

/** What a health check found. */
export interface Health {
  /**
   * `ok`; `degraded`: it works, but not as it should; `failing`: it does not work. The routes of the
   * plugin answer in all three cases.
   */
  readonly state: 'ok' | 'degraded' | 'failing'
  /** One sentence for an operator. Shown to admins, up to 500 characters, without secrets of the config. */
  readonly reason?: string
}

/** What a health check receives. */
export interface HealthRun {
  /** Aborted when the time limit is over or the host drains. */
  readonly signal: AbortSignal
}

/** Looks at one thing that the plugin needs. A check that throws is `failing`, with the message as its reason. */
export type HealthCheck = (run: HealthRun) => Promise<Health> | Health

/** A health check as `/health/plugins` shows it. */
export interface CheckedHealth extends Health {
  readonly name: string
  /** ISO 8601. */
  readonly checkedAt: string
}

/** A job whose last run failed. */
export interface FailingJob {
  readonly name: string
  /** Runs that failed in a row, over all processes. */
  readonly failures: number
  /** Of the last failure. */
  readonly reason: string
  /** When the first of these runs failed; ISO 8601. */
  readonly since: string
  /** When the last of these runs failed; ISO 8601. */
  readonly lastAt: string
}

/** A queue that parked items within the last day. */
export interface ParkingQueue {
  readonly name: string
  readonly parked: number
  /** Of the last item. */
  readonly reason: string
  /** When the first of these items was parked; ISO 8601. */
  readonly since: string
  /** When the last of these items was parked; ISO 8601. */
  readonly lastAt: string
}

/** A failure of a page, as browsers reported it to this process within the last hour. */
export interface FailingPage {
  /** Id of the page. */
  readonly page: string
  /** Message of the error. */
  readonly reason: string
  /** Reports of this failure. */
  readonly count: number
  /** Of the first report; ISO 8601. */
  readonly since: string
  /** Of the last report; ISO 8601. */
  readonly lastAt: string
}

/** A plugin in `/health/plugins`, as an admin sees it. Lists that would be empty are absent. */
export interface PluginHealth {
  readonly id: string
  readonly version: string
  /** `degraded`: it answers, and something of it is not as it should be. */
  readonly state: 'starting' | 'ready' | 'disabled' | 'failed' | 'degraded'
  /** The phase in which it failed. */
  readonly phase?: 'validate' | 'plan' | 'prepare' | 'register' | 'ready'
  /** Of the error that says why it is not ready. */
  readonly code?: string
  readonly reason?: string
  readonly remedy?: string
  readonly checks?: readonly CheckedHealth[]
  readonly jobs?: readonly FailingJob[]
  readonly queues?: readonly ParkingQueue[]
  readonly pages?: readonly FailingPage[]
}
