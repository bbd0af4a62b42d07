// What opens and clicks are a share of. Pure.

/** The mails that were delivered; where the provider reports no deliveries, those it took. */
export const reachedOf = (delivered: number, handed: number): number =>
  delivered > 0 ? delivered : handed
