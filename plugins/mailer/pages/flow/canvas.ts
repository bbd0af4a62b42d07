// The steps of a flow as cards on lines, arms side by side: real lists of real links.
import { dayText, icon } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { drawGlyph } from './glyphs.ts'
import type { LaneArm, LaneNode } from './lane.ts'
import { armWords } from './step-lines.ts'
import { stepWords, type Words } from './step-words.ts'
import type { Stop, Walked } from './walked-path.ts'

/** Runs at a step: those that are there, and those that ended there. */
export interface StepCounts {
  readonly active: number
  readonly completed: number
  readonly exited: number
  readonly failed: number
}

/** What the canvas draws. */
export interface Canvas {
  readonly lane: readonly LaneNode[]
  /** What starts the flow. */
  readonly trigger: { readonly title: string; readonly note: string; readonly href: string }
  readonly words: Words
  /** The card that the keys start from. */
  readonly active: string
  /** The card whose panel is open. */
  readonly selected: string | null
  readonly isEditable: boolean
  readonly counts: ReadonlyMap<string, StepCounts> | undefined
  /** The version that is counted. */
  readonly version: number
  /** Runs that reached each step, where it is known. */
  readonly entered: ReadonlyMap<string, number>
  /** Cards that cannot be published, with the reason. */
  readonly faults: ReadonlyMap<string, string>
  readonly walked: Walked | undefined
  /** How a simulation ends. */
  readonly end: string | undefined
  /** The stop that is looked at. */
  readonly stop: string | undefined
  href(path: string): string
  addHref(path: string): string
}

const SMALL = 14

/** The whole flow. */
export function canvasView(canvas: Canvas): TemplateResult {
  const { lane, trigger, words, walked, end } = canvas
  const isWalked = walked !== undefined
  return html`<div class="lane">
    <a class="step is-start ${isWalked ? 'on' : ''}" href=${trigger.href}>
      <span class="glyph">${drawGlyph('start')}</span>
      <span class="what"><b>${trigger.title}</b><small>${trigger.note}</small></span>
    </a>
    ${lane.length === 0 ? place(canvas, '0') : column(canvas, lane)}
    ${last(canvas, lane, words.t('flow.lastHere'))}
    <span class="fin ${end === undefined ? '' : 'on'}">${end ?? words.t('flow.end')}</span>
  </div>`
}

function column(canvas: Canvas, nodes: readonly LaneNode[]): TemplateResult {
  return html`<ol class="lane">
    ${nodes.map((node) => html`<li class="lane ${node.step.type === 'condition' ? 'has-stub' : ''}">${wire(canvas, node)} ${card(canvas, node)} ${fork(canvas, node)}</li>`)}
  </ol>`
}

/** The line above a card, with the button that adds a step there. */
function wire(canvas: Canvas, { path, number }: LaneNode): TemplateResult {
  const { walked, words } = canvas
  const stop = walked?.cards.get(path)
  return html`<span class="wire ${stop === undefined ? '' : 'on'}">
    ${canvas.isEditable ? addLink(canvas, path, words.t('flow.addHere', { number })) : nothing}
    ${stop === undefined ? nothing : html`<span class="when">${whenWords(stop, words)}</span>`}
  </span>`
}

/** The line below the last card, with the button that adds a step there; an exit has nothing behind it. */
function last(canvas: Canvas, nodes: readonly LaneNode[], label: string): TemplateResult {
  const isOpen = nodes.length > 0 && nodes.at(-1)?.step.type !== 'exit' && canvas.isEditable
  if (!isOpen) return html`<span class="wire short"></span>`
  const [, list = ''] = /^(.*\.)?\d+$/.exec(nodes[0]?.path ?? '') ?? []
  return html`<span class="wire">${addLink(canvas, `${list}${nodes.length}`, label)}</span>`
}

function addLink({ addHref }: Canvas, path: string, label: string): TemplateResult {
  return html`<a class="add" tabindex="-1" href=${addHref(path)} data-place=${path} aria-label=${label}
    >${icon('plus', 10)}</a
  >`
}

function whenWords({ at, waited }: Stop, { format }: Words): TemplateResult {
  return html`${dayText(Date.parse(at), Date.now(), format)}${waited > 0 ? html` <i>+${format.duration(waited)}</i>` : nothing}`
}

/** Where an empty arm takes its first step. */
function place(canvas: Canvas, path: string): TemplateResult | typeof nothing {
  const { words, active, isEditable, addHref } = canvas
  if (!isEditable) return nothing
  return html`<span class="wire short"></span>
    <a class="place" href=${addHref(path)} data-path=${path} data-place=${path} tabindex=${path === active ? 0 : -1}>
      ${icon('plus', 12)}${words.t('flow.addStep')}
    </a>`
}

