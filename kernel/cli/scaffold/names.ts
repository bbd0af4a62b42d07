// The forms of a plugin's name in its files, and putting one name in the place of another. Pure.

export interface Names {
  /** `my-check` */
  readonly id: string
  /** `My check` */
  readonly title: string
  /** `my_check` */
  readonly prefix: string
  /** `MYCH`: begins the codes of its errors. */
  readonly code: string
}

/** Paths and contents of the files of a plugin. */
export type Files = Readonly<Record<string, string>>

export function namesOf(id: string): Names {
  const letters = id.replace(/[^a-z]/g, '').toUpperCase()
  return {
    id,
    title: id.charAt(0).toUpperCase() + id.slice(1).replaceAll('-', ' '),
    prefix: id.replaceAll('-', '_'),
    code: letters.slice(0, 4).padEnd(3, 'X')
  }
}

/** The files of one plugin as those of another. */
export function renamedFiles(files: Files, from: Names, to: Names): Files {
  const rename = (text: string) =>
    text
      .replaceAll(from.id, to.id)
      .replaceAll(from.prefix, to.prefix)
      .replaceAll(from.title, to.title)
      .replaceAll(new RegExp(`\\b${from.code}_(?=[A-Z])`, 'g'), `${to.code}_`)
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [rename(path), rename(text)])
  )
}
