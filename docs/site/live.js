// Shows the pages of a running demo where the documentation speaks of embedding.
const demo = new URLSearchParams(location.search).get('demo') ?? 'http://127.0.0.1:3000'
const box = document.createElement('section')
const heading = document.createElement('h2')
heading.id = 'live'
heading.textContent = 'Live'
const text = document.createElement('p')
const choice = document.createElement('select')
choice.setAttribute('aria-label', 'Page')
const place = document.createElement('div')
place.className = 'live'
box.append(heading, text, choice, place)
document.querySelector('main').append(box)
choice.hidden = true

async function show({ element, module, apiBase }) {
  await import(new URL(module, demo).href)
  const page = document.createElement(element)
  page.setAttribute('api-base', new URL(apiBase, demo).href)
  place.replaceChildren(page)
}

try {
  const answer = await fetch(new URL('/embed', demo))
  const { pages } = await answer.json()
  for (const [at, { title, plugin }] of pages.entries())
    choice.add(new Option(`${title} (${plugin})`, at))
  choice.hidden = false
  choice.onchange = () => show(pages[Number(choice.value)])
  text.textContent = `Pages of the demo at ${demo}, embedded here. Sign in there first.`
  const first = Math.max(
    pages.findIndex(({ page }) => page === 'events'),
    0
  )
  choice.value = String(first)
  await show(pages[first])
} catch {
  text.append(
    `Start the demo with KEELSON_EMBED_ORIGINS=${location.origin} npm start, sign in at ${demo}, and load this page again: its pages are then embedded here.`
  )
}
