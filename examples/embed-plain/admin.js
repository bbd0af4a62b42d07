// What an admin UI may do with a page: follow its title. The rest works with the tag alone.
document.addEventListener('keelson-title', (event) => {
  document.title = `${event.detail.title} · Shop admin`
})
