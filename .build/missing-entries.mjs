// Which files a package.json promises and a tarball does not hold. Pure.

/** Every file that `exports`, `main`, `types`, `customElements` and `bin` name, `./` left out. */
export function promisedFiles({ exports = {}, main, types, customElements, bin = {} }) {
  const named = [
    main,
    types,
    customElements,
    ...Object.values(typeof bin === 'string' ? { bin } : bin)
  ]
  const walk = (value) =>
    typeof value === 'string' ? [value] : value === null ? [] : Object.values(value).flatMap(walk)
  const files = [...named.filter((name) => name !== undefined), ...walk(exports)]
  return [...new Set(files.map((name) => name.replace(/^\.\//, '')))]
}

/** The promised files that are not among `packed`. A pattern needs one file. */
export function missingEntries(manifest, packed) {
  return promisedFiles(manifest).filter((name) => {
    const [before, after] = name.split('*')
    if (after === undefined) return !packed.includes(name)
    return !packed.some((path) => path.startsWith(before) && path.endsWith(after))
  })
}
