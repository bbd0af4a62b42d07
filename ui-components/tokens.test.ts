// The tokens: every pair of text and ground that the styles use, by the contrast that people need.
import tap, { test } from 'tap'
import { browserOptions, closeBrowser } from './test/browser.ts'
import { openElementPage } from './test/element-page.ts'

tap.teardown(closeBrowser)

const GROUNDS = ['canvas', 'surface', 'raised', 'sunken']
const PAIRS: readonly (readonly [text: string, ground: string])[] = [
  ...['ink', 'ink-2', 'ink-3'].flatMap((ink) => GROUNDS.map((ground) => [ink, ground] as const)),
  ...['ink', 'ink-2', 'accent'].map((ink) => [ink, 'accent-soft'] as const),
  ...['accent', 'good', 'warn', 'bad', 'info'].flatMap((tone) =>
    ['canvas', 'surface', 'raised'].map((ground) => [tone, ground] as const)
  ),
  ...['good', 'warn', 'bad', 'info'].map((tone) => [tone, `${tone}-soft`] as const),
  ['ink', 'bad-soft'],
  ['ink-2', 'bad-soft'],
  ['accent-ink', 'accent']
]

/** WCAG 2.2: the relative luminance of bytes of sRGB. */
function luminance([red = 0, green = 0, blue = 0]: readonly number[]): number {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((byte) => {
    const part = byte / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: readonly number[], b: readonly number[]): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((one, other) => one - other)
  return (high + 0.05) / (low + 0.05)
}

for (const scheme of ['light', 'dark'] as const) {
  test(`every text is readable on its ground: ${scheme}`, browserOptions, async (t) => {
    const { page } = await openElementPage(t, { colorScheme: scheme })
    const names = [...new Set(PAIRS.flat())]
    const colors = await page.evaluate(
      async ({ names, scheme }) => {
        const { tokens } = await import('@keelson/ui')
        const host = document.createElement('div')
        host.style.colorScheme = scheme
        const root = host.attachShadow({ mode: 'open' })
        root.innerHTML = '<i></i>'
        root.adoptedStyleSheets = [tokens.styleSheet as CSSStyleSheet]
        document.body.append(host)
        const probe = root.querySelector('i') as HTMLElement
        const canvas = document.createElement('canvas').getContext('2d', {
          willReadFrequently: true
        }) as CanvasRenderingContext2D
        return names.map((name) => {
          probe.style.color = `var(--_${name})`
          canvas.fillStyle = getComputedStyle(probe).color
          canvas.fillRect(0, 0, 1, 1)
          return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)]
        })
      },
      { names, scheme }
    )
    const colorOf = (name: string) => colors[names.indexOf(name)] ?? []
    for (const [text, ground] of PAIRS) {
      const ratio = contrast(colorOf(text), colorOf(ground))
      t.ok(ratio >= 4.5, `${text} on ${ground}: ${ratio.toFixed(2)}`)
    }
  })
}
