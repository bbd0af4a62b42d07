// A telemetry record as a caller gives it, and what becomes of it.
import type { Env } from '../contracts/telemetry-store.ts'

export type { EmitRecord, EmitResult, Env, Outcome } from '../contracts/telemetry-store.ts'

export const ENVS = ['prod', 'staging', 'dev'] as const satisfies readonly Env[]
