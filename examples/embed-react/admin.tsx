// A React admin UI with two screens; one of them is a Keelson page.
import { createElement, StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

const keelson = document.documentElement.dataset['keelson'] ?? ''

/** React sets attributes and events of a custom element; for JSX its tag would need a type of its own. */
function Events() {
  return createElement('telemetry-dashboard-events', {
    'api-base': `${keelson}/telemetry`,
    'onkeelson-title': ({ detail }: CustomEvent<{ readonly title: string }>) => {
      document.title = `${detail.title} · Shop admin`
    }
  })
}

function Admin() {
  const [path, setPath] = useState(location.pathname)
  useEffect(() => {
    const follow = () => setPath(location.pathname)
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  return (
    <>
      <header>
        <strong>Shop admin</strong> <a href="/">Orders</a> <a href="/events">Events</a>
      </header>
      <main>{path === '/events' ? <Events /> : <h1>Orders</h1>}</main>
    </>
  )
}

const root = document.querySelector('#root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Admin />
    </StrictMode>
  )
}
