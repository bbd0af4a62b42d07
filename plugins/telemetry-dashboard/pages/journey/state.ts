// What the Journey page asks for: one subject's records and milestones, and its name.
import { Load } from '@keelson/ui'
import { RangedPage } from '../ranged-page.ts'
import { path } from '../requests.ts'
import { describeSubjects, type Labels } from '../subject-names.ts'
import { type JourneyAnswer, type TimelineItem, timelineOf } from './timeline.ts'

export interface JourneyOf extends JourneyAnswer {
  readonly subject: string
  readonly labels: Labels
  readonly items: readonly TimelineItem[]
}

export class JourneyState extends RangedPage {
  protected override get usualRange(): string {
    return '30d'
  }

  protected override get windowTitle(): string {
    const title = this.t('journey.title')
    return this.subject === '' ? title : `${this.subject} · ${title}`
  }

  /** The ref of whom is looked at. */
  protected get subject(): string {
    return this.params.get('subject') ?? ''
  }

  protected readonly journey = new Load(this, {
    args: () =>
      this.subject === '' ? null : ([this.subject, this.span.from, this.span.to] as const),
    run: async ([subject, from, to], signal): Promise<JourneyOf> => {
      const name = `journey/${encodeURIComponent(subject)}`
      const [answer, labels] = await Promise.all([
        this.read<JourneyAnswer>(path(name, new URLSearchParams(), { from, to }, {}), signal),
        describeSubjects([subject], (asked) => this.read(asked, signal))
      ])
      return { ...answer, subject, labels, items: timelineOf(answer, { from, to }) }
    }
  })

  protected override refresh(): void {
    if (this.isMoving) super.refresh()
    else void this.journey.reload()
  }

  protected override get isWaiting(): boolean {
    return this.journey.isPending
  }
}
