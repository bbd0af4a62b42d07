// One person at a page, who acts by mouse alone, by keyboard alone or by touch alone; each act is counted.
import type { Locator, Page } from 'playwright-core'

export const WAYS = ['mouse', 'keyboard', 'touch'] as const
export type Way = (typeof WAYS)[number]

/** Stops of Tab after which a control counts as out of reach. */
const MOST_TABS = 120

/**
 * In the page: how the focus gets to an element. Empty when it is there; Enter on the link over the navigation; arrows
 * within a list, a canvas or a group of radios, of which Tab reaches one; else Tab, backwards when the element comes
 * before the focus.
 */
function keyTo(target: Element): string {
  const activeOf = (root: Document | ShadowRoot): Element | null => {
    const inner = root.activeElement?.shadowRoot
    return inner?.activeElement ? activeOf(inner) : root.activeElement
  }
  /** The element and the hosts around it, outermost first. */
  const hostsOf = (element: Element): Element[] => {
    const root = element.getRootNode()
    return root instanceof ShadowRoot ? [...hostsOf(root.host), element] : [element]
  }
  const active = activeOf(document)
  if (active === null || active === document.body) return 'Tab'
  if (active.matches('.skip')) return 'Enter'
  if (active === target || target.contains(active)) return ''
  const [mine, theirs] = [hostsOf(active), hostsOf(target)]
  const at = mine.findIndex((one, index) => one !== theirs[index])
  const [from, to] = [mine[at], theirs[at]]
  if (from === undefined || to === undefined) return from === undefined ? 'Tab' : 'Shift+Tab'
  // Where one is in a slot of the other, the page alone knows: it is drawn before.
  const isSlotted = from.contains(to) || to.contains(from)
  const [here, there] = [active.getBoundingClientRect(), target.getBoundingClientRect()]
  const isBefore = isSlotted
    ? there.bottom <= here.top || (there.top < here.bottom && there.right <= here.left)
    : (from.compareDocumentPosition(to) & Node.DOCUMENT_POSITION_PRECEDING) !== 0
  const group = target.closest('tbody, [role=menu], [role=listbox], [role=radiogroup], .canvas')
  const radio = (one: Element) =>
    one instanceof HTMLInputElement && one.type === 'radio' ? one.name : undefined
  const isRoving =
    (group?.contains(active) === true && (target as HTMLElement).tabIndex === -1) ||
    (radio(target) !== undefined && radio(target) === radio(active))
  if (isRoving) return isBefore ? 'ArrowUp' : 'ArrowDown'
  return isBefore ? 'Shift+Tab' : 'Tab'
}

const FIELDS = ['textbox', 'combobox', 'spinbutton', 'searchbox', 'checkbox', 'radio'] as const

/** What a person presses: its name, or where it is. */
export type Target = string | RegExp | Locator

/** A file that a person chooses. */
export interface GivenFile {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

export class Hand {
  readonly page: Page
  readonly way: Way
  #acts = 0

  constructor(page: Page, way: Way) {
    this.page = page
    this.way = way
  }

  /** Clicks, keys or taps since it was last asked; letters of a text are not counted. */
  takeActs(): number {
    const acts = this.#acts
    this.#acts = 0
    return acts
  }

  /** Presses a button or follows a link, by its name; of several the last one, which is that of an open dialog. */
  async press(target: Target): Promise<void> {
    await this.#reach(this.control(target))
    if (this.way === 'keyboard') await this.key('Enter')
  }

  /** Ticks a box or chooses one of several. */
  async check(label: Target): Promise<void> {
    const box = this.field(label)
    await this.#reach(box)
    // Arrows choose a radio when they reach it.
    if (this.way === 'keyboard' && !(await box.isChecked())) await this.key('Space')
  }

  /** Replaces what is in a field. */
  async type(label: Target, text: string): Promise<void> {
    const field = this.field(label)
    await this.#reach(field)
    await this.page.keyboard.press('Control+a')
    await this.page.keyboard.insertText(text)
    // What a form hears of a text that is pasted, and of one that is typed.
    if (text === '') await this.page.keyboard.press('Delete')
  }

  /** Chooses what begins with a word in a list: a person clicks in what the browser draws outside of the page. */
  async choose(label: Target, beginning: string): Promise<void> {
    const list = this.field(label)
    const option = list
      .locator('option')
      .filter({ hasText: new RegExp(`^\\s*${beginning}`) })
      .first()
    await option.waitFor({ state: 'attached' })
    if (this.way === 'keyboard') {
      await this.#reach(list)
      await this.page.keyboard.type(beginning)
    } else {
      this.#acts += 2
      await list.selectOption((await option.textContent())?.trim() ?? beginning)
    }
  }

  /** Chooses files. */
  async file(label: Target, ...files: readonly GivenFile[]): Promise<void> {
    const field = this.field(label)
    // A field that is drawn as a button is pressed by its label, and has the focus itself.
    const drawn = field.locator('xpath=ancestor::label').last()
    await field.waitFor()
    const isDrawn = this.way !== 'keyboard' && (await drawn.count()) > 0
    const [chosen] = await Promise.all([
      this.page.waitForEvent('filechooser'),
      this.press(isDrawn ? drawn : field)
    ])
    await chosen.setFiles([...files])
  }

  /** Waits until the words are to be seen. */
  async see(words: string | RegExp): Promise<void> {
    await this.page.getByText(words).filter({ visible: true }).first().waitFor()
  }

  /** Waits until the words are gone. */
  async missing(words: string | RegExp): Promise<void> {
    await this.page.getByText(words).filter({ visible: true }).first().waitFor({ state: 'hidden' })
  }

  /** Presses a key; for the keyboard alone. */
  async key(key: string): Promise<void> {
    this.#acts += 1
    await this.page.keyboard.press(key)
  }

  /** A button, link or menu entry that is shown. */
  control(target: Target): Locator {
    if (typeof target === 'object' && !(target instanceof RegExp)) return target
    const named = { name: target, exact: typeof target === 'string' }
    return this.page
      .getByRole('button', named)
      .or(this.page.getByRole('link', named))
      .or(this.page.locator('summary').filter({ hasText: target }))
      .filter({ visible: true })
      .last()
  }

  /** A field that is shown, by how its label begins. */
  field(label: Target): Locator {
    if (typeof label === 'object' && !(label instanceof RegExp)) return label
    // A label may go on with a hint.
    const name =
      typeof label === 'string'
        ? new RegExp(`^\\s*${label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`)
        : label
    return FIELDS.reduce(
      (found, role) => found.or(this.page.getByRole(role, { name })),
      this.page.getByLabel(name)
    )
      .and(this.page.locator('input, select, textarea, [contenteditable]'))
      .filter({ visible: true })
      .last()
  }

  async #reach(target: Locator): Promise<void> {
    await target.waitFor()
    if (this.way === 'keyboard') return this.#tabTo(target)
    this.#acts += 1
    return this.way === 'mouse' ? target.click() : target.tap()
  }

  async #tabTo(target: Locator): Promise<void> {
    for (let count = 0; count < MOST_TABS; count += 1) {
      const key = await target.evaluate(keyTo)
      if (key === '') return
      await this.key(key)
    }
    throw new Error(`The keyboard does not reach ${target}.`)
  }
}
