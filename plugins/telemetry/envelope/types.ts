// A telemetry record as a caller gives it, and what becomes of it.
import type { Env } from '@keelson/sdk/contracts/telemetry-store'

export type { EmitRecord, EmitResult, Env, Outcome } from '@keelson/sdk/contracts/telemetry-store'

export const ENVS = ['prod', 'staging', 'dev'] as const satisfies readonly Env[]
