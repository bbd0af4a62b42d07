// Registers custom elements, once, whatever else is on the page.

/** A class that knows its tag and the elements that its template uses. */
export interface ElementClass {
  new (): HTMLElement
  readonly tag: string
  readonly uses?: readonly ElementClass[]
}

/**
 * Registers elements and those they use. Safe to call again, and beside another copy of this
 * package: the first definition of a tag stays.
 */
export function define(...classes: readonly ElementClass[]): void {
  for (const element of classes) {
    if (customElements.get(element.tag) === undefined) {
      definePage(element.tag, element)
    }
  }
}

/** Registers a page's element, and those it uses, under the tag that its manifest names. Safe to call again. */
export function definePage(
  tag: string,
  element: CustomElementConstructor & Pick<ElementClass, 'uses'>
): void {
  if (customElements.get(tag) !== undefined) return
  define(...(element.uses ?? []))
  customElements.define(tag, element)
}
