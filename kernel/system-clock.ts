// The clock of the machine: the only place in the kernel that reads it.
import type { Clock } from '@keelson/sdk'

export const systemClock: Clock = { now: () => new Date() }
