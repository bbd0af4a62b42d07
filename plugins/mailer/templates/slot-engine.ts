// Fills slots: templates are compiled once, values are escaped, loops and output have a budget.
import Handlebars, { type HelperOptions } from 'handlebars'
import type { TemplateHelper } from '../config/host-code.ts'
import { type KnownFunctions, PRINT, parseSlots, type SlotFormat } from './parse-slots.ts'
import { VALUE_FUNCTIONS } from './value-functions.ts'

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

const ACCESS = { allowProtoPropertiesByDefault: false, allowProtoMethodsByDefault: false } as const
const BLOCKS = ['if', 'unless', 'each', 'with', MARK.link]

type Values = Readonly<Record<string, TemplateHelper>>

/** @param helpers of the host; they take the place of built-in ones of the same name. */
export function createSlotEngine(helpers: Values = {}): SlotEngine {
  const values = { ...VALUE_FUNCTIONS, ...wrapped(helpers) }
  const environment = Handlebars.create()
  environment.unregisterHelper('log')
  environment.registerHelper({ ...values, ...blocksOf(environment.helpers), ...PRINTERS, ...MARKS })
  const valueNames = [...Object.keys(values), MARK.link, MARK.pixel, MARK.preheader]
  const known: KnownFunctions = { values: new Set(valueNames), blocks: new Set(BLOCKS) }
  const names = [...valueNames, ...BLOCKS, ...Object.values(PRINT)]
  const knownHelpers = Object.fromEntries(names.map((name) => [name, true]))
  return {
    compile(source, format) {
      const program = parseSlots(source, format, known)
      // Values are escaped by the functions that print them.
      const options = { knownHelpers, knownHelpersOnly: true, noEscape: true }
      const fill = environment.compile(program, options)
      return (roots, state) => {
        const text = fill(roots, { ...ACCESS, data: { state } })
        spend(state, text.length)
        return text
      }
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

const stateOf = ({ data }: HelperOptions): RenderState => data.state

function spend({ budget }: RenderState, characters: number): void {
  budget.characters -= characters
  if (budget.characters < 0) throw new BudgetExceeded('The mail is too large')
}

function blocksOf({ each }: typeof Handlebars.helpers) {
  return {
    each(this: unknown, list: unknown, options: HelperOptions) {
      const state = stateOf(options)
      const fn = (value: unknown, more: object) => {
        state.budget.iterations--
        if (state.budget.iterations < 0) throw new BudgetExceeded('The template loops too often')
        const text = options.fn(value, more)
        spend(state, text.length)
        return text
      }
      return each?.call(this, list, { ...options, fn } as HelperOptions)
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

const PRINTERS = {
  [PRINT.html](value: unknown, options: HelperOptions) {
    return print(escapeHtml(textOf(value)), options)
  },
  [PRINT.text](value: unknown, options: HelperOptions) {
    return print(textOf(value), options)
  }
}

function print(text: string, options: HelperOptions): string {
  spend(stateOf(options), text.length)
  return text
}

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

const MARKS = {
  [MARK.link](this: unknown, index: number, options: HelperOptions) {
    const filled = options.fn?.(this)
    return stateOf(options).marks?.link(index, filled) ?? filled ?? ''
  },
  [MARK.pixel]: (options: HelperOptions) => stateOf(options).marks?.pixel() ?? '',
  [MARK.preheader]: (options: HelperOptions) => stateOf(options).marks?.preheader() ?? ''
}
