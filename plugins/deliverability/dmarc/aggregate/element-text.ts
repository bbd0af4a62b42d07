// The text of elements as a tree that is read child by child, for one record or one head at a time. Pure.

/** An element: its text, and its children by lower-case name in the order of the document. */
export interface ElementText {
  readonly children: Map<string, ElementText[]>
  text: string
}

export function createElement(): ElementText {
  return { children: new Map(), text: '' }
}

/** The first child of that path that is there. */
export function childOf(
  element: ElementText | undefined,
  ...path: readonly string[]
): ElementText | undefined {
  return path.reduce((at, name) => at?.children.get(name)?.[0], element)
}

/** The text of a descendant; undefined when it is not there. */
export function textOf(
  element: ElementText | undefined,
  ...path: readonly string[]
): string | undefined {
  return childOf(element, ...path)?.text
}

/** All children of a name. */
export function childrenOf(element: ElementText | undefined, name: string): readonly ElementText[] {
  return element?.children.get(name) ?? []
}
