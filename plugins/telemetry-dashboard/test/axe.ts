// Looks for accessibility faults that a machine can find.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Axe {
  run(
    options: object
  ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }>
}

/**
 * Each fault with the first place it is found at. Targets must be 24 px or apart (WCAG 2.2, 2.5.8);
 * `hasDialog`: not while a dialog covers some of them.
 */
export async function faultsOf(
  page: Page,
  { hasDialog = false }: { readonly hasDialog?: boolean } = {}
): Promise<string[]> {
  await page.evaluate(source)
  return page.evaluate(async (enabled) => {
    const { axe } = globalThis as unknown as { axe: Axe }
    const { violations } = await axe.run({
      rules: { 'target-size': { enabled } },
      resultTypes: ['violations']
    })
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary ?? ''}`
    )
  }, !hasDialog)
}
