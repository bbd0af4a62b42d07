// A sign for each type of step: the shape says what the colour says.
import type { TemplateResult } from 'lit'
import { drawShape } from '../draw-shape.ts'

const MAIL = 'M2 3.500h12v9H2zM2.500 4.500 8 9l5.500-4.500'
const CLOCK = 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 4.800V8l2.200 1.600'
const BOLT = 'M8.500 1.800 3.500 9H8l-.5 5.200L12.500 7H8z'
const SHAPES: Readonly<Record<string, string>> = {
  start: BOLT,
  send: MAIL,
  wait: CLOCK,
  waitUntil: CLOCK,
  waitForEvent: BOLT,
  fire_event: BOLT,
  condition: 'M8 1.800 14.200 8 8 14.200 1.800 8z',
  branch: 'M8 14V9L3.500 4.500M8 9l4.500-4.500M3.500 7.500v-3h3M9.500 4.500h3v3',
  split: 'M8 14V9L3.500 4.500M8 9l4.500-4.500M3.500 7.500v-3h3M9.500 4.500h3v3',
  tag: 'M2.500 2.500h5l6 6-5 5-6-6zM5.300 5.300h.01',
  webhook: 'M9 3h4v4M13 3 7.500 8.500M11 9v4H3V5h4',
  undo: 'M3 6h6.500a3.500 3.500 0 0 1 0 7H6M3 6l3-3M3 6l3 3',
  redo: 'M13 6H6.500a3.500 3.500 0 0 0 0 7H10M13 6l-3-3M13 6l-3 3',
  exit: 'M6 2.500H3v11h3M9.500 5 13 8l-3.500 3M13 8H6'
}

/** The sign of a type. It is decoration: the card says the type in words. */
export const drawGlyph = (type: string): TemplateResult => drawShape(SHAPES[type] ?? 'M8 8h.01')
