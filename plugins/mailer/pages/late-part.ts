// A part of a page that comes when it is needed.

/** The part with its texts: what loads it waits for their translation, so that it is not shown in English first. */
export function withTexts<T extends { registerTexts(): void }>(part: T): T {
  part.registerTexts()
  return part
}
