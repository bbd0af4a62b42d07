// One element in a page: made, changed, listened to.
import type { Page } from 'playwright-core'
import { accessibilityFaults, type TestPage } from './browser.ts'
import { openElementPage } from './element-page.ts'

export interface Sample extends TestPage {
  /** Sets properties and waits until they are drawn. */
  change(values: object): Promise<void>
  /** The events heard so far, as `type {detail}`. */
  heard(): Promise<string[]>
  /** What axe holds against the page. */
  faultsOfAccess(): Promise<readonly string[]>
}

export interface SampleOptions {
  /** Name of the class in @keelson/ui, or KeelsonChart. */
  readonly element: string
  readonly tag: string
  readonly values?: object
  /** Markup inside the element. */
  readonly content?: string
  readonly events?: readonly string[]
  readonly width?: number
  /** Before anything is loaded: routes. */
  prepare?(page: Page): Promise<unknown>
}

/** Opens a page with the element in it. */
export async function openSample(
  t: Parameters<typeof openElementPage>[0],
  options: SampleOptions
): Promise<Sample> {
  const { width = 1000, values = {}, content = '', events = [], element, tag } = options
  const { prepare } = options
  const opened = await openElementPage(t, {
    viewport: { width, height: 700 },
    ...(prepare !== undefined && { prepare })
  })
  const { page } = opened
  await page.evaluate(
    async (given) => {
      const ui = (await import('@keelson/ui')) as unknown as Record<string, unknown> & {
        define(...classes: unknown[]): void
        loadChart(): Promise<void>
      }
      if (given.element === 'KeelsonChart') await ui.loadChart()
      else ui.define(ui[given.element])
      const sample = document.createElement(given.tag) as HTMLElement & {
        updateComplete: Promise<unknown>
      }
      sample.id = 'sample'
      sample.innerHTML = given.content
      const heard: string[] = []
      Object.assign(window, { heard })
      for (const type of given.events) {
        sample.addEventListener(type, (event) => {
          heard.push(`${type} ${JSON.stringify((event as CustomEvent).detail)}`)
        })
      }
      Object.assign(sample, given.values)
      document.querySelector('main')?.append(sample)
      await sample.updateComplete
    },
    { element, tag, values, content, events }
  )
  return {
    ...opened,
    change: (next) =>
      page.evaluate(async (given) => {
        const sample = document.querySelector('#sample') as HTMLElement & {
          updateComplete: Promise<unknown>
        }
        Object.assign(sample, given)
        await sample.updateComplete
      }, next),
    heard: () => page.evaluate(() => (window as unknown as { heard: string[] }).heard),
    faultsOfAccess: () => accessibilityFaults(page)
  }
}
