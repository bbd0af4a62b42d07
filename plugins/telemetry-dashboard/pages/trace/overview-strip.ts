// A trace in little, all spans as lines: dragging over it shows that stretch of time alone.
import { html, type TemplateResult } from 'lit'
import type { TraceItem } from './tree.ts'

/** A stretch of the trace, in milliseconds after it began. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/** The stretch of an address such as `80-290`, inside the trace; undefined when it is none. */
export function stretchOf(text: string | null, duration: number): Stretch | undefined {
  const match = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(text ?? '')
  const from = Math.max(0, Number(match?.[1] ?? Number.NaN))
  const to = Math.min(duration, Number(match?.[2] ?? Number.NaN))
  return from < to ? { from, to } : undefined
}

export const stretchText = ({ from, to }: Stretch): string => `${from.toFixed(1)}-${to.toFixed(1)}`

/** What happened in the stretch, its ancestors included only when they reach into it. */
export const within = (items: readonly TraceItem[], stretch: Stretch | undefined) =>
  stretch === undefined
    ? items
    : items.filter(({ start, duration }) => start < stretch.to && start + duration >= stretch.from)

/** Zooms by a factor around the middle, or moves by a share of its length; never beyond the trace. */
export function moved(stretch: Stretch, duration: number, by: number, zoom = 1): Stretch {
  const length = Math.min(duration, (stretch.to - stretch.from) * zoom)
  const middle = (stretch.from + stretch.to) / 2 + by * length
  const from = Math.min(duration - length, Math.max(0, middle - length / 2))
  return { from, to: from + length }
}

export interface StripOptions {
  readonly items: readonly TraceItem[]
  readonly duration: number
  readonly stretch: Stretch | undefined
  readonly label: string
  onStretch(stretch: Stretch | undefined): void
}

/** Lines of the strip: more spans share them, and few get thicker ones, so that none of it stays empty. */
const MOST_LINES = 24
/** Pixels, the same before the trace is there: nothing moves when it comes. */
const HEIGHT = 48
const LEAST_SHARE = 0.005

const partOf = ({ isError, isCritical }: TraceItem) =>
  isError ? 'bad' : isCritical ? 'main' : 'aside'

/** Where a pointer is along the strip, 0 to 1. */
function shareAt(event: PointerEvent): number {
  const box = (event.currentTarget as HTMLElement).getBoundingClientRect()
  return Math.min(1, Math.max(0, (event.clientX - box.left) / Math.max(1, box.width)))
}

function onKey(event: KeyboardEvent, options: StripOptions): void {
  const { duration, stretch = { from: 0, to: duration }, onStretch } = options
  const acts: Readonly<Record<string, () => Stretch | undefined>> = {
    '+': () => moved(stretch, duration, 0, 0.5),
    '-': () => moved(stretch, duration, 0, 2),
    ArrowLeft: () => moved(stretch, duration, -0.25),
    ArrowRight: () => moved(stretch, duration, 0.25),
    Home: () => undefined
  }
  const act = acts[event.key]
  if (act === undefined) return
  event.preventDefault()
  const next = act()
  onStretch(next !== undefined && next.to - next.from < duration ? next : undefined)
}

export function overviewStrip(options: StripOptions): TemplateResult {
  const { items, duration, stretch, label, onStretch } = options
  if (duration <= 0) return html`<div class="strip"></div>`
  const x = (ms: number) => ((ms / duration) * 1000).toFixed(1)
  // What takes no time is drawn all the same, at the very end too.
  const box = (at: number, top: number, time: number, height: number) => {
    const length = Math.max(time, duration / 500)
    const left = Math.min(at, duration - length)
    return `M${x(left)} ${top.toFixed(1)}h${x(length)}v${height.toFixed(1)}H${x(left)}z`
  }
  const count = Math.min(MOST_LINES, Math.max(1, items.length))
  const step = HEIGHT / count
  const lines = (part: string) =>
    items
      .map((item, at) =>
        partOf(item) === part ? box(item.start, (at % count) * step, item.duration, step * 0.8) : ''
      )
      .join('')
  const shade =
    stretch === undefined
      ? ''
      : box(0, 0, stretch.from, HEIGHT) + box(stretch.to, 0, duration - stretch.to, HEIGHT)
  let begun: number | undefined
  return html`<div
    class="strip"
    tabindex="0"
    role="group"
    aria-label=${label}
    @keydown=${(event: KeyboardEvent) => onKey(event, options)}
    @pointerdown=${(event: PointerEvent) => {
      begun = shareAt(event)
      ;(event.currentTarget as HTMLElement).setPointerCapture(event.pointerId)
    }}
    @pointerup=${(event: PointerEvent) => {
      if (begun === undefined) return
      const ends = [begun, shareAt(event)].sort((a, b) => a - b)
      const [from = 0, to = 0] = ends
      begun = undefined
      onStretch(to - from < LEAST_SHARE ? undefined : { from: from * duration, to: to * duration })
    }}
  >
    <svg viewBox="0 0 1000 48" preserveAspectRatio="none" aria-hidden="true">
      <path class="aside" d=${lines('aside')}></path>
      <path d=${lines('main')}></path>
      <path class="bad" d=${lines('bad')}></path>
      <path class="shade" d=${shade}></path>
    </svg>
  </div>`
}
