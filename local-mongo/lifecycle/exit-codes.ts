// The codes with which the engine's process ends.

/** Another process serves the data folder. */
export const EXIT_IN_USE = 75
/** The command line is wrong. */
export const EXIT_USAGE = 2
