// A button that opens a small menu of links and buttons.
import { html, type TemplateResult } from 'lit'

const menuOf = ({ currentTarget }: Event) => currentTarget as HTMLDetailsElement

/** The focus returns to the button, and from there to a dialog and back. */
function close(menu: HTMLDetailsElement): void {
  menu.open = false
  menu.querySelector('summary')?.focus()
}

function onKey(event: KeyboardEvent): void {
  const menu = menuOf(event)
  if (event.key !== 'Escape' || !menu.open) return
  event.stopPropagation()
  close(menu)
}

/** The focus goes elsewhere. */
function onLeave(event: FocusEvent): void {
  const menu = menuOf(event)
  if (event.relatedTarget instanceof Node && !menu.contains(event.relatedTarget)) menu.open = false
}

/** Something is chosen. */
function onPick(event: Event): void {
  if ((event.target as HTMLElement).closest('.menu') !== null) close(menuOf(event))
}

/** While it is open, a press elsewhere closes it. */
function onToggle(event: Event): void {
  const menu = menuOf(event)
  if (!menu.open) return
  const onPress = (pressed: Event) => {
    if (menu.open && pressed.composedPath().includes(menu)) return
    menu.open = false
    document.removeEventListener('pointerdown', onPress)
  }
  document.addEventListener('pointerdown', onPress)
}

/** The button with its label, and what it opens: quiet buttons and links. It closes as menus do. */
export const menu = (label: string, items: unknown): TemplateResult =>
  html`<details class="more" @toggle=${onToggle} @keydown=${onKey} @focusout=${onLeave} @click=${onPick}><summary class="btn">${label}</summary><div class="menu card">${items}</div></details>`
