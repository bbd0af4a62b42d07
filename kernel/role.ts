// What a process of the platform does: serve, work, or both.

/** `web` serves and runs no job of `runsIn: worker`; `worker` runs jobs and serves only health and metrics. */
export type Role = 'all' | 'web' | 'worker'

export const roles: readonly Role[] = ['all', 'web', 'worker']
