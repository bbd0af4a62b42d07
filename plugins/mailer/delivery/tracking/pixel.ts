// The open pixel: a PNG of one transparent pixel.

/** Decodable whatever reads it: one pixel of eight-bit grey with alpha, all zero. */
export const PIXEL: Buffer = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNgYAAAAAMAASsJTYQAAAAASUVORK5CYII=',
  'base64'
)
