// What the Journey page asks for: one subject's records and milestones, and its name.
import { Load } from '@keelson/ui'
import type { Look } from '../look.ts'
import { path } from '../requests.ts'
import { describeSubjects, type Labels } from '../subject-names.ts'
import { type JourneyAnswer, type TimelineItem, timelineOf } from './timeline.ts'

export interface JourneyOf extends JourneyAnswer {
  readonly subject: string
  readonly labels: Labels
  readonly items: readonly TimelineItem[]
}

/** The journey of the subject that parameter `subject` names. */
export function journeyOf({ page, range, dashboard: { api } }: Look) {
  return new Load(page, {
    args: () => {
      const subject = page.params.get('subject') ?? ''
      return subject === '' ? null : ([subject, range.span.from, range.span.to] as const)
    },
    run: async ([subject, from, to], signal): Promise<JourneyOf> => {
      const asked = path(
        `journey/${encodeURIComponent(subject)}`,
        new URLSearchParams(),
        { from, to },
        {}
      )
      const [answer, labels] = await Promise.all([
        api.read<JourneyAnswer>(asked, signal),
        describeSubjects([subject], (one) => api.read(one, signal))
      ])
      return { ...answer, subject, labels, items: timelineOf(answer, { from, to }) }
    }
  })
}
