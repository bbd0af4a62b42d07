// A sender domain and kind as pages name it.

type Texts = (key: string) => string

/** "acme.test · marketing", of the id `acme.test|marketing`. Pure. */
export function bucketName(id: string, t: Texts): string {
  const at = id.lastIndexOf('|')
  if (at < 0) return id
  return `${id.slice(0, at) || t('health.noDomain')} · ${t(`health.kind.${id.slice(at + 1)}`)}`
}
