// The codes with which the engine's process ends.

/** Another process serves the data folder. */
export const EXIT_IN_USE = 75
/** The command line is wrong. */
export const EXIT_USAGE = 2
/** The server was ended by signals five times in a minute, or while it was ending, and is not started again. */
export const EXIT_SERVER_KILLED = 70
