// Slots of the template language, as far as rules need them. Pure.

/** A slot that is not filled yet. */
export const SLOT = /\{\{[^{}]*\}\}\}?/g

export const hasSlot = (text: string): boolean => text.includes('{{')

/** Whether a text holds the slot of that name, with or without escaping. Behind a backslash it is text. */
export const hasSlotNamed = (text: string, name: string): boolean =>
  new RegExp(`(?<!\\\\)\\{\\{\\{?[\\s~&]*${name}[\\s~]*\\}\\}`).test(text)

/** Slots as words of an ordinary length: what they are filled with is not known. */
export const withSlotsFilled = (text: string): string => text.replace(SLOT, 'Somebody')

/** Names of the variables that slots read, as `name` of `{{vars.name}}`. */
export function variableNames(text: string): ReadonlySet<string> {
  const names = new Set<string>()
  for (const [slot] of text.matchAll(SLOT)) {
    for (const [, name = ''] of slot.matchAll(/\bvars\.([A-Za-z_]\w*)/g)) names.add(name)
  }
  return names
}
