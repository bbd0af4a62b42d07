// Loads the dialog of saved views, in a separate file, when it is first opened.

/** Resolves when `keelson-views` is defined. Cheap to call again. */
export async function loadViews(): Promise<void> {
  const { defineViews } = await import('@keelson/ui/views')
  defineViews()
}
