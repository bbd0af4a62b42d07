// Every page of the demo while its answers arrive one after the other, and after.
import {
  accessibilityFaults,
  browserOptions,
  closeBrowser,
  LOOKS,
  sideways
} from '@keelson/ui/testing'
import tap, { test } from 'tap'
import { sharedDemo, stopSharedDemo } from '../hosts/fresh-demo.ts'
import { type Demo, drawn } from './demo-in-browser.ts'
import { everyPage, MOST_CALLS, MOST_SHIFT, shiftOf, takenBy } from './every-page.ts'

let demo: Demo = { url: '' }
if (browserOptions.skip === undefined) demo = await sharedDemo()
tap.teardown(closeBrowser)
tap.teardown(stopSharedDemo)

/** What a page takes until it is drawn, compressed. */
const MOST_KB = 140

/** Each page is asked about accessibility in one look: the tests of the pages ask in both. */
for (const [at, look] of LOOKS.entries()) {
  const { colorScheme, viewport } = look
  test(`every page holds still and has no accessibility faults, ${colorScheme}, ${viewport.width} pixels`, {
    ...browserOptions,
    timeout: 300_000
  }, async (t) => {
    const paths = await everyPage(t, demo, {
      look,
      api: 'slow',
      async visit(page, path, index) {
        await drawn(page)
        const shift = await shiftOf(page)
        t.ok(shift <= MOST_SHIFT, `${path}: moves by ${shift.toFixed(4)}`)
        if (at === 0) {
          const { bytes, calls } = await takenBy(page)
          t.comment(
            `| ${path} | ${(bytes / 1000).toFixed(1)} kB | ${calls} calls | ${shift.toFixed(4)} |`
          )
          t.ok(bytes <= MOST_KB * 1000, `${path}: ${bytes} bytes, at most ${MOST_KB} kB`)
          t.ok(calls <= MOST_CALLS, `${path}: ${calls} calls, at most ${MOST_CALLS}`)
        }
        if (index % 2 === at) t.same(await accessibilityFaults(page), [], path)
        t.ok((await sideways({ page })) <= 0, `${path}: no sideways scroll`)
      }
    })
    t.ok(paths.length > 36, `${paths.length} pages`)
  })
}
