// A React admin UI with two screens; one of them is a Keelson page.
import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

const keelson = document.documentElement.dataset['keelson'] ?? ''

/** React 19 sets attributes and listens to events of custom elements; `keelson-pages.d.ts` has the types. */
function Events() {
  return (
    <telemetry-dashboard-events
      api-base={`${keelson}/telemetry`}
      sign-in={`${keelson}/login`}
      onkeelson-title={({ detail }) => {
        document.title = `${detail.title} · Shop admin`
      }}
    />
  )
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
