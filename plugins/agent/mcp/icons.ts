// Icons of the server and its tools, inside their addresses: clients show them beside names.

/** An icon as the protocol lists it. */
export interface ListedIcon {
  readonly src: string
  readonly mimeType: string
  readonly sizes: string[]
}

/** An SVG image, for every size. */
export const iconOf = (svg: string): ListedIcon => ({
  src: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
  mimeType: 'image/svg+xml',
  sizes: ['any']
})

const drawn = (path: string): ListedIcon =>
  iconOf(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#3b66d6" stroke-width="2"><path d="${path}"/></svg>`
  )

export const PLATFORM_ICON = drawn('M4 18c4 3 12 3 16 0M12 18V3l7 10H5')
export const MAIL_ICON = drawn('M3 5h18v14H3zl9 8 9-8')