function card(canvas: Canvas, { path, number, step }: LaneNode): TemplateResult {
  const { words, active, selected, faults, walked, stop, href } = canvas
  const { title, note } = stepWords(step, words)
  const fault = faults.get(path)
  const classes = [
    `is-${step.type}`,
    walked?.cards.has(path) ? 'on' : '',
    stop === path ? 'here' : '',
    fault === undefined ? '' : 'faulty'
  ]
  return html`<a
    class="step ${classes.join(' ')}"
    href=${href(path)}
    draggable="false"
    data-path=${path}
    tabindex=${path === active ? 0 : -1}
    aria-current=${path === selected ? 'true' : nothing}
    title=${fault ?? title}
  >
    <span class="glyph">${drawGlyph(step.type)}</span>
    <span class="what"><b>${title}</b><small>${note}</small></span>
    <span class="no">${fault === undefined ? number : icon('alert', SMALL)}</span>
    ${fault === undefined ? nothing : html`<span class="fault">${fault}</span>`}
    ${countsLine(canvas, path)}
  </a>`
}

function countsLine(
  { counts, version, entered, words }: Canvas,
  path: string
): TemplateResult | typeof nothing {
  if (counts === undefined) return nothing
  const { active = 0, completed = 0, exited = 0, failed = 0 } = counts.get(path) ?? {}
  const { t, format } = words
  const part = (key: string, count: number, kind = '') =>
    count === 0
      ? nothing
      : html`<span class=${kind}>${t(key, { count: format.compact(count) })}</span>`
  const all = entered.get(path) ?? 0
  return html`<span class="counts">
    ${part('flow.enteredHere', all)} ${part('flow.here', active, 'waiting')} ${part('flow.completedHere', completed)}
    ${part('flow.exitedHere', exited)} ${part('flow.failedHere', failed, 'failed')}
    ${all === 0 ? nothing : html`<i class="share" .style=${shares(all, active, exited + failed)}></i>`}
    ${all + active + completed + exited + failed === 0 ? html`<span>${t('flow.noneHere', { version })}</span>` : nothing}
  </span>`
}

/** Of those who entered, in percent: who went on, and who waits; the rest left. */
function shares(all: number, waiting: number, left: number): string {
  const percent = (count: number) => `${Math.round((Math.max(0, count) / all) * 100)}%`
  return `--on:${percent(all - waiting - left)};--wait:${percent(waiting)}`
}

function fork(canvas: Canvas, { path, step, arms }: LaneNode): TemplateResult | typeof nothing {
  if (step.type === 'condition') return stub(canvas, path, step.ifFalse)
  if (arms.length === 0) return nothing
  return html`<span class="wire short ${canvas.walked?.cards.has(path) ? 'on' : ''}"></span>
    <div class="fork">${arms.map((arm) => armView(canvas, arm, isWalked(canvas, path, arm)))}</div>`
}

/** An awaited event came when its timeout did not. */
function isWalked({ walked }: Canvas, path: string, { list }: LaneArm): boolean {
  if (walked === undefined) return false
  if (list !== undefined) return walked.arms.has(list)
  return walked.cards.has(path) && !walked.arms.has(`${path}.timeout`)
}

/** The way out of a condition that fails, at its side. */
function stub({ words, walked, counts }: Canvas, path: string, ifFalse: string): TemplateResult {
  const left = counts?.get(path)?.exited ?? 0
  const isTaken = ['exited', 'skipped_next'].includes(walked?.cards.get(path)?.outcome ?? '')
  return html`<span class="stub ${isTaken ? 'on' : ''}"
    ><span class="cap">${words.t('arm.no')} ${left === 0 ? nothing : html`<small>${words.format.compact(left)}</small>`}</span
    ><span class="end">${words.t(`flow.else.${ifFalse}`)}</span></span
  >`
}

function armView(canvas: Canvas, arm: LaneArm, isOn: boolean): TemplateResult {
  const { list, nodes } = arm
  const label = armWords(arm, canvas.words)
  const isEnd = nodes.at(-1)?.step.type === 'exit'
  const after = list === undefined ? '' : `${list}.${nodes.length}`
  return html`<div class="arm ${isOn ? 'on' : ''} ${isEnd ? 'ends' : ''}" role="group" aria-label=${label}>
    <span class="cap">${label}</span>
    ${
      nodes.length > 0
        ? html`${column(canvas, nodes)}${isEnd ? nothing : last(canvas, nodes, canvas.words.t('flow.lastInArm', { arm: label }))}`
        : list === undefined
          ? nothing
          : place(canvas, after)
    }
    <span class="tail"></span>
  </div>`
}
