// The browser of each way to act: a desk with a pointer, a desk without one, a phone in the dark.
import type { BrowserContextOptions } from 'playwright-core'
import type { Way } from './hand.ts'

const PHONE: BrowserContextOptions = {
  viewport: { width: 380, height: 800 },
  hasTouch: true,
  isMobile: true,
  colorScheme: 'dark'
}

export const lookOf = (way: Way): BrowserContextOptions => (way === 'touch' ? PHONE : {})
