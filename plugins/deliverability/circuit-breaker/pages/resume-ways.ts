// The two ways to go on after a trip, as both pages offer them.
import type { KeelsonPage } from '@keelson/ui'
import { type Bucket, healthApi, resumeBucket } from './api.ts'
import type { ResumeWays } from './before-resume.ts'
import { leaveOutAndResume, sumOf } from './held-broadcasts.ts'

/** What the buttons do; `onDone` runs when the domain is resumed. */
export function resumeWays(page: KeelsonPage, bucket: Bucket, onDone: () => void): ResumeWays {
  const done = (isResumed: boolean) => {
    if (isResumed) onDone()
  }
  const { held: others = 0, broadcasts = [] } = bucket
  return {
    broadcasts,
    others,
    onLeaveOut: () =>
      void leaveOutAndResume(page, healthApi(page), { bucket, broadcasts }).then(done),
    onResume: () => void resumeBucket(page, bucket, sumOf(broadcasts).held + others).then(done)
  }
}
