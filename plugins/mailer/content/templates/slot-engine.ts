// Fills slots: templates are compiled once, values are escaped, loops and output have a budget.
import type { HelperOptions } from 'handlebars'
import type { TemplateHelper } from '../../ledger/host-code.ts'
import { compileProgram, type SlotWriter } from './compile-slots.ts'
import { type KnownFunctions, parseSlots } from './parse-slots.ts'
import { VALUE_FUNCTIONS } from './value-functions.ts'

/** How the values of a template are written. */
export type SlotFormat = 'html' | 'text'

/** What is left of a rendering's budget. */
export interface RenderBudget {
  iterations: number
  characters: number
}

/** What the marks in prepared HTML become. */
export interface MarkWriter {
  /** An address, escaped for an attribute. `filled`: the address with its slots filled, as HTML. */
  link(index: number, filled: string | undefined): string
  pixel(): string
  /** As HTML. */
  preheader(): string
}

/** One rendering. */
export interface RenderState {
  readonly budget: RenderBudget
  readonly marks?: MarkWriter
}

/** A template, compiled. @throws BudgetExceeded, or whatever a helper throws. */
export type FillSlots = (roots: object, state: RenderState) => string

/** Compiles templates with the helpers of one host. */
export interface SlotEngine {
  /** @throws Handlebars.Exception, with line and column. */
  compile(source: string, format: SlotFormat): FillSlots
}

/** A rendering that loops too often, or writes too much. */
export class BudgetExceeded extends Error {}

/** Marks that `prepareTemplate` writes into HTML. */
export const MARK = {
  link: 'mailerLink',
  pixel: 'mailerPixel',
  preheader: 'mailerPreheader'
} as const

const BLOCKS = ['if', 'unless', 'each', 'with', MARK.link]

type Values = Readonly<Record<string, TemplateHelper>>

/** @param helpers of the host; they take the place of built-in ones of the same name. */
export function createSlotEngine(helpers: Values = {}): SlotEngine {
  const values = { ...VALUE_FUNCTIONS, ...wrapped(helpers), ...MARKS }
  const known: KnownFunctions = {
    values: new Set(Object.keys(values)),
    blocks: new Set(BLOCKS)
  }
  const writers = {
    html: writerOf({ known, values }, escapeHtml),
    text: writerOf({ known, values }, (text) => text)
  }
  return {
    compile(source, format) {
      const fill = compileProgram(parseSlots(source, known), writers[format])
      return (roots, state) => fill({ context: roots, root: roots, state })
    }
  }
}

/** Helpers of a host are called with their arguments alone. */
function wrapped(helpers: Values): Values {
  const entries = Object.entries(helpers)
  return Object.fromEntries(
    entries.map(([name, helper]) => [name, (...args) => helper(...args.slice(0, -1))])
  )
}

function writerOf(
  { known, values }: Pick<SlotWriter<RenderState>, 'known' | 'values'>,
  escaped: (text: string) => string
): SlotWriter<RenderState> {
  return {
    known,
    values,
    blocks: {
      [MARK.link]: (index, inner, { marks }) => marks?.link(Number(index), inner) ?? inner
    },
    print: (value, isEscaped) => (isEscaped ? escaped(textOf(value)) : textOf(value)),
    spend(text, { budget }) {
      budget.characters -= text.length
      if (budget.characters < 0) throw new BudgetExceeded('The mail is too large')
      return text
    },
    turn({ budget }) {
      budget.iterations--
      if (budget.iterations < 0) throw new BudgetExceeded('The template loops too often')
    }
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
  '=': '&#61;'
}

/** Text as HTML, within an element or within quotes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"'`=]/g, (sign) => ESCAPES[sign] ?? sign)

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a mail
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g

/** A value as people read it; objects without a text of their kind are left out. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value.replace(CONTROLS, '')
  if (value === null || value === undefined || typeof value === 'function') return ''
  if (typeof value !== 'object') return String(value)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString()
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  const ownText = value.toString
  const hasText = typeof ownText === 'function' && ownText !== Object.prototype.toString
  return hasText ? String(value).replace(CONTROLS, '') : ''
}

const marksOf = (options: unknown): MarkWriter | undefined =>
  ((options as HelperOptions).data.state as RenderState).marks

const MARKS: Values = {
  [MARK.link]: (index, options) => marksOf(options)?.link(Number(index), undefined) ?? '',
  [MARK.pixel]: (options) => marksOf(options)?.pixel() ?? '',
  [MARK.preheader]: (options) => marksOf(options)?.preheader() ?? ''
}
