// What the Journey page asks for: one subject's records and milestones, its name, and whom a bare ID means.
import { type KeelsonPage, Load, type Span } from '@keelson/ui'
import type { Look } from '../look.ts'
import { subjectTypes } from '../registry.ts'
import { path } from '../requests.ts'
import { subId } from '../sub-id.ts'
import { describeSubjects, type Labels } from '../subject-names.ts'
import { type JourneyAnswer, type TimelineItem, timelineOf } from './timeline.ts'

export interface JourneyOf extends JourneyAnswer {
  readonly subject: string
  readonly labels: Labels
  readonly items: readonly TimelineItem[]
}

/** Whether a text is a type and an ID. */
export const isRef = (text: string): boolean => /^[^\s:]+:./.test(text)

/** The subject that parameter `subject` names, or that follows the address of the page. */
export const subjectIn = (page: KeelsonPage): string =>
  page.params.get('subject') ?? subId(page.sub) ?? ''

const subjectOf = ({ page }: Look): string => subjectIn(page)

const journeyPath = (ref: string, span: Span, more: Record<string, string> = {}): string =>
  path(`journey/${encodeURIComponent(ref)}`, new URLSearchParams(), span, more)

/** The journey of the subject that parameter `subject` names. */
export function journeyOf(look: Look) {
  const { page, range, dashboard } = look
  const { api } = dashboard
  return new Load(page, {
    args: () => {
      const subject = subjectOf(look)
      return isRef(subject) ? ([subject, range.span.from, range.span.to] as const) : null
    },
    run: async ([subject, from, to], signal): Promise<JourneyOf> => {
      const asked = journeyPath(subject, { from, to })
      const [answer, labels] = await Promise.all([
        api.read<JourneyAnswer>(asked, signal),
        describeSubjects([subject], (one) => api.read(one, signal))
      ])
      return { ...answer, subject, labels, items: timelineOf(answer, { from, to }) }
    }
  })
}

/** Types that are tried. */
const MOST_TYPES = 8
const DAY_MS = 86_400_000
/** Days back in which a record says that the subject is known; milestones are known for ever. */
const KNOWN_DAYS = 365

/** What an ID without a type may mean. */
export interface Matches {
  readonly id: string
  /** The ID with each type that the registry knows. */
  readonly tried: readonly string[]
  /** Those that have records or milestones. */
  readonly found: readonly string[]
}

/** The subjects that have the ID of parameter `subject`, when that is without a type. */
export function matchesOf(look: Look) {
  const { page, dashboard } = look
  const { api, registry } = dashboard
  return new Load(page, {
    needs: registry,
    args: () => {
      const id = subjectOf(look).replace(/^:+/, '').trim()
      if (id === '' || isRef(id) || registry.value === undefined) return null
      return [
        subjectOf(look),
        id,
        subjectTypes(registry.value).slice(0, MOST_TYPES).join()
      ] as const
    },
    run: async ([asked, id, types], signal): Promise<Matches> => {
      const tried = types.split(',').flatMap((type) => (type === '' ? [] : `${type}:${id}`))
      const to = Date.now()
      const span = { from: to - KNOWN_DAYS * DAY_MS, to }
      const isKnown = async (ref: string): Promise<boolean> => {
        const path = journeyPath(ref, span, { limit: '1' })
        const { records, milestones } = await api.read<JourneyAnswer>(path, signal)
        return records.length + milestones.length > 0
      }
      const known = await Promise.all(tried.map(isKnown))
      return { id: asked, tried, found: tried.filter((_ref, at) => known[at]) }
    }
  })
}
