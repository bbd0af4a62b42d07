// Scripts for pages in every engine: what is there, waiting, typing, and signing in at the demo.

/** What such a script begins with: elements through all shadow roots, waiting, and typing. */
export const TOOLS = `
  const all = function* (root) {
    for (const element of root.querySelectorAll('*')) {
      yield element
      if (element.shadowRoot) yield* all(element.shadowRoot)
    }
  }
  const find = (selector, text = '') =>
    [...all(document)].find((each) => each.matches(selector) && each.textContent.includes(text))
  const until = async (look, what) => {
    for (const end = Date.now() + 20_000; Date.now() < end; ) {
      const found = await look()
      if (found) return found
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error('waited for ' + what + ' in: ' + document.body.firstElementChild?.shadowRoot?.textContent.slice(0, 2000))
  }
  const see = (selector, text) => until(() => find(selector, text), selector + ' ' + (text ?? ''))
  const type = (field, value) => {
    field.value = value
    field.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
  }
  const submit = (field) => field.form.requestSubmit()
`

/** Signs in by the API, from a document of the platform. */
export const SIGN_IN = `
  const answer = await fetch('/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@acme.test', password: 'keelson-demo' })
  })
  return answer.status`
