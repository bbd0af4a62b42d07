// keelson-error in a browser.
import tap, { test } from 'tap'
import { browserOptions, closeBrowser } from '../../test/browser.ts'
import { openSample } from '../../test/element-sample.ts'

tap.teardown(closeBrowser)

const ERROR = {
  element: 'KeelsonError',
  tag: 'keelson-error',
  values: { heading: 'Nothing came', text: 'The server is gone.', retry: true },
  events: ['keelson-retry']
}

test('it is an alert without accessibility faults', browserOptions, async (t) => {
  const sample = await openSample(t, ERROR)
  t.same(await sample.faultsOfAccess(), [])
  t.equal(await sample.page.getByRole('alert').count(), 1)
  t.same(sample.faults, [])
})

test('it offers to try again where that makes sense', browserOptions, async (t) => {
  const sample = await openSample(t, ERROR)
  await sample.page.getByRole('button', { name: 'Try again' }).click()
  t.same(await sample.heard(), ['keelson-retry {}'])
  await sample.change({ retry: false })
  t.equal(await sample.page.getByRole('button').count(), 0)
})

test('where signing in helps, it offers that alone', browserOptions, async (t) => {
  const sample = await openSample(t, ERROR)
  await sample.change({ error: { signIn: '/login' } })
  t.equal(await sample.page.getByRole('link', { name: 'Sign in' }).count(), 1)
  t.equal(await sample.page.getByRole('button').count(), 0)
})

test(
  'signed out of a host that names no sign-in, it offers no other try',
  browserOptions,
  async (t) => {
    const sample = await openSample(t, { ...ERROR, values: { retry: true } })
    for (const [status, buttons] of [
      [503, 1],
      [401, 0]
    ]) {
      await sample.page.evaluate(async (code) => {
        const { RequestError } = await import('@keelson/ui')
        const element = document.querySelector('#sample') as HTMLElement & {
          updateComplete: Promise<unknown>
        }
        await Object.assign(element, { error: new RequestError(code, {}) }).updateComplete
      }, status ?? 0)
      t.equal(await sample.page.getByRole('button').count(), buttons, `${status}`)
    }
    const words = await sample.page.locator('#sample p').textContent()
    t.equal(words, 'You are signed out. Sign in again.')
  }
)

test('it puts an error into words', browserOptions, async (t) => {
  const sample = await openSample(t, { ...ERROR, values: {} })
  await sample.page.evaluate(async () => {
    const { RequestError } = await import('@keelson/ui')
    const error = new RequestError(403, { error: 'forbidden' })
    Object.assign(document.querySelector('#sample') as object, { error })
  })
  t.match(await sample.page.locator('#sample p').textContent(), /role does not allow/)
  t.equal(await sample.page.locator('#sample h2').textContent(), 'This could not be loaded')
})
