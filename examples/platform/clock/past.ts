// The past of the demo as other plugins use it: sample data is written as on the days that it is of.
import { defineCapability } from '@keelson/sdk'
import type { MovableClock } from './movable-clock.ts'

export const demoPast = defineCapability<Pick<MovableClock, 'during'>>('demo.past/v1')
