// The styles of native controls: enough contrast in light and dark, usable under forced colours.
import tap, { test } from 'tap'
import { accessibilityFaults, browserOptions, closeBrowser } from './test/browser.ts'
import { openElementPage } from './test/element-page.ts'

tap.teardown(closeBrowser)

type Context = Omit<NonNullable<Parameters<typeof openElementPage>[1]>, 'body'>

async function openControls(t: Parameters<typeof openElementPage>[0], context: Context) {
  const opened = await openElementPage(t, context)
  await opened.page.evaluate(async () => {
    const { controls, definePage, icon } = await import('@keelson/ui')
    const { css, html, LitElement } = await import('lit')
    class Controls extends LitElement {
      static override styles = [controls, css`:host { background: var(--_surface); padding: 8px; }`]
      override render() {
        const tones = ['', 'info', 'accent', 'good', 'warn', 'bad']
        return html`<div class="row">
            ${['', 'primary', 'quiet', 'danger'].map((kind) => html`<button class="btn ${kind}">Do ${kind}</button>`)}
            <button class="btn" aria-pressed="true">On</button>
            <button class="btn icon" aria-label="Close">${icon('close')}</button>
            <button class="btn">Keys <small>L</small></button>
          </div>
          <p>${tones.map((tone) => html`<span class="tag ${tone}">tag ${tone}</span> `)}</p>
          <p><span class="dim">dim</span> <span class="quiet">quiet</span> <span class="mono">mono</span> <kbd>F</kbd></p>
          <p><a class="link" href="/x">A link of its own</a></p>
          <label>Field <input class="field" placeholder="placeholder" /></label>
          <dl class="facts"><dt>plan</dt><dd>pro <a href="/y">u-1042</a></dd></dl>`
      }
    }
    definePage('sample-controls', Controls)
    document.querySelector('main')?.append(document.createElement('sample-controls'))
  })
  await opened.page.locator('sample-controls button').first().waitFor()
  return opened
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`controls can be read in ${colorScheme}`, browserOptions, async (t) => {
    const { page, faults } = await openControls(t, { colorScheme })
    t.same(await accessibilityFaults(page), [])
    t.same(faults, [])
  })
}

test('the page’s own tokens win over the defaults', browserOptions, async (t) => {
  const { page } = await openControls(t, {})
  await page.evaluate(() => {
    document.documentElement.style.setProperty('--keelson-accent', 'rgb(1, 2, 3)')
  })
  const color = await page.locator('.link').evaluate((link) => getComputedStyle(link).color)
  t.equal(color, 'rgb(1, 2, 3)')
})

test(
  'under forced colours a primary button has the system’s colours',
  browserOptions,
  async (t) => {
    const { page } = await openControls(t, { forcedColors: 'active' })
    const [ink, ground] = await page.locator('.btn.primary').evaluate((button) => {
      const { color, backgroundColor } = getComputedStyle(button)
      return [color, backgroundColor]
    })
    t.not(ink, ground)
  }
)
