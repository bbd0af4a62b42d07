// Keys that work while an element is on the page, and the list of them.
import type { ReactiveController, ReactiveControllerHost } from 'lit'

/** A key of a page and what it does. */
export interface Shortcut {
  /** A key as `KeyboardEvent.key` names it (`f`, `?`, `Escape`, `F8`), with `mod+` for Ctrl or Command. */
  readonly keys: string
  /** What it does, for the list that `?` shows. */
  readonly label: string
  /** Return false when there was nothing to do: the key then keeps its own meaning. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most shortcuts have nothing to return
  run(event: KeyboardEvent): void | false
}

const LIST = 'keelson-shortcuts'
const TYPES_NOTHING = /^(mod\+|Escape$|F\d+$)/
const KEY = 'keelson-keys'

/** Whether keys without Ctrl or Command act, in this browser. They can be turned off: speech input types them. */
export function hasSingleKeys(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off'
  } catch {
    return true
  }
}

/** Turns keys without Ctrl or Command on or off, and keeps that in this browser. */
export function chooseSingleKeys(isOn: boolean): void {
  try {
    localStorage.setItem(KEY, isOn ? 'on' : 'off')
  } catch {
    // Storage is off: the keys stay as they are.
  }
}

/** Listens while the host is connected. Ignores keys typed into fields and behind a modal dialog. */
export class Shortcuts implements ReactiveController {
  readonly #host: HTMLElement
  readonly #list: () => readonly Shortcut[]

  constructor(host: ReactiveControllerHost & HTMLElement, list: () => readonly Shortcut[]) {
    this.#host = host
    this.#list = list
    host.addController(this)
  }

  hostConnected(): void {
    document.addEventListener('keydown', this.#onKey)
    document.addEventListener(LIST, this.#onList)
  }

  hostDisconnected(): void {
    document.removeEventListener('keydown', this.#onKey)
    document.removeEventListener(LIST, this.#onList)
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || isBehindDialog(event, this.#host)) return
    const pressed = keyOf(event)
    if (isTyping(event) && !TYPES_NOTHING.test(pressed)) return
    if (pressed.length === 1 && !hasSingleKeys()) return
    const found = this.#list().find(({ keys }) => keys === pressed)
    if (found !== undefined && found.run(event) !== false) event.preventDefault()
  }

  readonly #onList = (event: Event): void => {
    const { detail } = event as CustomEvent<{ list: Shortcut[] }>
    detail.list.push(...this.#list())
  }
}

/** The shortcuts in force, each key once. */
export function shortcutsInForce(): readonly Shortcut[] {
  const detail: { list: Shortcut[] } = { list: [] }
  document.dispatchEvent(new CustomEvent(LIST, { detail }))
  return [...new Map(detail.list.map((shortcut) => [shortcut.keys, shortcut])).values()]
}

function keyOf(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  if (event.altKey) return `alt+${key}`
  return event.ctrlKey || event.metaKey ? `mod+${key}` : key
}

function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0]
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
}

function isBehindDialog(event: Event, host: HTMLElement): boolean {
  const modal = event
    .composedPath()
    .find((node) => node instanceof HTMLDialogElement && node.matches(':modal'))
  return modal !== undefined && !isInside(host, modal as Node)
}

function isInside(element: Node, container: Node): boolean {
  for (let at: Node | null = element; at !== null; ) {
    if (at === container) return true
    at = at instanceof ShadowRoot ? at.host : ((at as Element).assignedSlot ?? at.parentNode)
  }
  return false
}
